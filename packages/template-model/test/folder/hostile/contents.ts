// Folders with hostile styles, assets and Liquid. `used/used-styles.test.ts` has more cases of styles.
import { inFile, type HostileFile, type HostileFolder } from "colophon-test-kit/hostile-folder";
import { dataUri, jpeg, png } from "colophon-test-kit/images";
import { gif, svg, ttf, woff, woff2 } from "colophon-test-kit/template-files";

const missing = (name: string) => `there is no file assets/${name}; style.css can use only files in assets/`;
const noImport =
  "`@import` is not supported; put the styles into style.css, or into a file that `styles` of template.json lists, and fonts into assets/";
const bomb = dataUri("png", png(30_000, 30_000));
const tooManyPixels = "the image in the `data:` URI cannot be used: it is 30000 x 30000 pixels; …";
/** A `data:` URI of 300 SVGs, each inside the next. Each level escapes the percent signs of the levels inside it. */
const nestedSvgs = Array.from({ length: 300 }).reduce<string>(
  (inner) => `data:image/svg+xml,%3Csvg/${inner.replaceAll("%", "%25")}`,
  "",
);
const tooNested = `${"an image inside it cannot be used: ".repeat(4)}SVGs are nested more than 4 levels deep`;

export const styles: HostileFolder[] = [
  ...inFile(
    "style.css",
    [
      ["names a file second in an image-set", "a{b:image-set('a.gif' 1x,\n'x.png' 2x)}", `2 ${missing("x.png")}`],
      ["names a file second in a URL", "a{b:url('a.gif' 'x.png')}", `1 ${missing("x.png")}`],
      ["names a file after Windows line endings", "a{}\r\n\r\nb{c:url(x.png)}", `3 ${missing("x.png")}`],
      ["names a file outside of assets", "a{b:url(../template.json)}", `1 ${missing("template.json")}`],
      ["names a file in a query", "a{b:url(x.gif?a.gif)}", `1 ${missing("x.gif")}`],
      ["names a file of a megabyte", `a{b:url(${"x".repeat(1e6)})}`, `1 ${missing(`${"x".repeat(60)}…`)}`],
      ["has a URL that never ends", "a{b:url(x.png}", "1 the `url(` is never closed"],
      ["imports after a comment", "/* @import */\n@import/**/'x.css';", `2 ${noImport}`],
      ["imports 250,000 times", "@import;".repeat(250_000), `1 ${noImport}`],
      ["has a million open strings", '"\n'.repeat(1e6), "1 the quoted text is not closed on its line"],
      ["has a million wrong escapes", "\\\n".repeat(1e6), "1 a backslash outside quotes cannot end a line"],
      ["ends its element in a string", "a{}\nb{content:'</STYLE\t>'}", "2 `</style` would end the style sheet"],
      ["has a bomb in capitals", `a{b:url(${bomb.replace("data:image/png", "DATA:IMAGE/PNG")})}`, `1 ${tooManyPixels}`],
      ["has a bomb whose scheme is escaped", `a{b:url(\\64 ${bomb.slice(1)})}`, `1 ${tooManyPixels}`],
      ["has a bomb after a space", `a{b:url(" ${bomb}")}`, `1 ${tooManyPixels}`],
      ["nests 300 SVGs", `a{b:url('${nestedSvgs}')}`, `1 the image in the \`data:\` URI cannot be used: ${tooNested}`],
      ["is empty", "", ""],
    ],
    { "assets/a.gif": gif },
  ),
  ...inFile(
    "style.css",
    [
      [
        "uses a large asset ten thousand times",
        "a{b:url(a.gif)}".repeat(10_000),
        "1 the styles and the files that they use are larger than 26 MB in total; use each large file once",
      ],
    ],
    { "assets/a.gif": gif + "x".repeat(100_000) },
  ),
];

const contentIs = (found: string, extension: string) => `1 its content is ${found}, but its name ends in ${extension}`;
const truncated = "1 the font is truncated or damaged: its length differs from the length in its header";
const unpacksTo4Gb = "1 it unpacks to 4000000000 bytes; at most 100000000 are allowed";

const inSvg = (content: string) => `<svg xmlns="http://www.w3.org/2000/svg">\n${content}</svg>`;
const external = (file: string) =>
  `it refers to ${file}, which an image cannot load; embed the file as a \`data:\` URI`;
const serverImage = '<image href="https://example.com/a.png"/>';
const noNamespace = '1 its root element needs xmlns="http://www.w3.org/2000/svg"; without it, browsers show no image';
const entities = "1 it declares entities in its DOCTYPE; write their values instead";

const tooManyParts =
  "the SVG files up to this one have more than 300,000 elements, attributes, comments and references; …";

const svgs: HostileFile[] = [
  ["is HTML", "\n<html></html>", "2 its root element must be <svg>, but is <html>"],
  ["is text", "hello", "1 it is not well-formed XML: text data outside of root node"],
  ["is Latin-1", Uint8Array.from(Buffer.from(inSvg("\u00e9"), "latin1")), "2 the line is not valid UTF-8; …"],
  ["has no namespace", "<svg/>", noNamespace],
  ["has a long root", `<${"a".repeat(1e6)}/>`, `1 its root element must be <svg>, but is <${"a".repeat(60)}…>`],
  ["is not closed", inSvg("<g>\n").replace("</svg>", ""), "3 it is not well-formed XML: unclosed tag: g"],
  ["has an HTML entity", inSvg("<text>&nbsp;</text>"), "2 it is not well-formed XML: XML does not define …"],
  ["declares an entity", `<!DOCTYPE svg [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>\n${inSvg("&b;")}`, entities],
  ["has 30,000 images from servers", inSvg(serverImage.repeat(30_000)), `2 ${external("https://example.com/a.png")}`],
  ["uses a shape from another file", inSvg('\n<use href="shapes.svg#a"/>'), `3 ${external("shapes.svg#a")}`],
  [
    "uses another prefix for the link of its image",
    inSvg('<image xmlns:l="http://www.w3.org/1999/xlink" l:href="a.png"/>'),
    `2 ${external("a.png")}`,
  ],
  [
    "contains a page with an image",
    inSvg('<foreignObject><img xmlns="http://www.w3.org/1999/xhtml" src="a.png"/></foreignObject>'),
    `2 ${external("a.png")}`,
  ],
  ["contains a bomb", inSvg(`<image href="${bomb}"/>`), "1 an image inside it cannot be used: it is 30000 x …"],
  ["contains 300 nested SVGs", inSvg(`<image href="${nestedSvgs}"/>`), `1 ${tooNested}`],
  ["is nested 100,000 levels deep", inSvg("<g>".repeat(100_000)), "2 elements are nested more than 64 levels deep"],
  ["is larger than 2 MB", inSvg(" ".repeat(2_000_001)), "1 an SVG may be at most 2 MB"],
  ["has 300,000 elements", inSvg("<a/>".repeat(300_000)), `2 ${tooManyParts}`],
  ["has 300,000 references to characters", inSvg("&#9;".repeat(300_000)), `1 ${tooManyParts}`],
  ["has 390,000 instructions", inSvg("<?a?>".repeat(390_000)), `2 ${tooManyParts}`],
  ["has 300,000 attributes", inSvg('<a b="" c="" d=""/>'.repeat(75_000)), `2 ${tooManyParts}`],
  ["has a long comment and a doctype", `<!-- ${"x".repeat(10_000)} --><!DOCTYPE svg PUBLIC "a" "b">${svg}`, ""],
  ["embeds an image, names a gradient", inSvg(`<image href="${dataUri("png", png(1, 1))}"/><g fill="url(#a)"/>`), ""],
  ["has an event handler and links", inSvg('<a href="javascript:alert(1)"><g onload="alert(1)"/></a>'), ""],
  ["has a prefix for its namespace", '<s:svg xmlns:s="http://www.w3.org/2000/svg"/>', ""],
  ["has a byte order mark", `\ufeff${svg}`, ""],
];

export const assets: HostileFolder[] = [
  ...inFile("assets/a.png", [
    ["is empty", "", "1 the file is empty"],
    ["is HTML", "<html>", "1 its content is not a PNG image"],
    ["is a JPEG", jpeg(1, 1), contentIs("a JPEG image", ".png")],
    ["decodes to gigabytes", png(65_000, 65_000), "1 it is 65000 x 65000 pixels; …"],
  ]),
  ...inFile("assets/a.gif", [["is an SVG", svg, contentIs("an SVG image", ".gif")]]),
  ...inFile("assets/a.webp", [["is a font", woff2(), contentIs("a WOFF2 font", ".webp")]]),
  ...inFile("assets/a.otf", [["is text", "not a font", "1 its content is not a TrueType or OpenType font"]]),
  ...inFile("assets/a.woff2", [
    ["is a TrueType font", ttf(), contentIs("a TrueType or OpenType font", ".woff2")],
    ["is truncated", woff2({ length: 9_000 }), truncated],
    ["is only a signature", "wOF2", truncated],
    ["unpacks to 4 GB", woff2({ unpackedBytes: 4e9 }), unpacksTo4Gb],
  ]),
  ...inFile("assets/a.woff", [["unpacks to 4 GB", woff({ unpackedBytes: 4e9 }), unpacksTo4Gb]]),
  ...inFile("assets/a.svg", svgs),
];

export const liquid: HostileFolder[] = [
  ...inFile("pages/1.liquid", [
    ["has an unknown filter", "<p>\n<p>\n{{ name | nonsense }}", "3 there is no filter `nonsense`"],
    ["fails only with the sample data", "\n\n{{ name | barcode: 'ean13' }}", "3 barcode cannot encode `…"],
    ["names a missing asset", "\n{{ 'x.png' | asset }}", "2 there is no file assets/x.png"],
    ["assigns a missing asset", '{% assign a = "x.png" | asset %}', "1 there is no file assets/x.png"],
    ["computes a missing asset", "\n\n{{ 'x' | append: '.png' | asset }}", "3 there is no file assets/x.png"],
    ["names an asset called constructor", "{{ 'constructor' | asset }}", "1 there is no file assets/constructor"],
    ["has an output of a megabyte", `{{ '${"x".repeat(1e6)}' }}`, "1 the output is longer than 20000 characters"],
    ["has 100,000 outputs", "{{a}}".repeat(100_000), "1 the template has more than 20,000 texts, outputs and tags"],
    ["names a missing asset in a comment", "{% comment %}{{ 'x.png' | asset }}{% endcomment %}", ""],
  ]),
];
