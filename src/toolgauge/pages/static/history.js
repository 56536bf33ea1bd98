// A metric over runs, with what changed between them.

import { chartElement, fillWith, h } from "./dom.js";
import { ask } from "./remote.js";
import { drawHeader, here, langQuery } from "./runs.js";
import { language, metricTitle, number, t } from "./words.js";

export async function historyPage() {
  const main = /** @type {HTMLElement} */ (document.querySelector("main"));
  drawHeader(/** @type {HTMLElement} */ (document.querySelector("header")));
  document.title = t("page.history") + " · toolgauge";
  const params = new URLSearchParams(location.search);
  const asked = new URLSearchParams();
  for (const name of ["suite", "metric"]) if (params.get(name)) asked.set(name, params.get(name) ?? "");
  const found = await ask("/api/history?" + asked);
  /** @param {string} name @param {string} title @param {[string, string][]} options @param {string} chosen */
  const choice = (name, title, options, chosen) => h("label", {}, title, " ", h("select", { onchange: (/** @type {any} */ event) => location.assign(here({ [name]: event.target.value })) },
    options.map(([value, text]) => h("option", { value, selected: value === chosen }, text))));
  const suites = /** @type {[string, string][]} */ (Object.entries(found.suites).map(([name, runs]) => [name, `${name} (${number(Number(runs))})`]));
  const metrics = /** @type {[string, string][]} */ (found.metrics.map((/** @type {string} */ name) => [name, metricTitle(name)]));
  fillWith(main, h("div", { class: "title" }, h("h1", { tabindex: "-1" }, t("page.history"))),
    h("div", { class: "filters" }, choice("suite", t("page.runs.suite"), suites, found.suite), choice("metric", t("page.history.metric"), metrics, found.metric)),
    h("p", { class: "counts", role: "status" }, t("page.history.count", { known: found.known, pending: found.pending || null })),
    found.points.length ? drawnHistory(found) : h("p", { class: "dim" }, found.pending ? "" : t("page.runs.none")));
  const drawing = main.querySelector(".drawing");
  if (drawing) drawing.scrollLeft = drawing.scrollWidth; // the newest runs first, where there is no room for all
  if (found.pending) setTimeout(() => void historyPage(), 1000);
}

/**
 * @param {any} found
 * @returns {HTMLElement}
 */
function drawnHistory(found) {
  const chart = found.charts[language.lang] ?? found.charts.en;
  const svg = chartElement(chart.svg, (filters) => `/runs/${encodeURIComponent(new URLSearchParams(filters).get("run") ?? "")}${langQuery()}`);
  svg.setAttribute("width", svg.getAttribute("viewBox")?.split(" ")[2] ?? "");
  const head = h("tr", {}, chart.columns.map((/** @type {string} */ column) => h("th", { scope: "col" }, column)));
  const body = chart.rows.map((/** @type {string[]} */ row) => h("tr", {}, row.map((cell, index) => (index ? h("td", {}, h("bdi", {}, cell)) : h("th", { scope: "row" }, h("bdi", {}, cell))))));
  return h("figure", { class: "chart history" }, h("figcaption", {}, h("h2", {}, chart.title), h("p", { class: "quiet" }, chart.note)),
    h("div", { class: "drawing scroll", tabindex: "0", role: "region", "aria-label": chart.title }, svg),
    h("details", {}, h("summary", {}, t("page.table")), h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": t("page.table") }, h("table", {}, h("thead", {}, head), h("tbody", {}, body)))));
}
