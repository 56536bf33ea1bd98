// The list of cases: filters, order, columns, one page of rows at a time, and files of what is filtered.
import { casesPlace, changed, wellFormed } from "./address.js";
import { add, cut, download, fillWith, h, visible } from "./dom.js";
import { FIGURES, FILTERS, labelOf } from "./filters.js";
import { VERDICTS } from "./reviewing.js";
import { agentName, sign } from "./signs.js";
import { amount, labelTitle, metricTitle, number, share, t } from "./words.js";

/** @typedef {import("./app.js").Context} Context */
/** @typedef {import("./filters.js").CaseRow} CaseRow */

const PAGE = 50;
const OUTCOMES = ["passed", "passed_with_issues", "failed", "error", "timeout", "limit", "cancelled", "not_run"];
/** Digits behind the point. @type {Record<string, number>} */
const DIGITS = { calls: 2, cost: 4 };
const ANSWERS = ["right", "wrong", "ambiguous"];

/**
 * The columns that there are; those of agents and of labels are made of the run.
 * @param {any} run
 * @returns {string[]}
 */
function columnsOf(run) {
  const agents = run.agents.map((/** @type {any} */ agent) => "agent:" + agent.name);
  const labels = Object.keys(run.labels).map((name) => "label:" + name);
  return ["id", "input", ...labels, ...agents, "issues", "score", "latency", "calls", "tokens", "cost"];
}

/**
 * @param {Context} context
 * @returns {string[]}
 */
function shownColumns(context) {
  const all = columnsOf(context.run);
  const written = context.place.params.get("cols");
  if (written === null) return all.filter((name) => !["latency", "calls", "tokens", "cost", "score"].includes(name));
  const wanted = written.split("|").map(decodeURIComponent);
  return all.filter((name) => name === "id" || wanted.includes(name));
}

/**
 * @param {string} column
 * @returns {string}
 */
function columnTitle(column) {
  if (column === "id") return t("page.id");
  if (column === "input") return t("page.question");
  if (column === "issues") return t("column.issues");
  if (column.startsWith("agent:")) return column.slice(6);
  if (column.startsWith("label:")) return labelTitle(column.slice(6));
  return metricTitle(column);
}

/**
 * What a filter in the address is called.
 * @param {any} run
 * @param {string} name
 * @param {string} value
 * @returns {string}
 */
function filterText(run, name, value) {
  if (name === "outcome") return t("state." + value);
  if (name === "answer") return t("page.filter.answer") + ": " + t("answer." + value);
  if (name === "review") return t("page.filter.review") + ": " + t("page.review." + value);
  if (name === "q") return "“" + value + "”";
  if (name === "label") return labelTitle(value.slice(0, value.indexOf(":"))) + ": " + value.slice(value.indexOf(":") + 1);
  if (name === "set") return setText(run, value);
  if (name in FIGURES) {
    const [low = "", high = ""] = value.split("..");
    const shown = [low, high].map((end) => (end === "" ? "…" : amount(Number(end))));
    return metricTitle(name) + " " + shown.join(" – ");
  }
  return t("page.filter." + name) + ": " + value;
}

/**
 * @param {any} run
 * @param {string} name
 * @returns {string}
 */
function setText(run, name) {
  const parts = name.split("/").map(decodeURIComponent);
  const [kind, first = "", second = "", third = ""] = parts;
  if (kind === "pattern") {
    const text = run.patterns[Number(first)]?.text;
    return typeof text === "string" ? text : (text?.[document.documentElement.lang] ?? name);
  }
  if (kind === "change") return t("page.change." + first);
  if (kind === "confused") return t("page.set.confused", { agent: first || null, expected: second, called: third });
  return t("page.set.tool", { agent: first || null, tool: second, what: t("column." + third).toLowerCase() });
}

/**
 * Draw the list into its place.
 * @param {Context} context
 * @returns {HTMLElement}
 */
export function caseList(context) {
  const body = h("div", { class: "rows", "aria-live": "off" });
  const counts = h("p", { class: "counts", role: "status" });
  const made = h("section", { class: "cases", id: "cases", "aria-labelledby": "cases-title" });
  add(made, h("h2", { id: "cases-title", tabindex: "-1" }, t("section.cases")), filterBar(context), counts, body);
  context.filled = drawRows(context, counts, body);
  return made;
}

/**
 * @param {Context} context
 * @param {HTMLElement} counts
 * @param {HTMLElement} body
 */
async function drawRows(context, counts, body) {
  const { params } = context.place;
  const offset = Math.max(0, Number(params.get("at") ?? 0) || 0);
  const waiting = setTimeout(() => fillWith(counts, t("page.searching")), 300);
  const found = await context.source.cases({ params, offset, limit: PAGE });
  clearTimeout(waiting);
  const key = found.filtered === found.total ? "page.count.all" : "page.count";
  fillWith(counts, t(key, { filtered: found.filtered, total: found.total }), " ", ...chips(context));
  const columns = shownColumns(context);
  fillWith(body, found.rows.length ? table(context, columns, found.rows) : h("p", { class: "dim" }, t(found.total ? "page.nothing_fits" : "page.reading_cases")));
  add(body, pager(context, offset, found.filtered), tools(context, found.filtered));
  context.listed();
}

/**
 * The filters that are set, each with a way to take it away.
 * @param {Context} context
 * @returns {Node[]}
 */
function chips(context) {
  const made = [];
  for (const [name, value] of context.place.params) {
    if (!FILTERS.includes(name)) continue;
    const rest = new URLSearchParams([...context.place.params].filter(([a, b]) => a !== name || b !== value));
    rest.delete("at");
    const text = filterText(context.run, name, value);
    const href = context.addresses.href({ page: "cases", id: "", params: rest });
    made.push(h("a", { class: "chip", href, title: t("page.filter.remove") }, text, h("span", { "aria-hidden": "true" }, " ×")));
  }
  if (made.length > 1) {
    made.push(h("a", { class: "chip", href: context.addresses.href(casesPlace(context.place, "")) }, t("page.filter.clear")));
  }
  return made;
}

/**
 * @param {Context} context
 * @returns {HTMLElement}
 */
function filterBar(context) {
  const { run, place } = context;
  /** @param {string} name @param {string} value */
  const set = (name, value) => {
    const params = new URLSearchParams(place.params);
    params.delete("at");
    if (name === "label") {
      const key = value.slice(0, value.indexOf(":") + 1);
      const others = params.getAll("label").filter((one) => !one.startsWith(key));
      params.delete("label");
      for (const one of others) params.append("label", one);
      if (value !== key) params.append("label", value);
    } else {
      params.delete(name);
      if (value) params.set(name, value);
    }
    context.addresses.go({ page: "cases", id: "", params });
  };
  /** @param {string} name @param {string} title @param {[string, string][]} options @param {string} chosen */
  const choice = (name, title, options, chosen) => {
    const select = h("select", { "aria-label": title, onchange: (/** @type {Event} */ event) => {
      set(name, /** @type {HTMLSelectElement} */ (event.target).value);
    } });
    add(select, h("option", { value: name === "label" ? title + ":" : "" }, name === "label" ? labelTitle(title) : title));
    for (const [value, text] of options) add(select, h("option", { value, selected: value === chosen }, text));
    return select;
  };
  /** @param {string[]} values @param {(value: string) => string} [text] @returns {[string, string][]} */
  const pairs = (values, text = (value) => value) => values.map((value) => [value, text(value)]);
  const first = (/** @type {string} */ name) => place.params.get(name) ?? "";
  const find = h("input", {
    type: "search", id: "find", value: first("q"), placeholder: t("page.find"), "aria-label": t("page.find"),
    spellcheck: "false", autocomplete: "off",
  });
  const form = h("form", { class: "filters", role: "search", onsubmit: (/** @type {Event} */ event) => {
    event.preventDefault();
    set("q", /** @type {HTMLInputElement} */ (find).value.trim());
  } });
  const names = run.agents.map((/** @type {any} */ agent) => agent.name);
  add(
    form,
    find,
    h("button", { type: "submit" }, t("page.find.button")),
    names.length > 1 && choice("agent", t("column.agent"), pairs(names), first("agent")),
    ...Object.entries(run.labels).map(([key, values]) => {
      const own = place.params.getAll("label").find((one) => one.startsWith(key + ":")) ?? "";
      const options = pairs(/** @type {string[]} */ (values)).map(([value, text]) => [key + ":" + value, text]);
      return choice("label", key, /** @type {[string, string][]} */ (options), own);
    }),
    choice("outcome", t("column.result"), pairs(OUTCOMES, (value) => t("state." + value)), first("outcome")),
    run.called.length > 0 && choice("tool", t("column.tool"), pairs(run.called), first("tool")),
    run.issues.length > 0 && choice("issue", t("page.filter.issue"), pairs(run.issues, issueName), first("issue")),
    run.answers && choice("answer", t("page.filter.answer"), pairs(ANSWERS, (value) => t("answer." + value)), first("answer")),
    choice("review", t("page.filter.review"), pairs(VERDICTS, (value) => t("page.review." + value)), first("review")),
    rangeFilter(context, set),
  );
  return form;
}

/**
 * What a kind of issue is called in few words.
 * @param {string} kind
 * @returns {string}
 */
export function issueName(kind) {
  return t("page.issue." + kind);
}

/**
 * @param {Context} context
 * @param {(name: string, value: string) => void} set
 * @returns {HTMLElement}
 */
function rangeFilter(context, set) {
  const figure = h("select", { "aria-label": t("page.range.figure") });
  for (const name of Object.keys(FIGURES)) add(figure, h("option", { value: name }, metricTitle(name)));
  const low = h("input", { type: "number", step: "any", "aria-label": t("page.range.low"), placeholder: "≥" });
  const high = h("input", { type: "number", step: "any", "aria-label": t("page.range.high"), placeholder: "≤" });
  const written = [low, high].map((one) => /** @type {HTMLInputElement} */ (one));
  const apply = h("button", { type: "button", onclick: () => {
    const [from, to] = written.map((one) => one.value);
    set(/** @type {HTMLSelectElement} */ (figure).value, from || to ? `${from}..${to}` : "");
  } }, t("page.range.apply"));
  return h("details", { class: "menu" }, h("summary", {}, t("page.range")), h("div", { class: "range" }, figure, low, high, apply));
}

/**
 * @param {Context} context
 * @param {string[]} columns
 * @param {CaseRow[]} rows
 * @returns {HTMLElement}
 */
function table(context, columns, rows) {
  const order = context.place.params.get("sort") ?? "";
  const { agents, trials } = context.run;
  const several = agents.length > 1 || trials > 1;
  const head = h("tr", { "data-label": t("page.sort.by") });
  for (const column of columns) {
    const sorted = order === column ? "ascending" : order === "-" + column ? "descending" : "none";
    const next = sorted === "none" ? column : sorted === "ascending" ? "-" + column : null;
    const place = changed({ ...context.place, page: "cases", id: "" }, { sort: next, at: null });
    const title = column.startsWith("agent:") ? agentName(column.slice(6)) : several && column in FIGURES ? t("page.mean", { title: columnTitle(column) }) : columnTitle(column);
    const arrow = sorted === "none" ? "" : sorted === "ascending" ? " ↑" : " ↓";
    const link = h("a", { href: context.addresses.href(place), title: t("page.sort") }, title, h("span", { "aria-hidden": "true" }, arrow));
    add(head, h("th", { scope: "col", "aria-sort": sorted, class: column in FIGURES ? "num" : null }, link));
  }
  const body = h("tbody");
  for (const row of rows) add(body, line(context, columns, row));
  return h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": t("section.cases") },
    h("table", { class: "list" }, h("thead", {}, head), body));
}

/**
 * The address of a case, with the filters that it was found by.
 * @param {Context} context
 * @param {string} id
 * @returns {string}
 */
export function caseHref(context, id) {
  const params = new URLSearchParams(context.place.params);
  for (const name of ["at", "a", "b", "show"]) params.delete(name);
  return context.addresses.href({ page: "case", id, params });
}

/**
 * @param {Context} context
 * @param {string[]} columns
 * @param {CaseRow} row
 * @returns {HTMLElement}
 */
function line(context, columns, row) {
  const made = h("tr");
  for (const column of columns) add(made, cell(context, column, row));
  return made;
}

/**
 * @param {Context} context
 * @param {string} column
 * @param {CaseRow} row
 * @returns {HTMLElement}
 */
function cell(context, column, row) {
  if (column === "id") {
    return h("th", { scope: "row" }, h("a", { class: "case-link", href: caseHref(context, row.id) }, h("bdi", {}, row.id)));
  }
  if (column === "input") return h("td", { class: "question" }, h("bdi", {}, cut(row.input, 240)));
  if (column.startsWith("label:")) {
    const value = labelOf(row, column.slice(6));
    return h("td", { class: "label" }, value !== "" && h("bdi", {}, cut(value, 60)));
  }
  if (column.startsWith("agent:")) {
    const own = row.results.filter((result) => result.agent === column.slice(6));
    return h("td", { class: "signs", "data-label": visible(cut(column.slice(6), 20)) }, own.length ? trialSigns(own) : sign("not_run"));
  }
  if (column === "issues") {
    const kinds = [...new Set(row.results.flatMap((result) => result.issues))];
    return h("td", { class: "quiet" }, kinds.map(issueName).join(", "));
  }
  const values = row.results.map((result) => FIGURES[column]?.(result) ?? null).filter((value) => value !== null);
  const mean = values.length ? values.reduce((sum, value) => sum + value, 0) / values.length : null;
  return h("td", { class: "num", "data-label": columnTitle(column) }, column === "score" ? share(mean) : mean === null ? t("none") : number(mean, DIGITS[column] ?? 0));
}

/**
 * The trials of an agent on a case as signs, and how many passed where there are several.
 * @param {import("./filters.js").Result[]} results
 * @returns {Node[]}
 */
export function trialSigns(results) {
  const shown = results.slice(0, 10).map((result) => sign(result.outcome));
  if (results.length < 2) return shown;
  const passed = results.filter((result) => result.passed).length;
  return [...shown, h("span", { class: "quiet" }, ` ${passed}/${results.length}`)];
}

/**
 * @param {Context} context
 * @param {number} offset
 * @param {number} filtered
 * @returns {HTMLElement | null}
 */
function pager(context, offset, filtered) {
  if (filtered <= PAGE) return null;
  /** @param {string} key @param {number} at @param {boolean} there */
  const step = (key, at, there) => {
    if (!there) return h("span", { class: "dim" }, t(key));
    const place = changed({ ...context.place, page: "cases", id: "" }, { at: at > 0 ? String(at) : null });
    return h("a", { href: context.addresses.href(place) }, t(key));
  };
  const last = Math.min(offset + PAGE, filtered);
  return h("nav", { class: "pager", "aria-label": t("page.pager") },
    step("page.previous", offset - PAGE, offset > 0),
    h("span", {}, t("page.place", { first: number(offset + 1), last: number(last), of: number(filtered) })),
    step("page.next", offset + PAGE, last < filtered));
}

/**
 * @param {Context} context
 * @param {number} filtered
 * @returns {HTMLElement}
 */
function tools(context, filtered) {
  const shown = shownColumns(context);
  const choices = columnsOf(context.run).filter((name) => name !== "id").map((name) => {
    const box = h("input", { type: "checkbox", checked: shown.includes(name), onchange: () => {
      const now = shown.includes(name) ? shown.filter((one) => one !== name) : [...shown, name];
      const cols = now.map((one) => encodeURIComponent(wellFormed(one))).join("|");
      context.addresses.go(changed({ ...context.place, page: "cases", id: "" }, { cols }));
    } });
    return h("label", {}, box, " ", columnTitle(name));
  });
  const everything = () => context.source.cases({ params: context.place.params, offset: 0, limit: filtered });
  const save = (/** @type {string} */ kind) => async () => {
    const { rows } = await everything();
    if (kind === "csv") download("cases.csv", "text/csv", csvOf(rows));
    else download("cases.jsonl", "application/x-ndjson", rows.map((row) => JSON.stringify(row) + "\n").join(""));
  };
  /** @param {string} kind @param {string} title */
  const file = (kind, title) => {
    const href = context.source.files?.(kind, context.place.params);
    return href ? h("a", { class: "button", href, download: true }, title) : h("button", { type: "button", onclick: save(kind) }, title);
  };
  return h("div", { class: "toolbar" },
    h("details", { class: "menu" }, h("summary", {}, t("page.columns")), h("div", { class: "checks" }, choices)),
    file("csv", "CSV"), file("jsonl", "JSONL"));
}

const FORMULA =
  /^[\u0000-\u0020\u007f-\u00a0\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3000\ufe00-\ufe0f\ufeff]*[=+\-@\t\r\n＝＋－＠]/;

/**
 * A row per case, agent and trial. What a spreadsheet could take for a formula gets a leading apostrophe.
 * @param {CaseRow[]} rows
 * @returns {string}
 */
export function csvOf(rows) {
  const names = ["agent", "trial", "state", "outcome", "passed", "score", "answer", "issues", "tools"];
  const figures = ["latency_ms", "calls", "tokens", "cost"];
  /** @param {any} value */
  const written = (value) => {
    const text = Array.isArray(value) ? value.join(" ") : value === null || value === undefined ? "" : String(value);
    const safe = typeof value !== "number" && FORMULA.test(text) ? "'" + text : text;
    return /[",\n\r]/.test(safe) ? '"' + safe.replaceAll('"', '""') + '"' : safe;
  };
  const lines = [["id", "input", "labels", ...names, ...figures].join(",")];
  for (const row of rows) {
    const labels = Object.entries(row.labels).map(([key, value]) => `${key}=${value}`).join("; ");
    for (const result of row.results) {
      const values = [...names, ...figures].map((name) => written(Reflect.get(result, name)));
      lines.push([written(row.id), written(row.input), written(labels), ...values].join(","));
    }
  }
  return lines.join("\n") + "\n";
}
