import { expect, it } from "vitest";
import type { FontSlice, HanFont } from "colophon-fonts/font-index";
import { runAtOnce } from "colophon-liquid/liquid";
import { addCharacters, charactersOf, noCharacters, textParts } from "colophon-template-model/text-characters";
import { generatedCharacters } from "../../../template-model/src/document/generated-characters.ts";
import { fontLookup } from "../../src/fonts/font-lookup.ts";

let starts = 0;

function slice(name: string, ranges: string, options: Partial<FontSlice> & { weights?: string[] } = {}): FontSlice {
  const { weights = ["400", "700"], ...rest } = options;
  const files = weights.map((weight) => ({
    id: `${name}-${weight}`,
    style: "normal" as const,
    weight,
    // All fonts are in one file.
    file: "all.pack",
    start: starts++,
    bytes: 1,
  }));
  return { family: "scripts", ranges, files, ...rest };
}

const emojiSequences = slice("emoji-sequences", "23,30-39,200d,20e3,2764,1f1e6-1f1ff,1f3fb-1f3ff,1f600-1f64f", {
  isForSequences: true,
  weights: ["400"],
});
const hanSlice = (han: HanFont) => slice(han, "2713,3041-30ff,4e00-9fff,ac00-d7a3", { han, weights: ["100 900"] });
const index = {
  slices: [
    slice("latin", "0-ff,2013-2026", { family: "sans" }),
    slice("greek", "370-3ff", { family: "sans" }),
    slice("serif", "0-ff", { family: "serif" }),
    slice("mono", "0-ff", { family: "mono" }),
    slice("math", "0-ff,2713,1d400-1d7ff", { family: "math", weights: ["400"] }),
    emojiSequences,
    slice("emoji", "200d,20e3,1f1e6-1f1ff,1f3fb-1f3ff,1f600-1f64f", {
      files: emojiSequences.files.map((file) => ({ ...file, id: "emoji-400" })),
    }),
    slice("arabic", "600-6ff"),
    slice("symbols", "2190-2193,2713,2764", { weights: ["400"] }),
    ...(["sc", "tc", "jp", "kr"] as const).map(hanSlice),
    slice("arabic-serif", "600-6ff", { family: "serif" }),
    slice("jp-serif", "3041-30ff,4e00-9eff", { family: "serif", han: "jp" }),
    slice("sc-serif", "4e00-9fff", { family: "serif", han: "sc" }),
  ],
};

/** Returns the ids of the files for a text, in the order of preference. */
function idsFor(text: string, locale = "en-US"): string[] {
  const characters = noCharacters();
  addCharacters(characters, text);
  return fontLookup(index)
    .facesFor(characters, locale)
    .map(({ id }) => id);
}

it("a document with only Latin characters gets only the fonts for Latin text", () => {
  expect(idsFor("<p>Hello &amp; Grüße – 12 €</p>")).toEqual(["latin-400"]);
});

it("a document gets bold fonts only if its text may be bold", () => {
  expect(idsFor("<b>Hello</b>")).toEqual(["latin-400", "latin-700"]);
  expect(idsFor("p { font-weight: 600 }")).toEqual(["latin-400", "latin-700"]);
});

it("a document gets the fonts for serif and monospace text only if it may contain such text", () => {
  expect(idsFor("p { font-family: Georgia }")).toEqual(["latin-400", "serif-400"]);
  expect(idsFor("<code>x</code>")).toEqual(["latin-400", "mono-400"]);
  expect(idsFor("p { font-family: sans-serif }")).toEqual(["latin-400"]);
});

it.each([
  "<MATH display=block>",
  "p { font: 12px math }",
  "p { font-family: 'STIX Two Math' }",
  "text-transform:math-auto",
])("a document gets the font for formulas if it may contain a formula (%s)", (text) => {
  expect(idsFor(text)).toEqual(["latin-400", "math-400"]);
});

it.each(["<p style='font-size: 9px'>mathematics, math</p>", "<p>fonts for math</p>", "math: 1"])(
  "a document without formulas does not get the font for formulas (%s)",
  (text) => {
    expect(idsFor(text)).toEqual(["latin-400"]);
  },
);

it.each([
  ["a character", "✓"],
  ["a decimal entity", "&#10003;"],
  ["a hexadecimal entity", "&#x2713;"],
  ["a named entity", "&check;"],
  ["an escape in CSS", "li::before { content: '\\2713 ' }"],
])("a document gets the font for %s", (_, text) => {
  expect(idsFor(text)).toEqual(["latin-400", "symbols-400"]);
});

it("a document gets the fonts for the characters that its styles add", () => {
  expect(idsFor("ol { list-style-type: lower-greek }")).toEqual(["latin-400", "greek-400"]);
});

const digits =
  "arabic-indic:arab persian:arabext urdu:arabext devanagari:deva bengali:beng gurmukhi:guru gujarati:gujr oriya:orya tamil:tamldec telugu:telu kannada:knda malayalam:mlym thai:thai lao:laoo tibetan:tibt myanmar:mymr cambodian:khmr khmer:khmr mongolian:mong";

it.each(digits.split(" ").map((each) => each.split(":")))("a document gets the digits of %s (%s)", (style, system) => {
  const counted = new Intl.NumberFormat(`en-u-nu-${system}`, { useGrouping: false }).format(1_234_567_890);

  const generated = generatedCharacters(`ol { list-style: ${style} }`);

  expect([...generated].sort()).toEqual([...counted].sort());
});

it.each([
  ["list-style: armenian", "Աևֆ"],
  ["list-style: lower-greek", "αω"],
  ["list-style: hiragana", "あん"],
  ["list-style: cjk-heavenly-stem", "甲癸、"],
  ["list-style: simp-chinese-formal", "零壹拾佰仟负、"],
  ["list-style: japanese-informal", "〇一九十百千、マイナス"],
  ["list-style: disclosure-open", "▾"],
  ["text-emphasis: open dot", "◦"],
  ["text-transform: full-width", "！～"],
  ["content: open-quote", "“”‘’«»「」"],
  ["<q>x</q>", "“”‘’«»「」"],
  ["-webkit-text-security: square", "■"],
])("a document gets the fonts for the characters that `%s` generates, such as %s", (text, expected) => {
  const generated = generatedCharacters(text);

  expect([...expected].filter((character) => !generated.includes(character))).toEqual([]);
});

it("an escape in CSS that is not a character adds no font", () => {
  expect(idsFor("p::before { content: '\\110000' }")).toEqual(["latin-400"]);
});

it("a document gets the font for capitals of other scripts only if its styles change the case", () => {
  expect(idsFor("5 µm")).toEqual(["latin-400"]);
  expect(idsFor("<p style='text-transform: uppercase'>5 µm</p>")).toEqual(["latin-400", "greek-400"]);
});

it("a document gets the font for emoji if an emoji has several characters; otherwise, a symbol is drawn in one colour", () => {
  expect(idsFor("\u2764\ufe0f")).toEqual(["latin-400", "emoji-sequences-400"]);
  expect(idsFor("1\ufe0f\u20e3")).toEqual(["latin-400", "emoji-sequences-400"]);
  expect(idsFor("&#x2764;&#xfe0f;")).toEqual(["latin-400", "emoji-sequences-400"]);
  expect(idsFor("\u2764")).toEqual(["latin-400", "symbols-400"]);
});

it("a symbol is drawn in one colour next to flags and other emoji that do not begin with a symbol", () => {
  expect(idsFor("\u2764 \u{1f1f3}\u{1f1f1}")).toEqual(["latin-400", "emoji-400", "symbols-400"]);
  expect(idsFor("\u2764 \u{1f600}\u{1f3fd} \u{1f600}\u200d\u{1f601}")).toEqual([
    "latin-400",
    "emoji-400",
    "symbols-400",
  ]);
});

it("a document gets the font for emoji once, with its symbols if one of the emoji begins with a symbol", () => {
  expect(idsFor("\u{1f1f3}\u{1f1f1} \u2764\ufe0f \u{1f600}")).toEqual(["latin-400", "emoji-sequences-400"]);
  expect(idsFor("\u2764\ufe0f \u{1f1f3}\u{1f1f1} \u{1f600}")).toEqual(["latin-400", "emoji-sequences-400"]);
});

it("a file is declared for both weights if the font has no bold file, because a browser considers only faces of one weight", () => {
  const characters = noCharacters();
  addCharacters(characters, "<b>✓ ع</b>");

  expect(
    fontLookup(index)
      .facesFor(characters, "en")
      .map(({ id, weight }) => `${id} as ${weight}`),
  ).toEqual([
    "latin-400 as 400",
    "latin-700 as 700",
    "arabic-400 as 400",
    "arabic-700 as 700",
    "symbols-400 as 400",
    "symbols-400 as 700",
  ]);
});

it.each([
  ["ja-JP", "漢字", "jp"],
  ["zh-TW", "漢字", "tc"],
  ["zh-Hant-HK", "漢字", "tc"],
  ["zh-Hans-TW", "漢字", "sc"],
  ["en-US", "<p lang='zh-TW'>漢字</p>", "tc"],
  ["en-US", "漢字かな", "jp"],
  ["en-US", "漢字 한국어", "kr"],
  ["en-US", "漢字", "sc"],
])(
  "Chinese, Japanese and Korean characters have the forms of the language around them (%s, %s)",
  (locale, text, font) => {
    expect(idsFor(text, locale)).toEqual(["latin-400", `${font}-100 900`]);
  },
);

const css = "p { font-family: serif }";

it.each([
  ["ja", "漢字", ["jp-serif-400"]],
  ["zh-CN", "漢字", ["sc-serif-400"]],
  ["ja", "\u9f00", ["sc-serif-400"]],
  ["zh-TW", "漢字", []],
  ["ko", "漢字", []],
])("serif text has the serif font of its language, or else a font without serifs (%s, %s)", (locale, text, serif) => {
  const own = { ja: "jp", "zh-CN": "sc", "zh-TW": "tc", ko: "kr" }[locale];

  expect(idsFor(text + css, locale)).toEqual(["latin-400", "serif-400", ...serif, `${own}-100 900`]);
});

it("serif text in Arabic has a serif font", () => {
  expect(idsFor(`عربي ${css}`)).toEqual(["latin-400", "serif-400", "arabic-serif-400", "arabic-400"]);
});

it("a document without serif text gets no serif fonts", () => {
  expect(idsFor("漢字 عربي", "ja")).toEqual(["latin-400", "jp-100 900", "arabic-400"]);
});

it("a long text is split only where a tag begins", () => {
  const text = "<p>&hearts; text</p>".repeat(100_000);

  const parts = [...textParts(text)];

  expect(parts.join("")).toBe(text);
  expect(parts.length).toBeGreaterThan(3);
  for (const part of parts) expect(part).toMatch(/^</);
});

it("a long text is examined in time proportional to its length, whatever it contains", () => {
  for (const part of ["<input ", "&", "\\", "lang = ", "counter   ", "\u200d", "👩\u200d", "--"]) {
    const started = performance.now();
    addCharacters(noCharacters(), part.repeat(400_000 / part.length));
    // Quadratic time would be minutes.
    expect(performance.now() - started).toBeLessThan(5_000);
  }
});

it("the characters of texts are added to a copy of the known characters", () => {
  const known = runAtOnce(charactersOf(["<b>✓</b>"]));

  const both = runAtOnce(charactersOf(["<code>ع</code>"], known));

  expect([...both.points]).toEqual(["✓".codePointAt(0), "ع".codePointAt(0)]);
  expect([both.hasBold, both.hasMono, both.hasSerif]).toEqual([true, true, false]);
  expect([known.points.size, known.hasMono]).toEqual([1, false]);
});
