// The page of a case: the question, expected calls beside actual ones line by line, the answer, and where agents part.

import { changed } from "./address.js";
import { callText, MARKS, MAX_VALUE, timeBar, trajectoryKey } from "./calls.js";
import { issueName, trialSigns } from "./caselist.js";
import { add, cut, fillWith, h } from "./dom.js";
import { partSection } from "./parting.js";
import { reviewForm } from "./reviewing.js";
import { agentName, sign } from "./signs.js";
import { turnsSection } from "./turns.js";
import { amount, labelTitle, number, said, share, t } from "./words.js";

/** @typedef {import("./app.js").Context} Context */

const MAX_LINES = 200;

/**
 * @param {Context} context
 * @param {any} page
 * @returns {(HTMLElement | null)[]}
 */
export function casePage(context, page) {
  const { params } = context.place;
  const shown = page.trajectories.length ? chosen(page, params.get("show")) : null;
  return [
    questionSection(page),
    trialsSection(context, page, shown),
    shown && alignedSection(page, shown),
    shown && answerSection(page, shown),
    shown && reviewForm(context, page, shown),
    page.trajectories.length > 1 ? partSection(context, page, shown) : null,
    page.trajectories.length > 1 ? agentsSection(context, page) : null,
    shown && turnsSection(shown),
    shown && rawSection(page, shown),
  ];
}

/**
 * The trajectory that is shown: the one in the address, or else the first that did not pass.
 * @param {any} page
 * @param {string | null} key
 * @returns {any}
 */
function chosen(page, key) {
  const named = page.trajectories.find((/** @type {any} */ one) => trajectoryKey(one) === key);
  return named ?? page.trajectories.find((/** @type {any} */ one) => !one.passed) ?? page.trajectories[0];
}

/**
 * @param {any} page
 * @returns {HTMLElement}
 */
function questionSection(page) {
  const labels = Object.entries(page.row.labels);
  return h("section", { class: "question", "aria-label": t("page.question") },
    h("p", { class: "lead" }, h("bdi", {}, page.row.input)),
    labels.length > 0 && h("p", { class: "quiet" }, labels.map(([name, value]) => `${labelTitle(name)}: ${value}`).join(" · ")));
}

/**
 * All trials of the case: per agent its signs, each a way to what was done.
 * @param {Context} context
 * @param {any} page
 * @param {any} shown
 * @returns {HTMLElement}
 */
function trialsSection(context, page, shown) {
  const list = h("ul", { class: "trials" });
  for (const agent of context.run.agents) {
    const own = page.trajectories.filter((/** @type {any} */ one) => one.agent === agent.name);
    if (!own.length) continue;
    const passed = own.filter((/** @type {any} */ one) => one.passed).length;
    const links = own.map((/** @type {any} */ one) => {
      const place = changed(context.place, { show: trajectoryKey(one) });
      const current = one === shown ? "true" : null;
      const label = `${one.agent}, ${t("page.trial", { trial: one.trial })}: ${t("state." + one.outcome)}`;
      return h("a", { href: context.addresses.href(place), "aria-current": current, "aria-label": label }, sign(one.outcome));
    });
    const rate = own.length > 1 ? t("page.passed_of", { passed, of: own.length }) : t("state." + own[0].outcome);
    add(list, h("li", {}, agentName(agent.name), " ", links, " ", h("span", { class: "quiet" }, rate)));
  }
  return h("section", { class: "trials", "aria-label": t("page.trials") }, list,
    page.trajectories.length === 0 && h("p", {}, t("page.not_seen")));
}

/**
 * An expected call in words, with marks for the arguments that do not fit.
 * @param {any} expected
 * @param {number} [times]
 * @returns {HTMLElement}
 */
function expectedText(expected, times) {
  const made = h("span", { class: "call" }, h("b", {}, h("bdi", {}, expected.tool)), times && times > 1 ? ` ×${times}` : "");
  for (const argument of expected.args) {
    add(made, " ", h("span", { class: "arg" }, h("span", { class: "name" }, argument.name, argument.may ? "?=" : "="), h("bdi", {}, cut(said(argument.want), MAX_VALUE))));
  }
  if (expected.without.length) add(made, " ", h("span", { class: "quiet" }, t("page.without", { names: expected.without.join(", ") })));
  if (expected.optional) add(made, " ", h("span", { class: "quiet" }, t("page.optional")));
  return made;
}

/**
 * @param {any} page
 * @param {any} shown
 * @returns {HTMLElement}
 */
function alignedSection(page, shown) {
  const calls = shown.raw.calls ?? [];
  const plan = page.expect.plans[shown.plan] ?? page.expect.plans[0] ?? [];
  const longest = Math.max(1, ...calls.slice(0, 5000).map((/** @type {any} */ call) => call.duration_ms ?? 0));
  const timed = calls.some((/** @type {any} */ call) => call.duration_ms !== undefined && call.duration_ms !== null);
  const body = h("tbody");
  /** @param {any} line */
  const row = (line) => {
    const [mark, tone] = MARKS[line.kind] ?? ["?", "warn"];
    const call = line.call === null ? null : calls[line.call];
    const expected = line.expected === null ? null : plan[line.expected];
    const word = t("page.line." + line.kind);
    return h("tr", { class: "line " + line.kind },
      h("td", { class: "expected", "data-label": expected ? t("column.expected") : null }, expected && expectedText(expected, line.times)),
      h("td", { class: "mark " + tone }, h("span", { role: "img", "aria-label": word, title: word }, mark)),
      h("td", { class: "actual", "data-label": call ? t("column.actual") : null }, call && [h("span", { class: "quiet" }, `${line.call + 1} `), callText(call, line)],
        line.kind !== "matched" && h("span", { class: "word " + tone }, call ? " · " : "", word)),
      timed && h("td", { class: "time" }, call?.duration_ms !== undefined && call?.duration_ms !== null && timeBar(call.duration_ms, longest)));
  };
  for (const line of shown.lines.slice(0, MAX_LINES)) add(body, row(line));
  if (!shown.lines.length) {
    const key = !page.expect.says_tools ? "page.unsaid" : "page.no_tool";
    add(body, h("tr", {}, h("td", { class: "quiet" }, t(key)), h("td"), h("td", { class: "quiet" }, t("page.no_calls")), timed && h("td")));
  }
  const rest = shown.lines.length - MAX_LINES;
  const more = rest > 0 && h("button", { type: "button", onclick: (/** @type {Event} */ event) => {
    const start = body.childElementCount;
    for (const line of shown.lines.slice(start, start + MAX_LINES)) add(body, row(line));
    if (body.childElementCount >= shown.lines.length) /** @type {HTMLElement} */ (event.target).remove();
  } }, t("page.more_lines", { number: rest }));
  const several = page.trajectories.some((/** @type {any} */ one) => one !== shown && one.agent === shown.agent);
  const title = [agentName(shown.agent), several && ` · ${t("page.trial", { trial: shown.trial })}`, " ", sign(shown.outcome), " ",
    h("span", { class: "quiet" }, t("state." + shown.outcome), shown.score === null ? "" : ` · ${t("page.score", { score: share(shown.score) })}`,
      shown.raw.latency_ms === undefined ? "" : ` · ${amount(shown.raw.latency_ms)} ms`)];
  return h("section", { class: "aligned", "aria-labelledby": "aligned-title" }, h("h2", { id: "aligned-title" }, title),
    h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": t("page.aligned") },
      h("table", { class: "aligned" },
        h("thead", {}, h("tr", {}, h("th", { scope: "col" }, t("column.expected")), h("th", { scope: "col" }, h("span", { class: "sr" }, t("column.mark"))),
          h("th", { scope: "col" }, t("column.actual")), timed && h("th", { scope: "col" }, t("page.time")))), body)),
    more || null, constraints(page), issuesList(shown));
}

/**
 * What else the case asks for.
 * @param {any} page
 * @returns {HTMLElement | null}
 */
function constraints(page) {
  const { expect } = page;
  const parts = [
    expect.order === "strict" ? t("page.expect.strict") : "",
    expect.extra === "forbid" ? t("page.expect.forbid_extra") : expect.extra === "allow" ? t("page.expect.allow_extra") : "",
    expect.neutral.length ? t("page.expect.neutral", { names: expect.neutral.join(", ") }) : "",
    expect.forbid.length ? t("page.expect.forbid", { names: expect.forbid.join(", ") }) : "",
    expect.plans.length > 1 ? t("page.expect.plans", { number: expect.plans.length }) : "",
  ].filter(Boolean);
  return parts.length ? h("p", { class: "quiet" }, parts.join(" · ")) : null;
}

/**
 * @param {any} shown
 * @returns {HTMLElement | null}
 */
function issuesList(shown) {
  if (!shown.issues.length) return null;
  const order = [...shown.issues].sort((a, b) => Number(b.failing) - Number(a.failing));
  return h("ul", { class: "issues" }, order.map((issue) =>
    h("li", { class: issue.failing ? "failing" : "note" },
      h("span", { class: issue.failing ? "sign bad" : "sign warn", "aria-hidden": "true" }, issue.failing ? "✗" : "!"), " ",
      h("span", { class: "kind" }, issueName(issue.kind)), " ", h("bdi", {}, said(issue.message)))),
  shown.more_issues > 0 && h("li", { class: "quiet" }, t("more", { number: shown.more_issues })));
}

/**
 * The answer with what was looked for in it, marked where it stands.
 * @param {any} page
 * @param {any} shown
 * @returns {HTMLElement}
 */
function answerSection(page, shown) {
  const output = shown.raw.output ?? "";
  const wanted = [...page.expect.contains, shown.answer?.chosen?.words, foundText(shown.answer?.found)].filter(Boolean);
  const verdict = shown.answer?.verdict;
  const missing = page.expect.contains.filter((/** @type {string} */ text) => !output.normalize("NFC").toLowerCase().includes(text.normalize("NFC").toLowerCase()));
  return h("section", { class: "answer", "aria-labelledby": "answer-title" }, h("h2", { id: "answer-title" }, t("page.answer")),
    output ? h("blockquote", {}, h("bdi", {}, marked(cut(output, 20000), wanted))) : h("p", { class: "quiet" }, t("page.no_output")),
    shown.raw.error && h("p", { class: "error" }, cut(shown.raw.error, 2000)),
    shown.answer && h("p", {}, verdict ? sign(verdict, t("answer." + verdict)) : null, " ", said(shown.answer.text)),
    missing.length > 0 && h("p", { class: "bad" }, t("page.lacks", { texts: missing.map((/** @type {string} */ text) => `“${text}”`).join(", ") })),
    Object.entries(shown.outcomes ?? {}).map(([name, one]) => h("p", { class: "quiet" }, `${name}: ${one.value === null ? t("none") : share(one.value)}${one.reason ? ` (${one.reason})` : ""}`)));
}

/**
 * @param {any} found
 * @returns {string | null}
 */
function foundText(found) {
  return typeof found === "string" ? found : typeof found === "number" ? String(found) : null;
}

/**
 * A text with the places of some texts marked; found without regard to case.
 * @param {string} text
 * @param {string[]} wanted
 * @returns {(string | HTMLElement)[]}
 */
function marked(text, wanted) {
  const lower = text.toLowerCase();
  if (lower.length !== text.length) return [text];
  /** @type {[number, number][]} */
  const places = [];
  for (const one of wanted) {
    for (let at = lower.indexOf(one.toLowerCase()); at >= 0 && places.length < 50; at = lower.indexOf(one.toLowerCase(), at + one.length)) {
      places.push([at, at + one.length]);
    }
  }
  places.sort((a, b) => a[0] - b[0]);
  /** @type {(string | HTMLElement)[]} */
  const parts = [];
  let done = 0;
  for (const [start, end] of places) {
    if (start < done) continue;
    parts.push(text.slice(done, start), h("mark", {}, text.slice(start, end)));
    done = end;
  }
  return [...parts, text.slice(done)];
}

/**
 * What every agent did, side by side: the trial that is shown, or else its first.
 * @param {Context} context
 * @param {any} page
 * @returns {HTMLElement}
 */
function agentsSection(context, page) {
  const key = context.place.params.get("show");
  const columns = context.run.agents.map((/** @type {any} */ agent) => {
    const own = page.trajectories.filter((/** @type {any} */ one) => one.agent === agent.name);
    return own.find((/** @type {any} */ one) => trajectoryKey(one) === key) ?? own[0];
  }).filter(Boolean);
  const made = h("div", { class: "columns" }, columns.map((/** @type {any} */ one) => {
    const results = page.row.results.filter((/** @type {any} */ result) => result.agent === one.agent);
    const calls = one.raw.calls ?? [];
    const kinds = new Map(one.lines.filter((/** @type {any} */ line) => line.call !== null).map((/** @type {any} */ line) => [line.call, line]));
    const place = changed(context.place, { show: trajectoryKey(one) });
    return h("div", { class: "column" },
      h("h3", {}, h("a", { href: context.addresses.href(place) }, agentName(one.agent)), " ", trialSigns(results)),
      h("ol", {}, calls.slice(0, 30).map((/** @type {any} */ call, /** @type {number} */ index) => {
        const line = /** @type {any} */ (kinds.get(index));
        const [mark, tone] = MARKS[line?.kind] ?? ["·", "dim"];
        return h("li", {}, h("span", { class: "sign " + tone, role: "img", "aria-label": t("page.line." + (line?.kind ?? "neutral")) }, mark), " ", callText(call, line));
      }), calls.length > 30 && h("li", { class: "quiet" }, t("more", { number: calls.length - 30 }))),
      calls.length === 0 && h("p", { class: "quiet" }, t("page.no_calls")),
      h("p", { class: "quiet output" }, h("bdi", {}, cut(one.raw.output ?? "", 300))));
  }));
  return h("section", { class: "beside", "aria-labelledby": "beside-title" }, h("h2", { id: "beside-title" }, t("page.beside")), made);
}

/**
 * The trajectory as it is kept, to be copied.
 * @param {any} page
 * @param {any} shown
 * @returns {HTMLElement}
 */
function rawSection(page, shown) {
  const pre = h("pre", { tabindex: "0" });
  const copied = h("span", { class: "quiet", role: "status" });
  const whole = () => JSON.stringify({ ...shown.raw, case: page.row.id }, null, 2);
  const made = h("details", { class: "raw", ontoggle: () => {
    if (!pre.hasChildNodes()) add(pre, cut(whole(), 200000));
  } }, h("summary", {}, t("page.raw")),
  h("button", { type: "button", onclick: async () => {
    await navigator.clipboard?.writeText(whole());
    fillWith(copied, t("page.copied"));
  } }, t("page.copy")), " ", copied,
  Object.keys(shown.cut).length > 0 && h("p", { class: "quiet" }, t("page.cut", { number: number(Object.keys(shown.cut).length) })), pre);
  return made;
}
