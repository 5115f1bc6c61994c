// Folders with file names that mislead people or operating systems.
import { writeFile } from "node:fs/promises";
import { gif, validFiles } from "../../../fixtures/template-files.ts";
import { accepted, refused, refusedAfter, type HostileFolder } from "../../../fixtures/hostile-folder.ts";

const page = validFiles["pages/1.liquid"] ?? "";

export const names: HostileFolder[] = [
  refused(
    "style.css is written Style.css",
    { "Style.css": "a{}" },
    "Style.css",
    1,
    /^its name must be written style\.css$/,
  ),
  refused(
    "template.json is written in upper case",
    { "TEMPLATE.JSON": "{}" },
    "TEMPLATE.JSON",
    1,
    /must be written template\.json/,
  ),
  refused(
    "header.liquid is written Header.liquid",
    { "Header.liquid": "x" },
    "Header.liquid",
    1,
    /must be written header\.liquid/,
  ),
  refused(
    "pages is written Pages",
    { "pages/1.liquid": null, "Pages/1.liquid": page },
    "Pages",
    1,
    /must be written pages/,
  ),
  refused("assets is written ASSETS", { "ASSETS/a.gif": gif }, "ASSETS", 1, /must be written assets/),
  refusedAfter(
    "an asset's name is not UTF-8",
    (directory) =>
      writeFile(Buffer.concat([Buffer.from(`${directory}/assets/`), Buffer.from([0xe9]), Buffer.from(".gif")]), gif),
    "assets/\ufffd.gif",
    /^the file's name is not valid UTF-8$/,
    { "assets/a.gif": gif },
  ),
  refused(
    "pages/ is empty but for a hidden file",
    { "pages/1.liquid": null, "pages/.DS_Store": "x" },
    "pages",
    1,
    /^there is no page file; add pages\/1\.liquid$/,
  ),
  accepted("the assets contain hidden files", { "assets/.DS_Store": "\0", "assets/._logo.gif": "\0" }),
];
