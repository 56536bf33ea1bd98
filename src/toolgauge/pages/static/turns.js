// A trajectory turn by turn: calls and what is not a call, such as plans, rounds, hand-offs, retries and opinions.

import { callText, timeBar, valueText } from "./calls.js";
import { add, cut, h } from "./dom.js";
import { amount, knows, t } from "./words.js";

const MAX_CALLS = 200;
const MAX_EVENTS = 200;
const MAX_RESULT = 2000;

/**
 * @param {any} shown
 * @returns {HTMLElement}
 */
export function turnsSection(shown) {
  const made = h("details", { class: "turns", ontoggle: () => {
    if (made.querySelector("ol") === null) drawTurns(made, shown);
  } }, h("summary", {}, t("page.turns")));
  return made;
}

/**
 * @param {HTMLElement} made
 * @param {any} shown
 */
function drawTurns(made, shown) {
  const calls = shown.raw.calls ?? [];
  const events = (shown.raw.events ?? []).map(asRetry);
  const longest = Math.max(1, ...calls.slice(0, 5000).map((/** @type {any} */ call) => call.duration_ms ?? 0));
  const usage = shown.raw.usage ?? {};
  const facts = [
    usage.requests !== undefined && usage.requests !== null ? t("page.usage.requests", { number: usage.requests }) : "",
    usage.input_tokens ? t("page.usage.input", { number: usage.input_tokens }) : "",
    usage.output_tokens ? t("page.usage.output", { number: usage.output_tokens }) : "",
    usage.cost_usd ? `$${amount(usage.cost_usd)}` : "",
  ].filter(Boolean);
  if (facts.length) add(made, h("p", { class: "quiet" }, facts.join(" · ")));
  const list = h("ol", { class: "turns" });
  for (const event of events.slice(0, MAX_EVENTS)) if (!afterCalls(event)) add(list, eventItem(event));
  /** @type {any} */
  let last = {};
  calls.slice(0, MAX_CALLS).forEach((/** @type {any} */ call, /** @type {number} */ index) => {
    if (call.round !== undefined && call.round !== last.round) add(list, h("li", { class: "turn" }, t("page.round", { number: call.round })));
    if (call.turn !== undefined && call.turn !== last.turn) add(list, h("li", { class: "turn" }, t("page.turn", { number: call.turn })));
    last = call;
    const bar = call.duration_ms !== undefined && call.duration_ms !== null ? timeBar(call.duration_ms, longest) : null;
    const result = call.error ? null : call.result === undefined ? null : valueText(call.result, MAX_RESULT);
    add(list, h("li", { class: "made" }, h("span", { class: "quiet" }, `${index + 1} `), callText(call, null), " ", bar,
      result !== null && h("pre", { class: "result", tabindex: "0" }, result)));
  });
  if (calls.length > MAX_CALLS) add(list, h("li", { class: "quiet" }, t("more", { number: calls.length - MAX_CALLS })));
  for (const event of events.slice(0, MAX_EVENTS)) if (afterCalls(event)) add(list, eventItem(event));
  if (events.length > MAX_EVENTS) add(list, h("li", { class: "quiet" }, t("more", { number: events.length - MAX_EVENTS })));
  add(made, list);
}

/**
 * A retry as it is recorded today: in earlier runs the reason stood where the kind of the event belongs.
 * @param {any} event
 * @returns {any}
 */
function asRetry(event) {
  if (event.kind === "retry" || event.attempt === undefined || event.wait_seconds === undefined) return event;
  const { kind, ...rest } = event;
  return { kind: "retry", reason: kind, ...rest };
}

/**
 * Whether an event is told of behind the calls: what a judge said, and what became of rounds.
 * @param {any} event
 * @returns {boolean}
 */
function afterCalls(event) {
  return !["plan", "route", "handoff", "retry"].includes(event.kind);
}

/**
 * @param {any} event
 * @returns {HTMLElement}
 */
function eventItem(event) {
  const { kind, ...rest } = event;
  const key = "page.event." + kind;
  const title = h("b", {}, knows(key) ? t(key) : String(kind));
  if (Array.isArray(rest.steps)) {
    const steps = rest.steps.slice(0, 50).map((/** @type {any} */ step) =>
      h("li", {}, callText({ tool: String(step?.tool ?? step), args: step?.args ?? {} }, null)));
    return h("li", { class: "event" }, title, h("ol", {}, steps));
  }
  const parts = Object.entries(rest).map(([name, value]) => `${name}: ${typeof value === "string" ? cut(value, 1000) : valueText(value, 1000)}`);
  return h("li", { class: "event" }, title, " ", h("bdi", {}, parts.join(" · ")));
}
