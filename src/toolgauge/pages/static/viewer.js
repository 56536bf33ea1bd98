// The entry of the viewer: which page it is, its address says.

import { recallTheme, start } from "./app.js";
import { fillWith, h } from "./dom.js";
import { historyPage } from "./history.js";
import { pathAddresses } from "./paths.js";
import { ask, remoteSource } from "./remote.js";
import { drawHeader, runsPage } from "./runs.js";
import { language, t } from "./words.js";

recallTheme();
const known = await ask("/api/words");
language.texts = known.words;
language.lang = new URLSearchParams(location.search).get("lang") ?? document.documentElement.lang;
if (!(language.lang in language.texts)) language.lang = "en";
document.documentElement.lang = language.lang;

const [, first = "", id = ""] = location.pathname.split("/");

try {
  const run = decodeURIComponent(id);
  await (first === "runs" ? start(remoteSource(run, known), pathAddresses(run)) : first === "history" ? historyPage() : runsPage());
} catch (error) {
  const missing = first === "runs" && Reflect.get(/** @type {object} */ (error), "status") === 404;
  const why = missing ? t("page.no_run", { id: decodeURIComponent(id) }) : error instanceof Error ? error.message : String(error);
  drawHeader(/** @type {HTMLElement} */ (document.querySelector("header")));
  fillWith(/** @type {Element} */ (document.querySelector("main")), h("h1", { tabindex: "-1" }, t("page.failed")), h("p", { class: "error" }, why));
}
