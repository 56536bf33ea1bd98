// Any two trajectories of a case side by side, and where they first part.

import { changed } from "./address.js";
import { callText, trajectoryKey } from "./calls.js";
import { alignCalls, firstDivergence } from "./divergence.js";
import { add, h } from "./dom.js";
import { t } from "./words.js";

/** @typedef {import("./app.js").Context} Context */

const MAX_STEPS = 100;

/**
 * What a trajectory is called in a sentence.
 * @param {any} page
 * @param {any} one
 * @returns {string}
 */
function named(page, one) {
  const several = page.trajectories.filter((/** @type {any} */ other) => other.agent === one.agent).length > 1;
  return several ? `${one.agent} (${t("page.trial", { trial: one.trial })})` : one.agent;
}

/**
 * The sentence on where two part.
 * @param {any} page
 * @param {any} a
 * @param {any} b
 * @returns {string}
 */
export function partingText(page, a, b) {
  const [left, right] = [a.raw.calls ?? [], b.raw.calls ?? []];
  const found = firstDivergence(alignCalls(left, right));
  const names = { a: named(page, a), b: named(page, b) };
  if (found === null) return t("page.part.same", { ...names, number: left.length });
  const { step } = found;
  const call = (step.a ?? step.b ?? 0) + 1;
  const tools = { tool: left[step.a ?? -1]?.tool ?? null, other: right[step.b ?? -1]?.tool ?? null };
  return t("page.part." + step.kind, { ...names, call, ...tools });
}

/**
 * @param {Context} context
 * @param {any} page
 * @param {any} shown
 * @returns {HTMLElement}
 */
export function partSection(context, page, shown) {
  const { params } = context.place;
  /** @param {string | null} key @param {any} otherwise */
  const find = (key, otherwise) => page.trajectories.find((/** @type {any} */ one) => trajectoryKey(one) === key) ?? otherwise;
  const a = find(params.get("a"), shown);
  const others = page.trajectories.filter((/** @type {any} */ one) => one !== a);
  /** @param {any} one */
  const differs = (one) => firstDivergence(alignCalls(a.raw.calls ?? [], one.raw.calls ?? [])) !== null;
  // Of two runs, the same agent in the other one.
  const pair = (context.run.differences?.pairs ?? []).find((/** @type {string[]} */ names) => names.includes(a.agent)) ?? [];
  const partners = others.filter((/** @type {any} */ one) => one.agent !== a.agent && pair.includes(one.agent));
  const among = partners.length ? partners : others;
  const ended = among.find((/** @type {any} */ one) => one.passed !== a.passed);
  const b = find(params.get("b"), ended ?? among.find(differs) ?? among[0]);
  /** @param {string} name @param {any} current */
  const choice = (name, current) => {
    const select = h("select", { "aria-label": t("page.part." + name), onchange: (/** @type {Event} */ event) => {
      const value = /** @type {HTMLSelectElement} */ (event.target).value;
      context.addresses.go(changed(context.place, { a: trajectoryKey(a), b: trajectoryKey(b), [name]: value }));
    } });
    for (const one of page.trajectories) {
      add(select, h("option", { value: trajectoryKey(one), selected: one === current }, named(page, one)));
    }
    return select;
  };
  const steps = alignCalls(a.raw.calls ?? [], b.raw.calls ?? []);
  const first = firstDivergence(steps);
  const body = h("tbody");
  steps.slice(0, MAX_STEPS).forEach((step, index) => {
    const parting = first !== null && index === first.at;
    const word = t("page.step." + step.kind);
    add(body, h("tr", { class: parting ? "parting" : step.kind },
      h("td", {}, step.a !== null && callText((a.raw.calls ?? [])[step.a], null)),
      h("td", { class: "mark" }, h("span", { role: "img", "aria-label": parting ? t("page.parting") : word, title: word }, step.kind === "same" ? "=" : "≠")),
      h("td", {}, step.b !== null && callText((b.raw.calls ?? [])[step.b], null))));
  });
  if (!steps.length) add(body, h("tr", {}, h("td", { class: "quiet" }, t("page.no_calls")), h("td"), h("td", { class: "quiet" }, t("page.no_calls"))));
  return h("section", { class: "part", "aria-labelledby": "part-title" },
    h("h2", { id: "part-title" }, t("page.part")),
    h("p", { class: "sentence" }, partingText(page, a, b)),
    h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": t("page.part") }, h("table", { class: "pair" },
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, choice("a", a)), h("th", { scope: "col" }, h("span", { class: "sr" }, t("column.mark"))), h("th", { scope: "col" }, choice("b", b)))), body)),
    steps.length > MAX_STEPS && h("p", { class: "quiet" }, t("more", { number: steps.length - MAX_STEPS })));
}
