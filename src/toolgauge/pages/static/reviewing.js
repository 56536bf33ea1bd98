// What a person says of a trajectory: right, wrong, or that the gold answer is wrong, with a note.

import { download, fillWith, h } from "./dom.js";
import { t } from "./words.js";

/** @typedef {import("./app.js").Context} Context */

export const VERDICTS = ["right", "wrong", "gold_is_wrong"];

/**
 * @param {Context} context
 * @param {any} page
 * @param {any} shown
 * @returns {HTMLElement}
 */
export function reviewForm(context, page, shown) {
  const own = context.reviews.find((one) => one.case === page.row.id && one.agent === shown.agent && one.trial === shown.trial);
  const note = /** @type {HTMLInputElement} */ (h("input", { type: "text", maxlength: "2000", "aria-label": t("page.review.note"), placeholder: t("page.review.note"), value: own?.note ?? "" }));
  /** @param {string} verdict */
  const send = (verdict) => {
    const at = new Date().toISOString();
    return context.source.review({ case: page.row.id, agent: shown.agent, trial: shown.trial, verdict, note: note.value, at });
  };
  let noted = Promise.resolve();
  // A note that is changed later is kept with the verdict that is there.
  note.addEventListener("change", () => {
    if (own) noted = send(own.verdict);
  });
  /** @param {string} verdict @param {string} pressed */
  const keep = async (verdict, pressed) => {
    const button = `.review [data-verdict="${pressed}"]`;
    const focused = document.activeElement?.matches(button);
    await noted;
    await send(verdict);
    await context.redraw();
    if (focused) /** @type {HTMLElement | null} */ (document.querySelector(button))?.focus();
    document.querySelector(".review [aria-pressed=true]")?.scrollIntoView({ block: "nearest" });
  };
  const buttons = VERDICTS.map((verdict, index) => h("button", {
    type: "button", "data-verdict": verdict, "aria-pressed": String(own?.verdict === verdict), "aria-keyshortcuts": String(index + 1),
    title: t("page.key", { key: String(index + 1) }),
    onclick: () => void keep(own?.verdict === verdict ? "" : verdict, verdict),
  }, t("page.review." + verdict)));
  const all = context.reviews.length > 0 && !context.source.live && h("button", { type: "button", onclick: () => {
    const { created, suite, name } = context.run;
    const lines = [{ schema: "toolgauge.reviews/1", created, suite_hash: suite.hash ?? "" }, ...context.reviews];
    download(`${name ?? "report"}.reviews.jsonl`, "application/x-ndjson", lines.map((one) => JSON.stringify(one) + "\n").join(""));
  } }, t("page.review.download", { number: context.reviews.length }));
  return h("section", { class: "review", "aria-label": t("page.review") }, h("span", { class: "quiet" }, t("page.review")), buttons, note, all, makeCase(context, page, shown));
}

/**
 * Writes a case that expects what was done here into the suite file of the viewer.
 * @param {Context} context
 * @param {any} page
 * @param {any} shown
 * @returns {HTMLElement | null}
 */
function makeCase(context, page, shown) {
  const make = context.source.makeCase;
  if (!make) return null;
  const told = h("span", { class: "quiet", role: "status" });
  const button = h("button", { type: "button", class: "make-case", onclick: async () => {
    try {
      const made = await make({ case: page.row.id, agent: shown.agent, trial: shown.trial });
      fillWith(told, t("page.make_case.done", made));
    } catch (error) {
      fillWith(told, String(error));
    }
  } }, t("page.make_case"));
  return h("span", { class: "make" }, button, " ", told);
}
