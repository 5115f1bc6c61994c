// Folders that attack the checks themselves: their patterns, their limits, and their assumptions about each other.
import { dataUri, png } from "../../../../fixtures/images.ts";
import { bytesOf, gif, manifest, svg } from "../../../../fixtures/template-files.ts";
import { accepted, refused, type HostileFolder } from "../../../../fixtures/hostile-folder.ts";

const styles = (what: string, css: string, line: number, reason: RegExp) =>
  refused(`style.css ${what}`, { "style.css": css, "assets/a.gif": gif }, "style.css", line, reason);
const picture = (what: string, content: string | Uint8Array, line: number, reason: RegExp) =>
  refused(`a.svg ${what}`, { "assets/a.svg": content }, "assets/a.svg", line, reason);
const goodPicture = (what: string, content: string) => accepted(`a.svg ${what}`, { "assets/a.svg": content });
const inSvg = (content: string) => `<svg xmlns="http://www.w3.org/2000/svg">\n${content}</svg>`;
const withFields = (fields: object[], sample: object) => ({
  "template.json": manifest({ fields }),
  "sample.json": JSON.stringify(sample),
});

const missing = /^there is no file assets\/x\.png;/;
const bomb = png(30_000, 30_000);
const tooManyPixels = /it is 30000 x 30000 pixels/;
/** A `data:` URI of 300 SVGs, each inside the next. Each level escapes the percent signs of the levels inside it. */
const nestedSvgs = Array.from({ length: 300 }).reduce<string>(
  (inner) => `data:image/svg+xml,%3Csvg/${inner.replaceAll("%", "%25")}`,
  "",
);
const external = /^it refers to .*, which an image cannot load/;
const pictureOf40Megapixels = (index: number) => `${dataUri("png", png(8_000, 5_000))}#${index}`;

export const limits: HostileFolder[] = [
  refused(
    "sample.json is half a million escaped quotes",
    { "sample.json": `"${'\\"'.repeat(500_000)}` },
    "sample.json",
    1,
    /not closed before the end of its line/,
  ),
  refused(
    "sample.json has the same key 150,000 times",
    { "sample.json": `{${'"a":1,'.repeat(140_000)}"a":1}` },
    "sample.json",
    1,
    /^the key "a" occurs twice/,
  ),
  refused(
    "sample.json has a key of a megabyte",
    { "sample.json": `{"name":"","${"k".repeat(1_000_000)}":1}` },
    "sample.json",
    1,
    /^`k{60}…` is not a field/,
  ),
  refused(
    "sample.json is a megabyte of commas",
    { "sample.json": ",".repeat(1_000_000) },
    "sample.json",
    1,
    /not valid JSON/,
  ),
  refused(
    "sample.json has brackets only inside a string",
    { "sample.json": `{ "name": "", "x": "${"[".repeat(900_000)}" }` },
    "sample.json",
    1,
    /^`x` is not a field/,
  ),
  refused(
    "a page has an invalid byte after a million lines",
    { "pages/1.liquid": new Uint8Array(1_000_001).fill(10).fill(0xff, 1_000_000) },
    "pages/1.liquid",
    1_000_001,
    /^the line is not valid UTF-8/,
  ),
  refused(
    "a page has an invalid byte in the middle of a long line",
    { "pages/1.liquid": new Uint8Array(200_000).fill(0x61).fill(10, 99_998, 99_999).fill(0xff, 150_000, 150_001) },
    "pages/1.liquid",
    2,
    /^the line is not valid UTF-8/,
  ),
  refused(
    "a page names 150,000 missing assets",
    { "pages/1.liquid": "{{'x.png'|asset}}".repeat(100_000) },
    "pages/1.liquid",
    1,
    /^the template has more than 20,000 texts, outputs and tags$/,
  ),
  refused(
    "a page names an asset of a megabyte",
    { "pages/1.liquid": `{{ '${"x".repeat(1_000_000)}' | asset }}` },
    "pages/1.liquid",
    1,
    /^the output is longer than 20000 characters$/,
  ),
  refused(
    "a page opens 100,000 comments",
    { "pages/1.liquid": "{% comment %}".repeat(100_000) },
    "pages/1.liquid",
    1,
    /./,
  ),
  styles(
    "has a million strings that never end",
    '"\n'.repeat(1_000_000),
    1,
    /^the quoted text is not closed on its line$/,
  ),
  styles(
    "has a million malformed escapes",
    "\\\n".repeat(1_000_000),
    1,
    /^a backslash outside quotes cannot end a line$/,
  ),
  styles("has 250,000 imports", "@import;".repeat(250_000), 1, /^`@import` is not supported/),
  styles("ends its element 280,000 times", "</style".repeat(280_000), 1, /^`<\/style` would end the style sheet$/),
  styles("has a URL that never ends", "a{b:url(x.png}", 1, /^the `url\(` is never closed$/),
  styles("has the fallback of a variable", "a{b:var(--a, url(x.png))}", 1, missing),
  styles("has a second string in a URL", "a{b:url('a.gif' 'x.png')}", 1, missing),
  styles("has a second image in a set", "a{b:image-set('a.gif' 1x,\n'x.png' 2x)}", 2, missing),
  styles("names an asset in upper case", "a{b:url(A.gif)}", 1, /^there is no file assets\/A\.gif;/),
  styles("adds a query to an asset", "a{b:url(a.gif?v=1)}", 1, /^there is no file assets\/a\.gif\?v=1;/),
  styles("names a missing file after Windows line endings", "a{}\r\n\r\nb{c:url(x.png)}", 3, missing),
  styles("names a missing file after an emoji", "a{content:'\u{1f600}'}\nb{c:url(x.png)}", 2, missing),
  styles(
    "has a bomb in capitals",
    `a{b:url(${dataUri("png", bomb).replace("data:image/png", "DATA:IMAGE/PNG")})}`,
    1,
    tooManyPixels,
  ),
  styles("has a bomb whose scheme is escaped", `a{b:url(\\64 ${dataUri("png", bomb).slice(1)})}`, 1, tooManyPixels),
  styles("has a bomb after a space", `a{b:url(" ${dataUri("png", bomb)}")}`, 1, tooManyPixels),
  styles(
    "has a bomb inside 300 SVGs",
    `a{b:url('${nestedSvgs}')}`,
    1,
    /^the image in the `data:` URI cannot be used: .*nested more than 4 levels deep/,
  ),
  styles("imports with a long escape", "@\\000069mport 'x.css';", 1, /^`@import` is not supported/),
  picture("is UTF-16", Uint8Array.from(Buffer.from(`\ufeff${svg}`, "utf16le")), 1, /^the line is not valid UTF-8/),
  picture("has a null character", `${svg}\n\0`, 2, /control character U\+0000/),
  picture("has two roots", `${svg}\n${svg}`, 2, /^it is not well-formed XML: /),
  picture("has the HTML namespace", '<svg xmlns="http://www.w3.org/1999/xhtml"/>', 1, /^its root element needs xmlns=/),
  picture(
    "uses another prefix for the link of its image",
    '<svg xmlns="http://www.w3.org/2000/svg" xmlns:l="http://www.w3.org/1999/xlink">\n<image l:href="a.png"/></svg>',
    2,
    external,
  ),
  picture(
    "contains a page with an image",
    inSvg('<foreignObject><img xmlns="http://www.w3.org/1999/xhtml" src="https://example.com/a.png"/></foreignObject>'),
    2,
    external,
  ),
  picture(
    "has 30,000 images from servers",
    inSvg('<image href="https://example.com/a.png"/>'.repeat(30_000)),
    2,
    external,
  ),
  picture("contains 300 nested SVGs", inSvg(`<image href="${nestedSvgs}"/>`), 1, /nested more than 4 levels deep/),
  picture(
    "has a tag name of a megabyte",
    `<${"a".repeat(1_000_000)}/>`,
    1,
    /^its root element must be <svg>, but is <a{60}…>$/,
  ),
  picture("ends in the middle of a tag", '<svg xmlns="http://www.w3.org/2000/svg"', 1, /^it is not well-formed XML: /),
  refused(
    "sample.json has more than 100 megapixels in its images",
    withFields([{ key: "l", type: "list", items: "image" }], { l: [1, 2, 3].map(pictureOf40Megapixels) }),
    "sample.json",
    1,
    /^the image `l\.2` cannot be used: the images of one document may have at most 100 megapixels/,
  ),
  refused(
    "a default lacks a required field inside it",
    {
      "template.json": manifest({
        fields: [{ key: "o", type: "object", fields: [{ key: "a", type: "string", required: true }], default: {} }],
      }),
      "sample.json": "{}",
    },
    "template.json",
    15,
    /^fields\.0\.default: `o\.a` is required\.$/,
  ),
  refused(
    "8,000 fields have the same key",
    {
      "template.json": JSON.stringify({
        title: "x",
        pageSize: "A4",
        fields: Array.from({ length: 7_500 }, () => ({ key: "a", type: "text" })),
      }),
    },
    "template.json",
    1,
    /^fields\.1: the key "a" is used twice$/,
  ),
  refused(
    "template.json has 10,000 unknown properties",
    { "template.json": manifest(Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`p${index}`, 1]))) },
    "template.json",
    11,
    /^template\.json: "p0" is not a known property$/,
  ),
  refused(
    "template.json has a thousand mistakes",
    { "template.json": JSON.stringify({ title: "x", pageSize: "A4", fields: Array.from({ length: 1_000 }, () => 7) }) },
    "template.json",
    1,
    /^fields\.0: must be an object, got 7$/,
  ),
  goodPicture("has a prefix for its namespace", '<s:svg xmlns:s="http://www.w3.org/2000/svg"/>'),
  goodPicture("has a byte order mark", `\ufeff${svg}`),
  goodPicture("has a link to a script, which an image cannot follow", inSvg('<a href="javascript:alert(1)"><g/></a>')),
  accepted("an asset's name has 255 bytes", { [`assets/${"a".repeat(251)}.gif`]: gif }),
  accepted("an asset's name has two dots", { "assets/a..gif": gif, "style.css": "a{b:url(a..gif)}" }),
  accepted("a page is empty", { "pages/1.liquid": bytesOf("") }),
];
