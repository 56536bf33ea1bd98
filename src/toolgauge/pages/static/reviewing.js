// What a person says of a trajectory: right, wrong, or that the gold answer is wrong, with a note.

import { download, h } from "./dom.js";
import { t } from "./words.js";

/** @typedef {import("./app.js").Context} Context */

export const VERDICTS = ["right", "wrong", "gold_wrong"];

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
  const keep = async (verdict) => {
    const at = new Date().toISOString();
    await context.source.review({ case: page.row.id, agent: shown.agent, trial: shown.trial, verdict, note: note.value, at });
    await context.redraw();
    document.querySelector(".review [aria-pressed=true]")?.scrollIntoView({ block: "nearest" });
  };
  const buttons = VERDICTS.map((verdict, index) => h("button", {
    type: "button", "data-verdict": verdict, "aria-pressed": String(own?.verdict === verdict), "aria-keyshortcuts": String(index + 1),
    onclick: () => void keep(own?.verdict === verdict ? "" : verdict),
  }, t("page.review." + verdict)));
  const all = context.reviews.length > 0 && !context.source.live && h("button", { type: "button", onclick: () => {
    download("reviews.jsonl", "application/x-ndjson", context.reviews.map((one) => JSON.stringify(one) + "\n").join(""));
  } }, t("page.review.download", { number: context.reviews.length }));
  return h("section", { class: "review", "aria-label": t("page.review") }, h("span", { class: "quiet" }, t("page.review")), buttons, note, all);
}
