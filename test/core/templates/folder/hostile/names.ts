// Folders with file names that mislead people or operating systems.
import { gif, validFiles } from "../../../../fixtures/template-files.ts";
import { accepted, refused, type HostileFolder } from "../../../../fixtures/hostile-folder.ts";

const invisible = /^the file's name contains invisible characters$/;
const page = validFiles["pages/1.liquid"] ?? "";

export const names: HostileFolder[] = [
  refused(
    "two assets differ only in case",
    { "assets/Logo.gif": gif, "assets/logo.gif": gif },
    "assets/logo.gif",
    1,
    /^some systems do not distinguish this name from assets\/Logo\.gif/,
  ),
  refused(
    "two pages differ only in case",
    { "pages/A.liquid": "x", "pages/a.liquid": "x" },
    "pages/a.liquid",
    1,
    /^some systems do not distinguish this name from pages\/A\.liquid/,
  ),
  refused(
    "two assets differ only in the composition of a letter",
    { "assets/e\u0301.gif": gif, "assets/\u00e9.gif": gif },
    "assets/\u00e9.gif",
    1,
    /^some systems do not distinguish this name/,
  ),
  refused("an asset's name has a line feed", { "assets/a\nb.gif": gif }, "assets/a\nb.gif", 1, invisible),
  refused(
    "an asset's name has an escape sequence for terminals",
    { "assets/\u001b[2Ja.gif": gif },
    "assets/\u001b[2Ja.gif",
    1,
    invisible,
  ),
  refused(
    "an asset's name reverses the direction of text",
    { "assets/\u202efig.gif": gif },
    "assets/\u202efig.gif",
    1,
    invisible,
  ),
  refused(
    "a page's name has a zero-width space",
    { "pages/1\u200b.liquid": "x" },
    "pages/1\u200b.liquid",
    1,
    invisible,
  ),
  refused(
    "the page's file ends in .LIQUID",
    { "pages/1.liquid": null, "pages/1.LIQUID": page },
    "pages/1.LIQUID",
    1,
    /^page files must end in \.liquid$/,
  ),
  refused(
    "the page's file ends in .liquid.bak",
    { "pages/1.liquid.bak": page },
    "pages/1.liquid.bak",
    1,
    /^page files must end in \.liquid$/,
  ),
  refused(
    "an asset has no extension",
    { "assets/logo": gif },
    "assets/logo",
    1,
    /^assets must be files of these types: \.png/,
  ),
  refused(
    "an asset's extension is .constructor",
    { "assets/a.constructor": gif },
    "assets/a.constructor",
    1,
    /^assets must be files of these types/,
  ),
  refused(
    "an asset is called __proto__",
    { "assets/__proto__": gif },
    "assets/__proto__",
    1,
    /^assets must be files of these types/,
  ),
  accepted("an asset is called __proto__.gif", { "assets/__proto__.gif": gif, "style.css": "a{b:url(__proto__.gif)}" }),
  accepted("an asset's name is decomposed and the styles write it composed", {
    "assets/e\u0301.gif": gif,
    "style.css": "a{b:url(\u00e9.gif)}",
  }),
  accepted("an asset's name has spaces, quotes and brackets", {
    "assets/a 'b' (c).gif": gif,
    "style.css": "a{b:url(\"a 'b' (c).gif\")}",
  }),
  refused("there is no page", { "pages/1.liquid": null }, "pages", 1, /^there is no page file; add pages\/1\.liquid$/),
];
