// Calls as texts: the tool, its arguments, and what is wrong with them.

import { add, cut, h } from "./dom.js";
import { amount, said, t } from "./words.js";

export const MAX_VALUE = 600;

/** An argument of fewer letters is not broken into two lines. */
const SHORT = 32;

/** What stands beside a line, and how it strikes the eye.
 * @type {Record<string, [string, string]>} */
export const MARKS = {
  matched: ["✓", "good"],
  wrong_arg: ["✗", "bad"],
  failed: ["✗", "bad"],
  missing: ["✗", "bad"],
  optional: ["–", "dim"],
  extra: ["+", "warn"],
  duplicate: ["+", "warn"],
  out_of_order: ["↕", "bad"],
  neutral: ["·", "dim"],
};

/**
 * The name of a trajectory in addresses.
 * @param {any} one
 * @returns {string}
 */
export function trajectoryKey(one) {
  return one.agent + "#" + one.trial;
}

/**
 * A value in few characters.
 * @param {any} value
 * @param {number} [length]
 * @returns {string}
 */
export function valueText(value, length = MAX_VALUE) {
  const text = typeof value === "string" ? JSON.stringify(cut(value, length)) : (JSON.stringify(value) ?? "null");
  return cut(text, length);
}

/**
 * A call that was made; of an argument that does not fit, what was asked for stands beside it.
 * @param {any} call
 * @param {any} line
 * @returns {HTMLElement}
 */
export function callText(call, line) {
  const made = h("span", { class: "call" }, h("b", {}, h("bdi", {}, call.tool)));
  const args = call.args ?? (call.args === null ? null : {});
  if (args === null) add(made, " ", h("span", { class: "quiet" }, t("page.unrecorded")));
  const stated = new Map((line?.arguments ?? []).map((/** @type {any} */ one) => [one.name, one]));
  const names = [...new Set([...stated.keys(), ...Object.keys(args ?? {})])];
  for (const name of names.slice(0, 40)) {
    const one = /** @type {any} */ (stated.get(name));
    const there = args !== null && name in args;
    const wrong = one?.ok === false;
    const value = there ? valueText(args[name]) : t("page.missing_arg");
    add(made, " ", h("span", { class: "arg" + (wrong ? " wrong" : "") + (name.length + value.length < SHORT && !wrong ? " short" : "") },
      h("span", { class: "name" }, wrong && h("span", { class: "sr" }, t("page.wrong") + " "), name, "="), h("bdi", {}, value),
      wrong && one.want !== undefined && [" ", h("span", { class: "want" }, t("page.want", { want: cut(said(one.want), MAX_VALUE) }))]));
  }
  if (call.error) add(made, " ", h("span", { class: "error" }, "→ ", cut(call.error, 400)));
  return made;
}

/**
 * A time as a bar from 0, beside its figure.
 * @param {number} duration
 * @param {number} longest
 * @returns {HTMLElement}
 */
export function timeBar(duration, longest) {
  const bar = h("meter", { min: "0", max: String(longest), value: duration, "aria-hidden": "true" });
  return h("span", { class: "duration" }, bar, h("span", {}, `${amount(duration)} ms`));
}
