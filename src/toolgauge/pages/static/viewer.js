// The entry of the viewer: which page it is, its address says.

import { start } from "./app.js";
import { historyPage } from "./history.js";
import { pathAddresses } from "./paths.js";
import { ask, remoteSource } from "./remote.js";
import { runsPage } from "./runs.js";
import { language } from "./words.js";

const known = await ask("/api/words");
language.texts = known.words;
language.lang = new URLSearchParams(location.search).get("lang") ?? document.documentElement.lang;
if (!(language.lang in language.texts)) language.lang = "en";
document.documentElement.lang = language.lang;

const [, first = "", id = ""] = location.pathname.split("/");
if (first === "runs") void start(remoteSource(decodeURIComponent(id), known), pathAddresses(decodeURIComponent(id)));
else if (first === "history") void historyPage();
else void runsPage();
