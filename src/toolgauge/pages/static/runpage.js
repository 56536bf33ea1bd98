// The page of a run: the verdict, then one picture, then tables, and the cases at its end.

import { casesPlace } from "./address.js";
import { caseHref, caseList } from "./caselist.js";
import { add, chartElement, cut, h, section } from "./dom.js";
import { agentName } from "./signs.js";
import { changesSection } from "./tworuns.js";
import { amount, labelTitle, language, metricTitle, number, said, share, t } from "./words.js";

/** @typedef {import("./app.js").Context} Context */

const FIRST = ["pass_rate", "f1", "tool_fail_rate"];
const FIGURE_COLUMNS = ["pass_rate", "accuracy", "precision", "recall", "f1", "tool_fail_rate"];
/** A chart that is wider is not made smaller for a phone, but scrolls. */
const FITS = 520;
const SPREADS = ["latency", "calls", "tokens", "cost"];

/**
 * @param {Context} context
 * @returns {HTMLElement[]}
 */
export function runPage(context) {
  const { run } = context;
  return [
    verdict(run),
    run.differences ? changesSection(context) : null,
    dotSection(context),
    figuresSection(context),
    patternsSection(context),
    toolsSection(context),
    spreadSection(context),
    notesSection(run),
    caseList(context),
  ].filter((section) => section !== null);
}

/**
 * The attributes of a link to the cases behind a figure.
 * @param {Context} context
 * @param {string} filters
 * @returns {Record<string, string>}
 */
function goTo(context, filters) {
  return { "data-go": filters, href: context.addresses.href(casesPlace(context.place, filters)) };
}

/**
 * Draw the list of cases anew where the rest of the page is there already, and let links keep order and columns.
 * @param {Context} context
 * @param {Element} main
 */
export function redrawCases(context, main) {
  main.querySelector("#cases")?.replaceWith(caseList(context));
  for (const link of main.querySelectorAll("a[data-go]")) {
    link.setAttribute("href", context.addresses.href(casesPlace(context.place, link.getAttribute("data-go") ?? "")));
  }
}

/**
 * @param {any} run
 * @returns {HTMLElement}
 */
function verdict(run) {
  const sentences = run.sentences[language.lang] ?? run.sentences.en ?? [];
  const [first = "", ...rest] = sentences;
  return h("section", { class: "verdict", "aria-labelledby": "title" },
    h("p", { class: "lead" }, first),
    rest.map((/** @type {string} */ sentence) => h("p", {}, sentence)),
    h("p", { class: "quiet" }, said(run.counts_line)));
}

/**
 * A chart with its title, how to read it, and the table behind it.
 * @param {Context} context
 * @param {string} name
 * @param {{note?: boolean}} [options]
 * @returns {HTMLElement | null}
 */
export function figure(context, name, options = {}) {
  const charts = context.run.charts[language.lang] ?? context.run.charts.en ?? {};
  const chart = charts[name];
  if (!chart) return null;
  const note = options.note === false ? chart.aside : chart.note;
  const drawn = chartElement(chart.svg, (filters) => context.addresses.href(casesPlace(context.place, filters)));
  const head = h("tr", {}, chart.columns.map((/** @type {string} */ column) => h("th", { scope: "col" }, column)));
  const body = chart.rows.map((/** @type {string[]} */ row) =>
    h("tr", {}, row.map((cell, index) => (index ? h("td", {}, h("bdi", {}, cell)) : h("th", { scope: "row" }, h("bdi", {}, cell))))));
  const wide = Number(drawn.getAttribute("width")) > FITS ? " wide" : "";
  return h("figure", { class: "chart chart-" + name.replace(/_by$/, "") + wide },
    h("figcaption", {}, h("h3", {}, chart.title), note && h("p", { class: "quiet" }, note)),
    h("div", { class: "drawing" }, drawn),
    h("details", {}, h("summary", {}, t("page.table")), h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": chart.title }, h("table", {}, h("thead", {}, head), h("tbody", {}, body)))));
}

/**
 * @param {Context} context
 * @returns {HTMLElement | null}
 */
function dotSection(context) {
  const { run, place } = context;
  const charts = run.charts[language.lang] ?? {};
  const broken = place.params.get("by") === "1";
  const known = Object.keys(charts).filter((name) => !name.endsWith("_by") && charts[name + "_by"] !== undefined);
  const dots = Object.keys(charts).filter((name) => !name.endsWith("_by") && !SPREADS.includes(name) && !["precision_recall", "tools", "confusion"].includes(name));
  if (!dots.length) return null;
  const order = [...FIRST.filter((name) => dots.includes(name)), ...dots.filter((name) => !FIRST.includes(name))];
  const suffix = broken && known.length ? "_by" : "";
  const grid = h("div", { class: "dots" }, order.map((name) => figure(context, charts[name + suffix] ? name + suffix : name, { note: false })));
  let toggle = null;
  if (known.length && run.by) {
    const params = new URLSearchParams(place.params);
    if (broken) params.delete("by");
    else params.set("by", "1");
    const key = broken ? "page.by.all" : "page.by";
    toggle = h("a", { class: "button", href: context.addresses.href({ ...place, page: "run", params }) }, t(key, { label: labelTitle(run.by).toLowerCase() }));
  }
  const note = charts[order[0] ?? ""]?.note ?? "";
  return section("agents", t("page.agents"), h("p", { class: "quiet" }, note), toggle, grid);
}

/**
 * A figure with its interval, unrounded behind it, which leads to its cases.
 * @param {any} estimate
 * @param {string} name
 * @param {boolean} quantity
 * @param {Record<string, string>} go
 * @returns {HTMLElement}
 */
function figureCell(estimate, name, quantity, go) {
  if (!estimate || estimate.value === null || estimate.value === undefined) {
    return h("td", { class: "num", "data-metric": name, title: estimate?.reason ?? "" }, h("span", { class: "dim", role: "img", "aria-label": t("none") }, "–"));
  }
  const shown = quantity ? amount : share;
  const ends = estimate.low === null || estimate.low === undefined ? "" : `${shown(estimate.low)}–${shown(estimate.high)}`;
  const n = t("page.n", { n: number(estimate.n) });
  return h("td", { class: "num", "data-metric": name, "data-value": estimate.value, title: n },
    h("a", go, shown(estimate.value), ends && h("span", { class: "interval" }, " ", ends)));
}

/**
 * @param {Context} context
 * @returns {HTMLElement | null}
 */
function figuresSection(context) {
  const { run } = context;
  if (!run.rows.length) return null;
  const known = run.metrics.map((/** @type {any} */ metric) => metric.name).filter((/** @type {string} */ name) =>
    run.rows.some((/** @type {any} */ row) => row.metrics[name]?.value !== null && row.metrics[name]?.value !== undefined));
  const first = FIGURE_COLUMNS.filter((name) => known.includes(name));
  const others = known.filter((/** @type {string} */ name) => !first.includes(name));
  return section("figures", t("page.figures"),
    figuresTable(context, first),
    others.length > 0 && h("details", {}, h("summary", {}, t("page.figures.more")), figuresTable(context, others)),
    h("p", { class: "quiet" }, said(run.totals_line)));
}

/**
 * @param {Context} context
 * @param {string[]} names
 * @returns {HTMLElement}
 */
function figuresTable(context, names) {
  const { run } = context;
  const units = Object.fromEntries(run.metrics.map((/** @type {any} */ metric) => [metric.name, metric]));
  const head = h("tr", {}, h("th", { scope: "col" }, t("column.agent")), run.by && h("th", { scope: "col" }, labelTitle(run.by)),
    h("th", { scope: "col", class: "num" }, t("column.n")), names.map((name) => h("th", { scope: "col", class: "num" }, metricTitle(name))));
  const body = h("tbody");
  const ordered = run.agents.flatMap((/** @type {any} */ agent) => {
    const own = run.rows.filter((/** @type {any} */ row) => row.agent === agent.name);
    return own.sort((/** @type {any} */ a, /** @type {any} */ b) => Object.keys(a.group).length - Object.keys(b.group).length);
  });
  for (const row of ordered) {
    const groups = Object.entries(row.group);
    const filters = new URLSearchParams([["agent", row.agent], ...groups.map(([key, value]) => ["label", `${key}:${value}`])]);
    const go = goTo(context, filters.toString());
    const n = row.n === row.planned ? number(row.n) : `${number(row.n)}/${number(row.planned)}`;
    const whole = groups.length === 0;
    add(body, h("tr", { class: whole ? "whole" : "part", "data-agent": row.agent, "data-group": groups.map(([, value]) => value).join() },
      h("th", { scope: "row" }, h("a", go, agentName(row.agent))),
      run.by && h("td", {}, whole ? t("all") : h("bdi", {}, cut(groups.map(([, value]) => value || t("unlabelled")).join(", "), 40))),
      h("td", { class: "num" }, n),
      names.map((name) => figureCell(row.metrics[name], name, units[name]?.kind === "amount", go))));
  }
  return h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": t("page.figures") },
    h("table", { class: "figures" }, h("thead", {}, head), body));
}

/**
 * @param {Context} context
 * @returns {HTMLElement | null}
 */
function patternsSection(context) {
  const { run } = context;
  if (!run.patterns.length) return null;
  const list = h("ol", { class: "patterns" });
  run.patterns.forEach((/** @type {any} */ pattern, /** @type {number} */ index) => {
    const go = goTo(context, new URLSearchParams({ set: pattern.set }).toString());
    const cases = run.sets[pattern.set]?.length ?? 0;
    const examples = pattern.examples.map((/** @type {string} */ id) => h("a", { href: caseHref(context, id) }, h("bdi", {}, id)));
    add(list, h("li", { class: index < 5 ? null : "later" },
      h("a", { class: "what", ...go }, said(pattern.text)),
      h("span", { class: "quiet" }, " ", pattern.failed ? t("page.pattern.counts", { failed: pattern.failed, share: number(100 * pattern.share, 0), cases }) : t("page.pattern.passed", { cases })),
      h("p", {}, said(pattern.recommendation)),
      h("p", { class: "quiet" }, t("page.pattern.examples"), " ", examples.flatMap((/** @type {Node} */ link, /** @type {number} */ at) => (at ? [", ", link] : [link])))));
  });
  const more = run.patterns.length > 5 && h("button", { type: "button", onclick: (/** @type {Event} */ event) => {
    list.classList.add("all");
    /** @type {HTMLElement} */ (event.target).remove();
  } }, t("more", { number: run.patterns.length - 5 }));
  return section("patterns", t("page.patterns"), list, more || null);
}

/**
 * @param {Context} context
 * @returns {HTMLElement | null}
 */
function toolsSection(context) {
  const drawn = ["tools", "confusion", "precision_recall"].map((name) => figure(context, name)).filter((one) => one !== null);
  return drawn.length ? section("tools", t("page.tools"), h("div", { class: "grids" }, drawn)) : null;
}

/**
 * @param {Context} context
 * @returns {HTMLElement | null}
 */
function spreadSection(context) {
  const drawn = SPREADS.map((name) => figure(context, name, { note: false })).filter((one) => one !== null);
  if (!drawn.length) return null;
  return section("spreads", t("page.spreads"), h("p", { class: "quiet" }, t("page.chart.spread.note")), h("div", { class: "spreads" }, drawn));
}

/**
 * @param {any} run
 * @returns {HTMLElement | null}
 */
function notesSection(run) {
  const notes = run.notes[language.lang] ?? [];
  return notes.length ? section("notes", t("section.notes"), h("ul", {}, notes.map((/** @type {string} */ note) => h("li", {}, note)))) : null;
}
