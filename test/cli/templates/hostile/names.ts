// Folders with file names that mislead people or operating systems.
import { writeFile } from "node:fs/promises";
import { gif, validFiles } from "../../../fixtures/template-files.ts";
import { accepted, refused, refusedAfter, type HostileFolder } from "./hostile-folder.ts";

const invisible = /^the file's name contains invisible characters$/;
const page = validFiles["pages/1.liquid"] ?? "";

export const names: HostileFolder[] = [
  refused("style.css is written Style.css", { "Style.css": "a{}" }, "Style.css", 1, /^its name must be written style\.css$/),
  refused("template.json is written in upper case", { "TEMPLATE.JSON": "{}" }, "TEMPLATE.JSON", 1, /must be written template\.json/),
  refused("header.liquid is written Header.liquid", { "Header.liquid": "x" }, "Header.liquid", 1, /must be written header\.liquid/),
  refused("pages is written Pages", { "pages/1.liquid": null, "Pages/1.liquid": page }, "Pages", 1, /must be written pages/),
  refused("assets is written ASSETS", { "ASSETS/a.gif": gif }, "ASSETS", 1, /must be written assets/),
  refused("two assets differ only in case", { "assets/Logo.gif": gif, "assets/logo.gif": gif }, "assets/logo.gif", 1, /^some systems do not distinguish this name from assets\/Logo\.gif/),
  refused("two pages differ only in case", { "pages/a.liquid": "x", "pages/A.liquid": "x" }, "pages/a.liquid", 1, /^some systems do not distinguish this name from pages\/A\.liquid/),
  refused("two assets differ only in the composition of a letter", { "assets/\u00e9.gif": gif, "assets/e\u0301.gif": gif }, "assets/\u00e9.gif", 1, /^some systems do not distinguish this name/),
  refused("an asset's name has a line feed", { "assets/a\nb.gif": gif }, "assets/a\nb.gif", 1, invisible),
  refused("an asset's name has an escape sequence for terminals", { "assets/\u001b[2Ja.gif": gif }, "assets/\u001b[2Ja.gif", 1, invisible),
  refused("an asset's name reverses the direction of text", { "assets/\u202efig.gif": gif }, "assets/\u202efig.gif", 1, invisible),
  refused("a page's name has a zero-width space", { "pages/1\u200b.liquid": "x" }, "pages/1\u200b.liquid", 1, invisible),
  refusedAfter("an asset's name is not UTF-8", (directory) => writeFile(Buffer.concat([Buffer.from(`${directory}/assets/`), Buffer.from([0xe9]), Buffer.from(".gif")]), gif), "assets/\ufffd.gif", /^the file's name is not valid UTF-8$/, { "assets/a.gif": gif }),
  refused("the page's file ends in .LIQUID", { "pages/1.liquid": null, "pages/1.LIQUID": page }, "pages/1.LIQUID", 1, /^page files must end in \.liquid$/),
  refused("the page's file ends in .liquid.bak", { "pages/1.liquid.bak": page }, "pages/1.liquid.bak", 1, /^page files must end in \.liquid$/),
  refused("pages/ is empty but for a hidden file", { "pages/1.liquid": null, "pages/.DS_Store": "x" }, "pages", 1, /^there is no page file; add pages\/1\.liquid$/),
  refused("an asset has no extension", { "assets/logo": gif }, "assets/logo", 1, /^assets must be files of these types: \.png/),
  refused("an asset's extension is .constructor", { "assets/a.constructor": gif }, "assets/a.constructor", 1, /^assets must be files of these types/),
  refused("an asset is called __proto__", { "assets/__proto__": gif }, "assets/__proto__", 1, /^assets must be files of these types/),
  accepted("an asset is called __proto__.gif", { "assets/__proto__.gif": gif, "style.css": "a{b:url(__proto__.gif)}" }),
  accepted("an asset's name is decomposed and the styles write it composed", { "assets/e\u0301.gif": gif, "style.css": "a{b:url(\u00e9.gif)}" }),
  accepted("an asset's name has spaces, quotes and brackets", { "assets/a 'b' (c).gif": gif, "style.css": 'a{b:url("a \'b\' (c).gif")}' }),
  accepted("the assets contain hidden files", { "assets/.DS_Store": "\0", "assets/._logo.gif": "\0" }),
];
