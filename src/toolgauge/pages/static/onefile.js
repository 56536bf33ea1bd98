// The entry of a page in one file.

import { hashAddresses } from "./address.js";
import { start } from "./app.js";
import { embeddedSource } from "./embedded.js";

void start(await embeddedSource(), hashAddresses());
