// Puts the pages together: reads the address, asks the source, draws, and listens to keys.

import { changed } from "./address.js";
import { casePage } from "./casepage.js";
import { caseHref } from "./caselist.js";
import { add, fillWith, h } from "./dom.js";
import { isBusy, keepingPlace } from "./keeping.js";
import { redrawCases, runPage } from "./runpage.js";
import { setAgents } from "./signs.js";
import { language, number, said, t, utc } from "./words.js";

/**
 * @typedef {object} Context
 * @property {import("./source.js").Source} source
 * @property {import("./address.js").Addresses} addresses
 * @property {import("./address.js").Place} place
 * @property {any} run
 * @property {import("./source.js").Review[]} reviews
 * @property {() => Promise<void>} redraw
 * @property {Promise<void>} [filled] When the rows of the list are there.
 * @property {() => void} listed What is done when the rows of the list are there.
 */

/**
 * @param {import("./source.js").Source} source
 * @param {import("./address.js").Addresses} addresses
 */
export async function start(source, addresses) {
  language.texts = source.words;
  const opened = document.documentElement.lang;
  let run = await source.run();
  setAgents(run.agents);
  const main = /** @type {HTMLElement} */ (document.querySelector("main"));
  const header = /** @type {HTMLElement} */ (document.querySelector("header"));
  let drawn = 0;
  let previous = "";
  let before = "";
  let shown = "";
  const left = leavings();

  /** Whether there is something new that was not drawn, because somebody was typing. */
  let waiting = false;

  /** @param {boolean} [moved] @param {boolean} [unasked] */
  const draw = async (moved = true, unasked = false) => {
    const turn = ++drawn;
    const back = left();
    const place = placeOf(run, addresses);
    language.lang = place.params.get("lang") ?? opened;
    if (!(language.lang in language.texts)) language.lang = "en";
    document.documentElement.lang = language.lang;
    const reviews = await source.reviews();
    /** @type {Context} */
    const context = { source, addresses, place, run, reviews, redraw: () => draw(false), listed: () => undefined };
    if (moved && place.page === "cases" && previous !== "cases") {
      context.listed = () => document.getElementById("cases-title")?.scrollIntoView();
    }
    const page = place.page === "case" ? await source.case(place.id) : null;
    const beside = page ? await source.neighbours(place.id, filtersOf(place)) : null;
    if (turn !== drawn) return;
    const onlyCases = !unasked && place.page === "cases" && previous !== "case" && shown === viewOf(place);
    const parts = onlyCases ? [] : place.page !== "case" ? [runTitle(context), ...runPage(context)]
      : page ? [caseTitle(context, page, beside), ...casePage(context, page)] : missingCase(context, place.id);
    // What nobody asked for is put into its place only when all of it is there.
    if (unasked) await context.filled;
    waiting = unasked && isBusy();
    if (waiting || turn !== drawn) return;
    fillWith(header, headerParts(context, page));
    drawFooter();
    if (onlyCases) redrawCases(context, main);
    else if (unasked) keepingPlace(main, () => fillWith(main, ...parts));
    else fillWith(main, ...parts);
    shown = page ? "" : viewOf(place);
    document.title = (page ? page.row.id + " · " : "") + said(run.title);
    if (moved) arrive(place, previous, before);
    [previous, before] = [place.page, place.id];
    if (moved && back !== undefined) {
      await context.filled;
      scrollTo({ top: back, behavior: "instant" });
    }
  };

  addresses.listen(() => void draw());
  document.querySelector(".skip")?.addEventListener("click", () => {
    /** @type {HTMLElement | null} */ (main.querySelector("h1"))?.focus();
  });
  document.addEventListener("keydown", (event) => keys(event, addresses));
  await draw();
  source.prepare();
  const renew = async () => {
    run = await source.run();
    setAgents(run.agents);
    await draw(false, true);
  };
  source.listen?.((name, progress) => {
    tellProgress(name, progress);
    const same = progress.version === run.version && name !== "progress";
    if (name !== "removed" && name !== "lost" && !same) void renew().catch(() => tellProgress("lost", {}));
  });
  main.addEventListener("focusout", () => {
    if (waiting) void renew().catch(() => tellProgress("lost", {}));
  });
}

/**
 * @param {Context} context
 * @param {string} id
 * @returns {HTMLElement[]}
 */
function missingCase({ addresses, place }, id) {
  const list = addresses.href({ page: "cases", id: "", params: filtersOf(place) });
  return [h("div", { class: "title" }, h("h1", { tabindex: "-1" }, h("bdi", {}, id))),
    h("p", {}, t("page.no_case", { id }), " ", h("a", { href: list }, t("section.cases")))];
}

/**
 * Remembers how far down every page was left, for those who go back to it.
 * @returns {() => number | undefined} How far down it was, once, where the browser went back or forth.
 */
function leavings() {
  /** @type {Map<string, number>} */
  const places = new Map();
  /** @type {number | undefined} */
  let back;
  Reflect.get(globalThis, "navigation")?.addEventListener("navigate", (/** @type {any} */ event) => {
    places.set(location.href, scrollY);
    back = event.navigationType === "traverse" ? places.get(event.destination.url) : undefined;
  });
  return () => {
    const found = back;
    back = undefined;
    return found;
  };
}

/**
 * Where one is; a file of one case has no other page.
 * @param {any} run
 * @param {import("./address.js").Addresses} addresses
 * @returns {import("./address.js").Place}
 */
function placeOf(run, addresses) {
  const place = addresses.read();
  return run.only === undefined ? place : { ...place, page: "case", id: run.only };
}

/**
 * Say how far a run is that is being written.
 * @param {string} name
 * @param {any} progress
 */
function tellProgress(name, progress) {
  const line = document.querySelector(".live");
  if (!line) return;
  const { live, finished, planned, passed, read, failed } = progress;
  if (name === "removed" || name === "lost") fillWith(line, t("page.live." + name));
  else if (failed) fillWith(line, failed);
  else if (live) fillWith(line, t("page.live.running", { finished, planned, passed }));
  else if (name === "done") fillWith(line);
  else fillWith(line, t("page.live.read", { read, finished }));
}

/**
 * @param {import("./address.js").Place} place
 * @returns {URLSearchParams}
 */
function filtersOf(place) {
  const params = new URLSearchParams(place.params);
  for (const name of ["show", "a", "b"]) params.delete(name);
  return params;
}

/**
 * What all but the list of cases depends on.
 * @param {import("./address.js").Place} place
 * @returns {string}
 */
function viewOf(place) {
  return JSON.stringify([language.lang, place.params.get("by")]);
}

/**
 * Where the eye and the keyboard are after a page was drawn.
 * @param {import("./address.js").Place} place
 * @param {string} previous The page before, and what it was about.
 * @param {string} before
 */
function arrive(place, previous, before) {
  if (place.page === "cases") {
    const title = document.getElementById("cases-title");
    if (previous) title?.focus({ preventScroll: true });
  } else if (previous && (previous !== place.page || before !== place.id)) {
    scrollTo(0, 0);
    /** @type {HTMLElement | null} */ (document.querySelector("main h1"))?.focus({ preventScroll: true });
  }
}

/**
 * The line above every page: where one is, the languages, and light or dark.
 * @param {Context} context
 * @param {any} page
 * @returns {HTMLElement[]}
 */
function headerParts(context, page) {
  const { run, place, addresses } = context;
  const home = addresses.href({ page: "run", id: "", params: new URLSearchParams(place.params.get("lang") ? { lang: place.params.get("lang") ?? "" } : {}) });
  if (run.only !== undefined) {
    const whose = h("span", { class: "crumbs" }, h("bdi", {}, run.name ?? run.suite.name));
    return [whose, settings((lang) => addresses.href(changed(place, { lang })))];
  }
  const list = addresses.href({ page: "cases", id: "", params: filtersOf(place) });
  const crumbs = h("nav", { class: "crumbs", "aria-label": t("page.crumbs") },
    context.source.listen && h("a", { href: "/" + (place.params.get("lang") ? "?lang=" + place.params.get("lang") : "") }, t("page.runs")),
    h("a", { href: home }, h("bdi", {}, run.name ?? run.suite.name)), page && h("a", { href: list }, t("section.cases")));
  return [crumbs, settings((lang) => addresses.href(changed(place, { lang })))];
}

/**
 * The languages, and light or dark.
 * @param {(lang: string) => string} href
 * @returns {HTMLElement}
 */
export function settings(href) {
  const languages = h("span", { class: "languages", role: "group", "aria-label": t("page.language") },
    Object.keys(language.texts).map((lang) => h("a", { href: href(lang), lang, "aria-current": lang === language.lang ? "true" : null }, lang)));
  const dark = h("button", { type: "button", class: "theme", "aria-label": t("page.theme"), title: t("page.theme"), onclick: switchTheme }, isDark() ? "☀" : "☾");
  return h("span", { class: "settings" }, languages, dark);
}

/** The line below every page, in the language that was chosen. */
export function drawFooter() {
  const line = /** @type {HTMLElement | null} */ (document.querySelector("footer p[data-version]"));
  if (line) fillWith(line, t("page.footer", { version: line.dataset.version }));
}

/** @returns {boolean} */
function isDark() {
  const { theme } = document.documentElement.dataset;
  return theme ? theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

const THEME = "toolgauge.theme";

/** Light or dark as it was chosen last, on whichever page. */
export function recallTheme() {
  try {
    const chosen = localStorage.getItem(THEME);
    if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
  } catch {
    // Where nothing may be kept, it lasts as long as the page.
  }
}

/** @param {Event} event */
function switchTheme(event) {
  const theme = isDark() ? "light" : "dark";
  document.documentElement.dataset.theme = theme;
  try {
    localStorage.setItem(THEME, theme);
  } catch {
    // As above.
  }
  fillWith(/** @type {HTMLElement} */ (event.currentTarget), isDark() ? "☀" : "☾");
}

/**
 * @param {Context} context
 * @returns {HTMLElement}
 */
function runTitle({ run }) {
  const facts = [
    t("page.facts", { cases: number(run.suite.cases), agents: number(run.differences?.agents ?? run.agents.length), trials: run.trials > 1 ? number(run.trials) : null }),
    run.model ? String(run.model) : "",
    run.created ? utc(String(run.created)) + " UTC" : "",
  ].filter(Boolean);
  return h("div", { class: "title" }, h("h1", { id: "title", tabindex: "-1" }, h("bdi", {}, run.suite.name)),
    h("p", { class: "quiet" }, h("bdi", {}, facts.join(" · "))));
}

/**
 * @param {Context} context
 * @param {any} page
 * @param {any} beside
 * @returns {HTMLElement}
 */
function caseTitle(context, page, beside) {
  /** @param {string | null} id @param {string} key @param {string} rel */
  const step = (id, key, rel) => id === null ? h("span", { class: "dim" }, t(key)) : h("a", { rel, href: caseHref(context, id) }, t(key));
  if (beside.of < 2) return h("div", { class: "title case" }, h("h1", { tabindex: "-1" }, h("bdi", {}, page.row.id)));
  const place = beside.at < 0 ? "" : t("page.place.one", { at: number(beside.at + 1), of: number(beside.of) });
  return h("div", { class: "title case" }, h("h1", { tabindex: "-1" }, h("bdi", {}, page.row.id)),
    h("nav", { class: "steps", "aria-label": t("page.pager") }, step(beside.before, "page.previous", "prev"), h("span", { class: "quiet" }, place), step(beside.after, "page.next", "next")));
}

/**
 * j and k step through cases, / finds, 1 to 3 review, u goes up to the list.
 * @param {KeyboardEvent} event
 * @param {import("./address.js").Addresses} addresses
 */
function keys(event, addresses) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const target = /** @type {HTMLElement} */ (event.target);
  if (/^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) {
    if (event.key === "Escape") target.blur();
    return;
  }
  /** @param {string} selector */
  const press = (selector) => /** @type {HTMLElement | null} */ (document.querySelector(selector))?.click();
  if (event.key === "j") press('a[rel="next"]');
  else if (event.key === "k") press('a[rel="prev"]');
  else if (event.key === "u" && addresses.read().page === "case") addresses.go({ page: "cases", id: "", params: filtersOf(addresses.read()) });
  else if (event.key === "/") {
    const find = document.getElementById("find");
    if (find) find.focus();
    else addresses.go({ page: "cases", id: "", params: filtersOf(addresses.read()) });
    event.preventDefault();
  } else if ("123".includes(event.key)) press(`.review [aria-keyshortcuts="${event.key}"]`);
}
