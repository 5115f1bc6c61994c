// Folders with hostile styles, assets and Liquid.
import { dataUri, jpeg, png, gif as gifOf } from "../../../../fixtures/images.ts";
import { gif, svg, ttf, woff, woff2 } from "../../../../fixtures/template-files.ts";
import { accepted, refused, type HostileFolder } from "../../../../fixtures/hostile-folder.ts";

const wrongStyles = (what: string, css: string, line: number, reason: RegExp) =>
  refused(`style.css ${what}`, { "style.css": css, "assets/a.gif": gif }, "style.css", line, reason);
const rightStyles = (what: string, css: string) =>
  accepted(`style.css ${what}`, { "style.css": css, "assets/a.gif": gif });
const wrongAsset = (name: string, what: string, content: string | Uint8Array, line: number, reason: RegExp) =>
  refused(`assets/${name} ${what}`, { [`assets/${name}`]: content }, `assets/${name}`, line, reason);
const wrongSvg = (what: string, content: string, line: number, reason: RegExp) =>
  wrongAsset("a.svg", what, content, line, reason);
const wrongPage = (what: string, page: string, line: number, reason: RegExp) =>
  refused(`a page ${what}`, { "pages/1.liquid": page }, "pages/1.liquid", line, reason);

const missing = /^there is no file assets\/x\.png; style\.css can use only files in assets\/$/;
const noImport = /^`@import` is not supported; put the styles into style\.css$/;
const inSvg = (content: string, attributes = "") =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"${attributes}>\n${content}</svg>`;
const xml = (words: string) => new RegExp(`^it is not well-formed XML: .*${words}`);
const external = /^it refers to .*, which an image cannot load; embed the file as a `data:` URI$/;

export const styles: HostileFolder[] = [
  wrongStyles("names a missing file", "a{\n b:url(x.png)}", 2, missing),
  wrongStyles("names a missing file in double quotes", 'a{b:url("x.png")}', 1, missing),
  wrongStyles("names a missing file with an escaped url", "a{}\nb{c:u\\72l(x.png)}", 2, missing),
  wrongStyles("names a missing file with every letter escaped", "a{b:\\75\\72\\6c(\\78\\2epng)}", 1, missing),
  wrongStyles("names a missing file after line ends", "a{b:url(\n\n x.png\n)}", 1, missing),
  wrongStyles("names a missing file in image-set", "a{\n\n b:image-set('x.png' 1x)}", 3, missing),
  wrongStyles("names a missing file in -webkit-image-set", "a{b:-webkit-image-set(\n'x.png' 1x)}", 2, missing),
  wrongStyles("names a missing file in an escaped image-set", "a{b:image\\2dset('x.png' 1x)}", 1, missing),
  wrongStyles("names a missing file in src()", "@font-face{src:src('x.png')}", 1, missing),
  wrongStyles("names a missing font", "@font-face{\nsrc:url(x.png) format('woff2')}", 2, missing),
  wrongStyles("names a missing file in a custom property", ":root{--a:url(x.png)}", 1, missing),
  wrongStyles(
    "names a missing file inside @media and @supports",
    "@media print{@supports (a:b){\nc{d:url(x.png)}}}",
    2,
    missing,
  ),
  wrongStyles("names a missing file in a nested rule", "a{&:hover{\nb:url(x.png)}}", 2, missing),
  wrongStyles("names a missing file in a declaration that is not valid", "a{:::b:url(x.png);;}", 1, missing),
  wrongStyles(
    "names a file of the host",
    "a{b:url(file:///etc/passwd)}",
    1,
    /^there is no file assets\/file:\/\/\/etc\/passwd;/,
  ),
  wrongStyles(
    "names a file outside of assets",
    "a{b:url(../template.json)}",
    1,
    /^there is no file assets\/\.\.\/template\.json;/,
  ),
  wrongStyles("names a URL", "a{b:url(//example.com/x.png)}", 1, /^there is no file assets\/\/\/example\.com\/x\.png;/),
  wrongStyles(
    "names a URL of a megabyte",
    `a{b:url(${"x".repeat(1_000_000)})}`,
    1,
    /^there is no file assets\/x{60}…;/,
  ),
  wrongStyles("imports a style sheet", "a{}\n@import 'x.css';", 2, noImport),
  wrongStyles("imports a style sheet with an escape", "@\\69 mport url(x.css);", 1, noImport),
  wrongStyles("imports a style sheet in capitals", "@IMPORT'x.css';", 1, noImport),
  wrongStyles("imports a style sheet after a comment", "/* @import */\n@import/**/'x.css';", 2, noImport),
  wrongStyles(
    "ends its element",
    "a{}\n/* </style><script>alert(1)</script> */",
    2,
    /^`<\/style` would end the style sheet$/,
  ),
  wrongStyles(
    "ends its element inside a string",
    "a{content:'</STYLE\t>'}",
    1,
    /^`<\/style` would end the style sheet$/,
  ),
  wrongStyles("has a URL with a space", "a{b:url(a b.gif)}", 1, /^`url\(a b\.gif\)` is not a valid `url\(\)`/),
  wrongStyles("has an empty URL", "a{b:url('')}", 1, /^`url\(\)` does not name a file$/),
  wrongStyles("has a comment that never ends", "a{}\n/* b", 2, /^the comment is never closed$/),
  wrongStyles("has a string that never ends", "a{\ncontent:'x\n}", 2, /^the quoted text is not closed on its line$/),
  wrongStyles("has a block that never ends", "a{}\nb{c:d", 2, /^`{` is never closed$/),
  wrongStyles("closes a block twice", "a{}\n}", 2, /^`}` closes nothing$/),
  wrongStyles("nests a million brackets", "(".repeat(1_000_000), 1, /^brackets are nested more than 100 levels deep$/),
  wrongStyles("nests 100,000 rules", "a{".repeat(100_000), 1, /^brackets are nested more than 100 levels deep$/),
  wrongStyles(
    "has a bomb as a `data:` URI",
    `\na{b:url(${dataUri("gif", gifOf(60_000, 60_000))})}`,
    2,
    /^the image in the `data:` URI cannot be used: it is 60000 x 60000 pixels/,
  ),
  refused(
    "style.css uses a large asset ten thousand times",
    { "style.css": "a{b:url(a.gif)}".repeat(10_000), "assets/a.gif": gif + "x".repeat(100_000) },
    "style.css",
    1,
    /^the styles and the files that they use are larger than 26 MB in total/,
  ),
  rightStyles(
    "has every harmless form of a reference",
    "/* @import 'x'; url(x.png) */ @namespace svg url(http://www.w3.org/2000/svg); a{b:url(#a);content:'url(x.png)';c:image-set('a.gif' type('image/gif') 1x)}",
  ),
  rightStyles("is empty", ""),
  rightStyles("names an asset in odd ways", "a{b:u\\52l( './a.gif' );c:url(\n%61.gif\n);d:URL(assets/a.gif)}"),
];

export const assets: HostileFolder[] = [
  wrongAsset("a.png", "is empty", "", 1, /^the file is empty$/),
  wrongAsset("a.png", "is HTML", "<html>", 1, /^its content is not a PNG image$/),
  wrongAsset("a.png", "is a JPEG", jpeg(1, 1), 1, /^its content is a JPEG image, but its name ends in \.png$/),
  wrongAsset("a.jpg", "is a PNG", png(1, 1), 1, /^its content is a PNG image, but its name ends in \.jpg$/),
  wrongAsset("a.gif", "is an SVG", svg, 1, /^its content is an SVG image, but its name ends in \.gif$/),
  wrongAsset("a.webp", "is a font", woff2(), 1, /^its content is a WOFF2 font, but its name ends in \.webp$/),
  wrongAsset("a.png", "decodes to gigabytes", png(65_000, 65_000), 1, /^it is 65000 x 65000 pixels/),
  wrongAsset("a.png", "ends in the middle of its header", png(1, 1).subarray(0, 18), 1, /^its content is not a PNG/),
  wrongAsset("a.gif", "has no width", gifOf(0, 0), 1, /^its content is not a GIF image$/),
  wrongAsset("a.woff2", "is text", "not a font", 1, /^its content is not a WOFF2 font$/),
  wrongAsset("a.woff2", "is a GIF", gif, 1, /^its content is a GIF image, but its name ends in \.woff2$/),
  wrongAsset(
    "a.woff2",
    "is a TrueType font",
    ttf(),
    1,
    /^its content is a TrueType or OpenType font, but its name ends in \.woff2$/,
  ),
  wrongAsset("a.woff2", "is a WOFF font", woff(), 1, /^its content is a WOFF font, but its name ends in \.woff2$/),
  wrongAsset("a.woff2", "is truncated", woff2({ length: 9_000 }), 1, /^the font is truncated or damaged/),
  wrongAsset("a.woff2", "consists of only a signature", "wOF2", 1, /^the font is truncated or damaged/),
  wrongAsset(
    "a.woff2",
    "unpacks to 4 GB",
    woff2({ unpackedBytes: 4_000_000_000 }),
    1,
    /^it unpacks to 4000000000 bytes/,
  ),
  wrongAsset("a.ttf", "is a WOFF2 font", woff2(), 1, /^its content is a WOFF2 font, but its name ends in \.ttf$/),
  wrongAsset("a.otf", "is text", "not a font", 1, /^its content is not a TrueType or OpenType font$/),
  wrongAsset("a.otf", "is a WOFF font", woff(), 1, /^its content is a WOFF font, but its name ends in \.otf$/),
  wrongAsset("a.woff", "is a WOFF2 font", woff2(), 1, /^its content is a WOFF2 font, but its name ends in \.woff$/),
  wrongAsset("a.woff", "consists of only a signature", "wOFF", 1, /^the font is truncated or damaged/),
  wrongAsset("a.woff", "is truncated", woff({ length: 9_000 }), 1, /^the font is truncated or damaged/),
  wrongAsset("a.woff", "ends in its header", woff().subarray(0, 40), 1, /^the font is truncated or damaged/),
  wrongAsset(
    "a.woff",
    "says that it unpacks to 4 GB",
    woff({ unpackedBytes: 4_000_000_000 }),
    1,
    /^it unpacks to 4000000000 bytes/,
  ),
  wrongSvg("is HTML", "\n<html></html>", 2, /^its root element must be <svg>, but is <html>$/),
  wrongSvg("begins with the HTML doctype", "<!doctype html>\n<html></html>", 1, xml("")),
  wrongSvg("is text", "hello", 1, xml("")),
  wrongSvg("is a PNG", "\ufffd", 1, /^the line is not valid UTF-8/),
  wrongAsset("a.svg", "is compressed", Uint8Array.of(0x1f, 0x8b, 8, 0), 1, /control character U\+001F/),
  wrongAsset(
    "a.svg",
    "is Latin-1",
    Uint8Array.from(Buffer.from(inSvg("\u00e9"), "latin1")),
    2,
    /^the line is not valid UTF-8/,
  ),
  wrongSvg("has no namespace", "<svg/>", 1, /^its root element needs xmlns="http:\/\/www\.w3\.org\/2000\/svg"/),
  wrongSvg("is not closed", inSvg("<g>\n").replace("</svg>", ""), 3, xml("unclosed tag")),
  wrongSvg("has overlapping elements", inSvg("<g><a></g></a>"), 2, xml("")),
  wrongSvg("has an attribute without quotes", inSvg("<g id=a/>"), 2, xml("unquoted attribute value")),
  wrongSvg("has an attribute twice", inSvg('<g id="a" id="b"/>'), 2, xml("duplicate attribute")),
  wrongSvg("has an HTML entity", inSvg("<text>&nbsp;</text>"), 2, xml("entity")),
  wrongSvg(
    "declares an entity that contains other entities",
    `<!DOCTYPE svg [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>\n${inSvg("&b;")}`,
    1,
    /^it declares entities in its DOCTYPE; write their values instead$/,
  ),
  wrongSvg(
    "declares an external entity",
    `<!DOCTYPE svg [<!ENTITY a SYSTEM "file:///etc/passwd">]>\n${inSvg("&a;")}`,
    1,
    /^it declares entities in its DOCTYPE/,
  ),
  wrongSvg("has an image from a server", inSvg('<image href="https://example.com/a.png"/>'), 2, external),
  wrongSvg("has an image from a file of the host", inSvg('<image xlink:href="file:///etc/passwd"/>'), 2, external),
  wrongSvg("uses a shape from another file", inSvg('\n<use href="shapes.svg#a"/>'), 3, external),
  wrongSvg(
    "contains a bomb",
    inSvg(`<image href="${dataUri("png", png(30_000, 30_000))}"/>`),
    1,
    /^an image inside it cannot be used: it is 30000 x 30000 pixels/,
  ),
  wrongSvg(
    "is nested 100,000 levels deep",
    inSvg("<g>".repeat(100_000)),
    2,
    /^elements are nested more than 256 levels deep$/,
  ),
  wrongSvg("is larger than 2 MB", inSvg(" ".repeat(2_000_001)), 1, /^an SVG may be at most 2 MB$/),
  accepted("an SVG has a comment of 10 kB, a link, an event handler and an embedded image", {
    "assets/a.svg": `<?xml version="1.0" encoding="utf-8"?><!-- ${"x".repeat(10_000)} --><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">${inSvg(`<a href="https://example.com"><image href="${dataUri("png", png(1, 1))}"/></a><g fill="url(#a)"/>`, ' onload="alert(1)"')}`,
  }),
];

export const liquid: HostileFolder[] = [
  wrongPage("has an unknown filter", "<p>\n<p>\n{{ name | nonsense }}", 3, /^there is no filter `nonsense`$/),
  refused(
    "a page fails only with the sample data",
    { "pages/1.liquid": "\n\n{{ name | barcode: 'ean13' }}" },
    "pages/1.liquid",
    3,
    /EAN-13/,
  ),
  wrongPage("names a missing asset", "\n{{ 'x.png' | asset }}", 2, /^there is no file assets\/x\.png$/),
  wrongPage(
    "names a missing asset in an assignment",
    '{% assign a = "x.png" | asset %}',
    1,
    /^there is no file assets\/x\.png$/,
  ),
  wrongPage(
    "computes the name of a missing asset",
    "\n\n{{ 'x' | append: '.png' | asset }}",
    3,
    /there is no file assets\/x\.png/,
  ),
  wrongPage(
    "names a file outside of assets",
    "{{ '../template.json' | asset }}",
    1,
    /^there is no file assets\/\.\.\/template\.json$/,
  ),
  wrongPage(
    "names an asset called constructor",
    "{{ 'constructor' | asset }}",
    1,
    /^there is no file assets\/constructor$/,
  ),
  refused(
    "header.liquid names a missing asset",
    { "header.liquid": "\n{{ 'x.png' | asset }}" },
    "header.liquid",
    2,
    /^there is no file assets\/x\.png$/,
  ),
  accepted("a comment names a missing asset", {
    "pages/1.liquid": "{% comment %}{{ 'x.png' | asset }}{% endcomment %}",
  }),
];
