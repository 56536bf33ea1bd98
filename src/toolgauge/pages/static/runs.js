// The list of runs: found by words, in any order, two of them to be put side by side.

import { drawFooter, settings } from "./app.js";
import { add, fillWith, h } from "./dom.js";
import { ask } from "./remote.js";
import { number, share, t, utc } from "./words.js";

const RUNS_PAGE = 50;
const RUN_SORTS = ["created", "name", "suite", "passed"];

/** @returns {HTMLElement} The links to the pages that are not of one run. */
export function viewerNav() {
  /** @param {string} path @param {string} key */
  const link = (path, key) => h("a", { href: path + langQuery(), "aria-current": location.pathname === path ? "page" : null }, t(key));
  return h("nav", { class: "places", "aria-label": t("page.crumbs") }, link("/", "page.runs"), link("/history", "page.history"));
}

/** @returns {string} The language as a parameter, where the address has one. */
export function langQuery() {
  const lang = new URLSearchParams(location.search).get("lang");
  return lang ? "?lang=" + encodeURIComponent(lang) : "";
}

/**
 * The address of this page with other parameters; one that is null is taken away.
 * @param {Record<string, string | null>} changes
 * @returns {string}
 */
export function here(changes) {
  const params = new URLSearchParams(location.search);
  for (const [name, value] of Object.entries(changes)) {
    params.delete(name);
    if (value) params.set(name, value);
  }
  const query = params.toString();
  return location.pathname + (query ? "?" + query : "");
}

/** @param {HTMLElement} header */
export function drawHeader(header) {
  fillWith(header, viewerNav(), settings((lang) => here({ lang })));
  drawFooter();
}

export async function runsPage() {
  const main = /** @type {HTMLElement} */ (document.querySelector("main"));
  drawHeader(/** @type {HTMLElement} */ (document.querySelector("header")));
  document.title = t("page.runs") + " · toolgauge";
  const params = new URLSearchParams(location.search);
  const asked = new URLSearchParams({ limit: String(RUNS_PAGE), offset: params.get("at") ?? "0" });
  for (const name of ["q", "suite", "state", "sort"]) if (params.get(name)) asked.set(name, params.get(name) ?? "");
  const found = await ask("/api/runs?" + asked);
  const find = h("input", { type: "search", id: "find", name: "q", value: params.get("q") ?? "", placeholder: t("page.runs.find"), "aria-label": t("page.runs.find"), autocomplete: "off" });
  const suites = h("select", { name: "suite", "aria-label": t("page.runs.suite"), onchange: (/** @type {any} */ event) => location.assign(here({ suite: event.target.value, at: null })) },
    h("option", { value: "" }, t("page.runs.suite")), found.suites.map((/** @type {string} */ name) => h("option", { value: name, selected: name === params.get("suite") }, name)));
  const form = h("form", { class: "filters", role: "search", onsubmit: (/** @type {Event} */ event) => {
    event.preventDefault();
    location.assign(here({ q: /** @type {HTMLInputElement} */ (find).value.trim(), at: null }));
  } }, find, suites);
  const key = found.filtered === found.total ? "page.runs.count.all" : "page.runs.count";
  fillWith(main, h("div", { class: "title" }, h("h1", { tabindex: "-1" }, t("page.runs"))), form,
    h("p", { class: "counts", role: "status" }, t(key, { filtered: found.filtered, total: found.total })),
    found.rows.length ? runsTable(found.rows) : h("p", { class: "dim" }, t("page.runs.none")), runsPager(found.filtered));
  if (found.rows.some((/** @type {any} */ run) => run.state === "running")) setTimeout(() => void refresh(asked), 3000);
  document.addEventListener("keydown", (event) => {
    if (event.key === "/" && !/^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement?.tagName ?? "")) {
      find.focus();
      event.preventDefault();
    }
  });
}

/**
 * Figures of runs in progress, in their cells.
 * @param {URLSearchParams} asked What the list was asked for by.
 */
async function refresh(asked) {
  const { rows } = await ask("/api/runs?" + asked);
  for (const run of rows) {
    const line = document.querySelector(`tr[data-run="${CSS.escape(run.id)}"]`);
    if (line) line.replaceWith(runRow(run, line.querySelector("input:checked") !== null));
  }
  if (rows.some((/** @type {any} */ run) => run.state === "running")) setTimeout(() => void refresh(asked), 3000);
}

/**
 * @param {any[]} rows
 * @returns {HTMLElement}
 */
function runsTable(rows) {
  const order = new URLSearchParams(location.search).get("sort") ?? "";
  /** @param {string} name @param {string} [kind] */
  const head = (name, kind) => {
    const title = t("page.runs." + name);
    if (!RUN_SORTS.includes(name)) return h("th", { scope: "col", class: kind }, title);
    const sorted = order === name ? "ascending" : order === "-" + name ? "descending" : "none";
    const next = sorted === "none" ? "-" + name : sorted === "descending" ? name : null;
    return h("th", { scope: "col", class: kind, "aria-sort": sorted },
      h("a", { href: here({ sort: next, at: null }), title: t("page.sort") }, title, sorted === "none" ? "" : sorted === "ascending" ? " ↑" : " ↓"));
  };
  const compare = h("button", { type: "button", class: "compare", disabled: true, onclick: () => {
    // The older of the two is what the other is compared with.
    const [second = "", first = ""] = chosenRuns();
    location.assign(`/runs/${encodeURIComponent(first)}~${encodeURIComponent(second)}${langQuery()}`);
  } }, t("page.runs.compare"));
  const body = h("tbody", { onchange: () => void (/** @type {HTMLButtonElement} */ (compare).disabled = chosenRuns().length !== 2) });
  for (const run of rows) add(body, runRow(run, false));
  return h("div", {}, h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": t("page.runs") }, h("table", { class: "list runs" },
    h("thead", {}, h("tr", { "data-label": t("page.sort.by") }, h("th", { scope: "col" }, h("span", { class: "sr" }, t("page.runs.choose"))), head("name"), head("suite"), head("agents"), head("model"), head("created"), head("state"), head("passed", "num"))),
    body)), h("p", {}, compare, " ", h("span", { class: "quiet" }, t("page.runs.compare.how"))));
}

/** @returns {string[]} The runs that were chosen, from top to bottom. */
function chosenRuns() {
  return [...document.querySelectorAll("table.runs input:checked")].map((one) => /** @type {HTMLInputElement} */ (one).value);
}

/**
 * @param {any} run
 * @param {boolean} checked
 * @returns {HTMLElement}
 */
function runRow(run, checked) {
  const name = run.name || run.id;
  const rate = run.planned && run.finished ? share(run.passed / run.planned) : "";
  const done = run.state === "running" ? ` ${number(run.finished)}/${number(run.planned)}` : "";
  return h("tr", { "data-run": run.id },
    h("td", {}, h("input", { type: "checkbox", value: run.id, checked, "aria-label": t("page.runs.choose.one", { name }) })),
    h("th", { scope: "row" }, h("a", { href: `/runs/${encodeURIComponent(run.id)}${langQuery()}` }, h("bdi", {}, name)), run.name && h("span", { class: "quiet id" }, " ", run.id)),
    h("td", {}, h("bdi", {}, run.suite)), h("td", {}, h("bdi", {}, run.agents.join(", "))), h("td", {}, run.model && h("bdi", {}, String(run.model))),
    h("td", {}, utc(run.created)), h("td", { class: "state" }, t("page.runs.state." + run.state), done),
    h("td", { class: "num", "data-label": t("page.runs.passed") }, rate, h("span", { class: "interval" }, run.finished ? ` ${number(run.passed)}/${number(run.planned)}` : "")));
}

/**
 * @param {number} filtered
 * @returns {HTMLElement | null}
 */
function runsPager(filtered) {
  if (filtered <= RUNS_PAGE) return null;
  const at = Number(new URLSearchParams(location.search).get("at") ?? 0) || 0;
  /** @param {string} key @param {number} place @param {boolean} there */
  const step = (key, place, there) => there ? h("a", { href: here({ at: place > 0 ? String(place) : null }) }, t(key)) : h("span", { class: "dim" }, t(key));
  return h("nav", { class: "pager", "aria-label": t("page.pager") }, step("page.previous", at - RUNS_PAGE, at > 0),
    h("span", {}, t("page.place", { first: number(at + 1), last: number(Math.min(at + RUNS_PAGE, filtered)), of: number(filtered) })),
    step("page.next", at + RUNS_PAGE, at + RUNS_PAGE < filtered));
}
