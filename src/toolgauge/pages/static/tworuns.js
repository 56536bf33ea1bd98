// Two runs: what broke, what was fixed, what is flaky anyway, and in what the runs differ.

import { cut, h, section } from "./dom.js";
import { agentName } from "./signs.js";
import { language, t } from "./words.js";

/** @typedef {import("./app.js").Context} Context */

const KINDS = ["broken", "fixed", "flaky", "unchanged"];
const SHOWN = 25;

/**
 * @param {Context} context
 * @returns {HTMLElement}
 */
export function changesSection(context) {
  const found = context.run.differences;
  const differs = found.differs[language.lang] ?? [];
  const tables = KINDS.filter((kind) => found.cases[kind].length).map((kind) => changesTable(context, kind, found.cases[kind]));
  return section("changes", t("page.changes", { first: found.first, second: found.second }),
    h("p", { class: "quiet" }, differs.length ? t("page.differs", { parts: differs.join("; ") }) : t("page.differs.nothing")),
    tables);
}

/**
 * @param {Context} context
 * @param {string} kind
 * @param {any[]} entries
 * @returns {HTMLElement}
 */
function changesTable(context, kind, entries) {
  const body = h("tbody");
  const { first, second } = context.run.differences;
  /** @param {any} entry */
  const row = (entry) => {
    const params = new URLSearchParams(context.place.params);
    params.set("show", entry.after);
    params.set("a", entry.before);
    params.set("b", entry.after);
    const href = context.addresses.href({ page: "case", id: entry.case, params });
    return h("tr", {}, h("th", { scope: "row" }, h("a", { class: "case-link", href }, h("bdi", {}, entry.case))),
      h("td", { class: "question" }, h("bdi", {}, cut(entry.input, 160))), h("td", {}, agentName(entry.agent)),
      h("td", { class: "num", "data-label": first }, `${entry.first[0]}/${entry.first[1]}`),
      h("td", { class: "num", "data-label": second }, `${entry.second[0]}/${entry.second[1]}`));
  };
  body.append(...entries.slice(0, SHOWN).map(row));
  const rest = entries.length - SHOWN;
  const more = rest > 0 && h("button", { type: "button", onclick: (/** @type {Event} */ event) => {
    body.append(...entries.slice(SHOWN).map(row));
    /** @type {HTMLElement} */ (event.target).remove();
  } }, t("more", { number: rest }));
  const table = h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": t("page.change." + kind) }, h("table", { class: "list" },
    h("thead", {}, h("tr", {}, [t("page.id"), t("page.question"), t("column.agent"), first, second].map((title, index) =>
      h("th", { scope: "col", class: index > 2 ? "num" : null }, title)))), body));
  return h("details", { class: "change " + kind, open: kind === "broken" || kind === "fixed" },
    h("summary", {}, t("page.change." + kind), " ", h("span", { class: "quiet" }, String(context.run.differences.counts[kind]))), table, more || null);
}
