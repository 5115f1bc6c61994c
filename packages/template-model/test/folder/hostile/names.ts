// Folders with file names that mislead people or operating systems.
import type { HostileFolder } from "colophon-test-kit/hostile-folder";
import { gif, validFiles } from "colophon-test-kit/template-files";

const page = validFiles["pages/1.liquid"] ?? "";
const sameAs = (other: string) => `some systems do not distinguish this name from ${other}; rename one of the files`;
const invisible = "the file's name contains invisible characters";
const assetTypes = "assets must be files of these types: .png …";

/** A folder with one asset of this name. */
const asset = (what: string, name: string, problem: string): HostileFolder => [
  `an asset's name ${what}`,
  { [`assets/${name}`]: gif },
  problem && `assets/${name}:1 ${problem}`,
];

export const names: HostileFolder[] = [
  [
    "assets differ in case",
    { "assets/Logo.gif": gif, "assets/logo.gif": gif },
    `assets/logo.gif:1 ${sameAs("assets/Logo.gif")}`,
  ],
  [
    "two assets differ only in the composition of a letter",
    { "assets/e\u0301.gif": gif, "assets/\u00e9.gif": gif },
    `assets/\u00e9.gif:1 ${sameAs("assets/e\u0301.gif")}`,
  ],
  asset("has a line feed", "a\nb.gif", invisible),
  asset("reverses the direction of text", "\u202efig.gif", invisible),
  asset("has a zero-width space", "a\u200b.gif", invisible),
  asset("has no extension", "__proto__", assetTypes),
  ["a page ends in .LIQUID", { "pages/2.LIQUID": page }, "pages/2.LIQUID:1 page files must end in .liquid"],
  ["there is no page", { "pages/1.liquid": null }, "pages:1 there is no page file; add pages/1.liquid"],
  ["an asset is called __proto__.gif", { "assets/__proto__.gif": gif, "style.css": "a{b:url(__proto__.gif)}" }, ""],
  ["the styles compose an asset's name", { "assets/e\u0301.gif": gif, "style.css": "a{b:url(\u00e9.gif)}" }, ""],
  ["an asset's name has signs", { "assets/a 'b' (c).gif": gif, "style.css": "a{b:url(\"a 'b' (c).gif\")}" }, ""],
];
