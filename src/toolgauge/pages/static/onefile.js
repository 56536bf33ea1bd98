// The entry of a page in one file.

import { hashAddresses } from "./address.js";
import { recallTheme, start } from "./app.js";
import { embeddedSource } from "./embedded.js";

recallTheme();
void start(await embeddedSource(), hashAddresses());
