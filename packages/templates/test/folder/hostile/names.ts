// Folders with file names that mislead people or operating systems.
import { writeFile } from "node:fs/promises";
import { gif } from "colophon-test-kit/template-files";
import type { ChangedFolder } from "./file-systems.ts";

export const names: ChangedFolder[] = [
  ["style.css is written Style.css", { "Style.css": "a{}" }, "Style.css:1 its name must be written as style.css"],
  ["pages is Pages", { "pages/1.liquid": null, "Pages/1.liquid": "x" }, "Pages:1 its name must be written as pages"],
  [
    "an asset's name is not UTF-8",
    (directory) =>
      writeFile(Buffer.concat([Buffer.from(`${directory}/assets/`), Buffer.from([0xe9]), Buffer.from(".gif")]), gif),
    "assets/\ufffd.gif:1 the file's name is not valid UTF-8",
  ],
  ["pages is empty", { "pages/1.liquid": null, "pages/.DS_Store": "x" }, "pages:1 there is no page file; …"],
  ["the assets contain hidden files", { "assets/.DS_Store": "\0", "assets/._logo.gif": "\0" }, ""],
];
