// The functions of the page script, which the pool calls through the DevTools protocol. It is the only script that runs
// in the page; templates' scripts never run. Each function takes and returns JSON.
import { setPageHeights } from "./auto-height/auto-pages.ts";
import { setBlankBoxes } from "./blank-boxes.ts";
import { receiveFiles } from "./content/received-files.ts";
import { addFaces, useFaces } from "./fonts/service-faces.ts";
import { addPatterns } from "./hyphenation/received-patterns.ts";
import { layOutSheets } from "./margins/lay-out-sheets.ts";
import { preparePage } from "./prepare-page.ts";
import { setPageNumbers } from "./references/page-numbers.ts";

export const pageScript = {
  addFaces,
  useFaces,
  addPatterns,
  receiveFiles,
  preparePage,
  setPageHeights,
  setPageNumbers,
  setBlankBoxes,
  layOutSheets,
};
