// The npm packages with the service's fonts, and which of their subsets are used.
// Static fonts are used, because Chromium embeds a variable font in a PDF as drawings (Type 3). For Chinese, Japanese and Korean,
// they are generated from variable fonts, because packages with static fonts take 290 MB more.
import type { FontFamily, HanFont } from "./font-index.ts";

export type FontPackage = {
  name: string;
  family: FontFamily;
  /** Returns whether a subset is left out. The names of subsets that `unicode.json` numbers are in brackets. */
  leavesOut: (subset: string) => boolean;
  han?: HanFont;
  /** Set if the package's only useful subset is so large that the build divides it; see `font-slices.ts`. */
  divided?: "emoji" | "blocks";
};

/** The numbered subsets contain Chinese, Japanese and Korean characters. */
const isNumbered = (subset: string) => subset.startsWith("[");
/** Subsets that nearly all packages have. They are taken from the first font that has them. */
const shared = new Set(["latin", "latin-ext", "math", "symbols"]);
const isShared = (subset: string) => shared.has(subset) || isNumbered(subset);
const isLatin = (subset: string) => subset.startsWith("latin");
const isNotNumbered = (subset: string) => !isNumbered(subset);
const none = () => false;

/**
 * The writing systems that have their own font in `@fontsource`. All living scripts are included. Scripts that only scholars
 * use, such as cuneiform and hieroglyphs, are left out. Noto has no package on npm for Batak, Chakma, Gunjala Gondi, Mandaic,
 * Medefaidrin, Mro, Pahawh Hmong and Wancho.
 */
const scripts = `
  arabic hebrew thai armenian georgian bengali gurmukhi gujarati oriya tamil telugu kannada malayalam sinhala lao
  khmer myanmar ethiopic mongolian syriac thaana nko cherokee canadian-aboriginal tifinagh yi javanese balinese
  sundanese meetei-mayek ol-chiki adlam osage vai bamum buginese buhid cham hanifi-rohingya hanunoo kayah-li
  lepcha limbu lisu mende-kikakui miao new-tai-lue newa osmanya rejang samaritan saurashtra sora-sompeng
  syloti-nagri tagalog tagbanwa tai-le tai-tham tai-viet warang-citi
`
  .trim()
  .split(/\s+/);

/** In the order of preference for a character that several fonts of a family contain. */
export const fontPackages: readonly FontPackage[] = [
  { name: "@fontsource/open-sans", family: "sans", leavesOut: (subset) => subset === "math" || subset === "symbols" },
  { name: "@fontsource/noto-serif", family: "serif", leavesOut: (subset) => subset === "math" },
  { name: "@fontsource/noto-naskh-arabic", family: "serif", leavesOut: isShared },
  { name: "@fontsource/noto-sans-mono", family: "mono", leavesOut: none },
  { name: "@fontsource/stix-two-math", family: "math", leavesOut: none },
  // The package's slices contain only SVG glyphs, which Chromium does not draw. The whole font has layered outlines.
  {
    name: "@fontsource/noto-color-emoji",
    family: "scripts",
    leavesOut: (subset) => subset !== "emoji",
    divided: "emoji",
  },
  { name: "@fontsource/noto-sans", family: "scripts", leavesOut: none },
  ...[
    ...scripts.map((script) => `noto-sans-${script}`),
    "noto-serif-tibetan",
    "noto-serif-nyiakeng-puachue-hmong",
    "noto-serif-toto",
  ].map((name) => ({ name: `@fontsource/${name}`, family: "scripts" as const, leavesOut: isShared })),
  { name: "@fontsource/noto-sans-symbols", family: "scripts", leavesOut: isLatin },
  { name: "@fontsource/noto-sans-symbols-2", family: "scripts", leavesOut: isLatin, divided: "blocks" },
  { name: "@fontsource/noto-sans-math", family: "scripts", leavesOut: none, divided: "blocks" },
  // Characters that Noto's symbol fonts lack, such as ⅛ and the digits of CO₂ and 10⁻⁶.
  {
    name: "@fontsource/open-sans",
    family: "scripts",
    leavesOut: (subset) => subset !== "math" && subset !== "symbols",
  },
  { name: "@fontsource/noto-serif", family: "scripts", leavesOut: (subset) => subset !== "math" },
  { name: "@fontsource-variable/noto-sans-sc", family: "scripts", leavesOut: isNotNumbered, han: "sc" },
  { name: "@fontsource-variable/noto-sans-tc", family: "scripts", leavesOut: isNotNumbered, han: "tc" },
  { name: "@fontsource-variable/noto-sans-jp", family: "scripts", leavesOut: isNotNumbered, han: "jp" },
  { name: "@fontsource-variable/noto-sans-kr", family: "scripts", leavesOut: isNotNumbered, han: "kr" },
  // The serif fonts for Korean and traditional Chinese would add 9 and 8 MB.
  { name: "@fontsource-variable/noto-serif-jp", family: "serif", leavesOut: isNotNumbered, han: "jp" },
  { name: "@fontsource-variable/noto-serif-sc", family: "serif", leavesOut: isNotNumbered, han: "sc" },
];
