// The functions of the page script, which the pool calls through the DevTools protocol. It is the only script that runs
// in the page; scripts of a template never run.
import { layOutSheets } from "./margins/lay-out-sheets.ts";
import { preparePage } from "./prepare-page.ts";

export const pageScript = { preparePage, layOutSheets };
