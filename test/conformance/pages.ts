// Pages that are difficult for PDF/A: scripts, images, transparency, and whatever else Chromium writes in different ways.
import { everyScript } from "../browser/fixtures/every-script.ts";
import { images } from "./images.ts";

export type Piece = { name: string; html: string };

const box = (style: string, text = "Text") => `<div style="padding: 8px; ${style}">${text}</div>`;
const svg = (inner: string) => `<svg width="200" height="80" viewBox="0 0 200 80">${inner}</svg>`;
const gradient = `<linearGradient id="g"><stop stop-color="red"/><stop offset="1" stop-color="blue" stop-opacity=".2"/></linearGradient>`;

const effects: Record<string, string> = {
  opacity: box("opacity: .4; background: gold"),
  rgba: box("background: rgb(0 0 255 / .3); color: rgb(255 0 0 / .7)"),
  shadows: box("box-shadow: 4px 4px 10px #000a; text-shadow: 1px 1px 3px #f00; border-radius: 9px"),
  "linear-gradient": box("background: linear-gradient(45deg, red, transparent, oklch(.7 .2 120))"),
  "radial-gradient": box("background: radial-gradient(circle, #fff8, #0008 60%)"),
  "conic-gradient": box("background: conic-gradient(red, yellow, lime, aqua, blue, magenta, red)"),
  "clipped-text": box("background: linear-gradient(90deg, red, blue); background-clip: text; color: transparent"),
  "clip-path": box("clip-path: circle(40%); background: teal"),
  mask: box("mask-image: linear-gradient(black, transparent); background: teal"),
  blur: box("filter: blur(2px)"),
  grayscale: box("filter: grayscale(1) drop-shadow(2px 2px 2px red); background: orange"),
  backdrop: `<div style="background: linear-gradient(red, blue)">${box("backdrop-filter: blur(4px); background: #fff6")}</div>`,
  perspective: box("transform: perspective(200px) rotateY(30deg); background: pink"),
  rotated: box("transform: rotate(17deg) skewX(9deg); display: inline-block; background: pink"),
  vertical: box("writing-mode: vertical-rl; height: 120px", "縦書きのテキスト、Latin 123"),
  columns: box("columns: 3", "Word ".repeat(120)),
  "outlined-text": box("-webkit-text-stroke: 1px red; font-size: 30px; color: #0000ff40"),
  "bold-italic": box(
    "font: italic 900 20px serif",
    "Bold and italic, <b>ff fi ffl</b> <small style='font-variant: small-caps'>Caps</small>",
  ),
  tabular: box(
    "font-variant-numeric: tabular-nums slashed-zero; font-feature-settings: 'ss01', 'frac'",
    "1,234.50 1/2 000",
  ),
  "display-p3": box("background: color(display-p3 1 .2 0); color: lab(60% 40 -60)"),
  borders: box("border: 5px dashed #0a08; outline: 3px double red; border-image: linear-gradient(red, blue) 1"),
  decorations: box("text-decoration: underline wavy red 2px; text-emphasis: dot"),
  hyphens: box("hyphens: auto; width: 60px", "Extraordinarily&shy;long hyphe&shy;nation"),
  list: "<ul><li>One<ol><li>Two<ul><li>Three</ul></ol></ul>",
  table: `<table border="1"><thead><tr><th>A<th>B</thead>${"<tr><td rowspan='2'>1<td>2<tr><td>3".repeat(60)}</table>`,
  links: `<a href="https://a.example/?q=ü">out</a> <a href="mailto:a@b.example">mail</a> <a href="#t">in</a><p id="t">t</p>`,
  "scripted-link": `<a href="javascript:alert(1)">script</a>`,
  form: "<input value='text'><input type=checkbox checked><select><option>One</select><textarea>Area</textarea><button>Go</button>",
  mathml:
    "<math alttext='a sum'><mfrac><mrow><mi>a</mi><mo>+</mo><msqrt><mn>2</mn></msqrt></mrow><munderover><mo>∑</mo><mn>0</mn><mi>∞</mi></munderover></mfrac></math>",
  "svg-text": svg(`<text x="5" y="30" font-size="20" stroke="red" fill="url(#g)">SVG</text><defs>${gradient}</defs>`),
  "svg-mask": svg(
    `<mask id="m"><rect width="90" height="80" fill="#888"/></mask><rect width="200" height="80" fill="url(#g)" mask="url(#m)"/>${gradient}`,
  ),
  "svg-pattern": svg(
    `<pattern id="p" width="9" height="9" patternUnits="userSpaceOnUse"><circle r="4" fill="red" opacity=".5"/></pattern><rect width="200" height="80" fill="url(#p)"/>`,
  ),
  "svg-filter": svg(
    `<filter id="f"><feGaussianBlur stdDeviation="3"/><feOffset dx="2"/></filter><circle cx="40" cy="40" r="30" filter="url(#f)"/>`,
  ),
  "svg-nested": svg("<g opacity='.9'>".repeat(40) + "<rect width='50' height='50'/>" + "</g>".repeat(40)),
  "nested-transforms":
    "<div style='transform: rotate(1deg); overflow: hidden; opacity: .99'>".repeat(35) + "deep" + "</div>".repeat(35),
  "missing-glyph": "<p>\u{10ffff} \u{e123} \u{3fffd}</p>",
  "missing-glyph-in-svg": `<img src="data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" width="99" height="40"><text y="30">a\u{e123}\u0378</text></svg>')}">`,
  "missing-glyph-before":
    "<style>p::before { content: '\\e123' } li::marker { content: '\\378' }</style><p>text</p><ul><li>item</ul>",
  "missing-glyph-in-form": "<input value='\u{e123}'><img alt='\u{e123}' src='data:,'>",
  "missing-glyph-in-variable-font": "<p style='font: 700 20px Inter, system-ui'>\u{e123}</p>",
  "private-use": "<p style='font-family: monospace'>\ue000</p>",
  invisible: box("visibility: hidden") + box("color: transparent"),
  controls: "<p>a\u00adb\u200bc\u200dd\u2060e\ufefff\u202eg\u202c</p>",
  combining: "<p>a\u0300\u0301\u0302\u0323 e\u20dd Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢L̠ͨͧͩ͘G̴̻͈͍͔̹̑͗̎̅͛́Ǫ̵̹̻̝̳͂̌̌͘</p>",
  ligatures: "<p style='font-family: serif'>office affluent fjord waffle ½ №</p>",
  "long-alternative": `<img src="${images["rgb-jpeg"]}" alt="${"word ".repeat(4_000)}">`,
  "long-id": `<a href="#${"x".repeat(200)}">to</a><p id="${"x".repeat(200)}">there</p>`,
  "long-link": `<a href="https://a.example/${"x".repeat(40_000)}">out</a>`,
  empty: "",
  "many-pages": "<p style='break-after: page'>page</p>".repeat(12),
};

const imagePieces = Object.entries(images).flatMap(([name, source]): [string, string][] => [
  [name, `<img src="${source}" alt="x" width="80" height="60">`],
  [`${name}-background`, box(`background: url(${source}); background-size: cover; opacity: .8; height: 40px`)],
]);
const blendPieces =
  "multiply screen overlay darken lighten color-dodge color-burn hard-light soft-light difference exclusion hue saturation color luminosity plus-lighter"
    .split(" ")
    .map((mode): [string, string] => [
      `blend-${mode}`,
      `<div style="background: gold">${box(`mix-blend-mode: ${mode}; background: #48c`)}</div>`,
    ]);
const scriptPieces = everyScript.map(({ name, lang, text }): [string, string] => {
  const faces = ["sans-serif", "serif", "monospace"].map((family) => `<p style="font-family: ${family}">${text}</p>`);
  return [`script-${name}`, `<div lang="${lang}">${faces.join("")}<b>${text}</b></div>`];
});

/** Each is a page, and a part of generated documents. */
export const pieces: Piece[] = [...Object.entries(effects), ...imagePieces, ...blendPieces, ...scriptPieces].map(
  ([name, html]) => ({ name: `page-${name}`, html }),
);
