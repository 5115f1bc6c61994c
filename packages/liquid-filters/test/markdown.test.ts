import { expect, it } from "vitest";
import { measured } from "colophon-test-kit/cpu-time";
import { markdownHtml, maxMarkdownChars } from "../src/markdown.ts";

it.each([
  ["a heading", "# Terms", "<h1>Terms</h1>"],
  ["emphasis", "*a* **b** ***c***", "<p><em>a</em> <strong>b</strong> <em><strong>c</strong></em></p>"],
  ["code", "`a < b`", "<p><code>a &lt; b</code></p>"],
  ["a list in a list", "- a\n  - b", "<ul>\n<li>a\n<ul>\n<li>b</li>\n</ul>\n</li>\n</ul>"],
  ["strikethrough", "~~old~~ new", "<p><s>old</s> new</p>"],
])("markdown renders %s", (_what, text, html) => {
  expect(markdownHtml(text).trim()).toBe(html);
});

it("markdown draws a table with aligned columns", () => {
  const html = markdownHtml("| Item | Price |\n|---|--:|\n| Ink | 4.50 |");

  expect(html.replaceAll("\n", "")).toBe(
    '<table><thead><tr><th>Item</th><th style="text-align:right">Price</th></tr></thead>' +
      '<tbody><tr><td>Ink</td><td style="text-align:right">4.50</td></tr></tbody></table>',
  );
});

it("markdown is refused when it is too long, with a message that states the maximum length", () => {
  expect(() => markdownHtml("a".repeat(maxMarkdownChars + 1))).toThrow(
    "markdown accepts up to 200,000 characters, got 200001",
  );
});

it.each([
  "<script>alert(1)</script>",
  "<img src=x onerror=alert(1)>",
  "a <b onclick='x'>b</b>",
  "<!-- comment -->",
  "<?php ?>",
  "<![CDATA[x]]>",
  "</section></body>",
  '`<b>` <i title="`">',
  "> <iframe src=//x>",
])("untrusted markdown shows the tags of %s as text", (text) => {
  const tags = markdownHtml(text).match(/<\/?[a-z!?][^>]*>/gi) ?? [];

  expect(tags.filter((tag) => !/^<\/?(?:p|code|blockquote)>$/.test(tag))).toEqual([]);
});

it.each(["https://a.example/?q=1&r", "http://a.example", "HTTPS://A.example", "mailto:a@b.example", "tel:+31", "#top"])(
  "untrusted markdown links to %s",
  (target) => {
    expect(markdownHtml(`[text](${target})`)).toMatch(/^<p><a href="[^"]+">text<\/a><\/p>$/m);
  },
);

it.each([
  "[text](javascript:alert(1))",
  "[text](JaVaScRiPt:alert(1))",
  "[text](&#106;avascript:alert(1))",
  "[text](<java\tscript:alert(1)>)",
  "[text](vbscript:x)",
  "[text](file:///etc/passwd)",
  "[text](data:text/html;base64,PHN2Zz4=)",
  "[text](data:image/png;base64,AAAA)",
  "[text](//host/path)",
  "[text](relative)",
  "[text][1]\n\n[1]: javascript:alert(1)",
])("untrusted markdown removes only the link target of %s", (text) => {
  expect(markdownHtml(text).trim()).toBe("<p><a>text</a></p>");
});

it("untrusted markdown does not turn <javascript:...> into a link", () => {
  expect(markdownHtml("<javascript:alert(1)>").trim()).toBe("<p><a>javascript:alert(1)</a></p>");
});

it("untrusted markdown cannot break out of an attribute", () => {
  const html = markdownHtml('[a](https://x.example/"onmouseover="y \'" onclick="z\')');

  expect(html.trim()).toBe(
    '<p><a href="https://x.example/%22onmouseover=%22y" title="&quot; onclick=&quot;z">a</a></p>',
  );
});

it.each(["![a <b>](https://x.example/i.png)", "![a <b>](i.png)", "![a <b>](data:text/html,x)"])(
  "untrusted markdown shows the description in place of the image in %s",
  (text) => {
    expect(markdownHtml(text).trim()).toBe("<p>a &lt;b&gt;</p>");
  },
);

it("untrusted markdown turns an image with a `data:` URI into an `<img>` element", () => {
  expect(markdownHtml("![a](data:image/png;base64,iVBORw0KGgo=)").trim()).toBe(
    '<p><img src="data:image/png;base64,iVBORw0KGgo=" alt="a"></p>',
  );
});

const filled = (part: string) => part.repeat(maxMarkdownChars / part.length);

it.each([
  ["open brackets", filled("[")],
  ["open links", filled("[a](")],
  ["open images", filled("![")],
  ["nested links", "[".repeat(50_000) + "a" + "](b)".repeat(30_000)],
  ["nested quotes", filled(">")],
  ["rows of quotes", filled(`${">".repeat(200)}a\n`)],
  ["nested lists", filled("- ")],
  ["emphasis that never closes", filled("*a ")],
  ["emphasis of two kinds", filled("*a_ ")],
  ["emphasis inside words", filled("a**b")],
  ["strikethrough", filled("~~a")],
  ["runs of backticks of different lengths", Array.from({ length: 600 }, (_, length) => "`".repeat(length)).join(" ")],
  ["open tags", filled("<a ")],
  ["open comments", filled("<!--")],
  ["titles that never close", filled('[a](b "')],
  ["definitions", filled("[a]: ")],
  ["fences", filled("```\n")],
  ["lines", filled("a\n")],
])(
  "markdown that is designed to be slow to parse takes time in proportion to its length: %s",
  (_what, text) => {
    markdownHtml(text);

    const { result: html, cpuMs } = measured(() => markdownHtml(text));

    // The bound is ten microseconds per character. Prose takes a twentieth of this time. For a text of this length, a parser
    // with quadratic running time takes a thousand times as long as the bound.
    expect(cpuMs).toBeLessThan(maxMarkdownChars / 100);
    expect(html.length).toBeLessThan(20 * maxMarkdownChars);
  },
  20_000,
);

it("markdown that is designed to be slow to parse is refused when emphasis is nested hundreds of levels deep", () => {
  const text = `${"*a **b ".repeat(500)}c${"** d* ".repeat(500)}`;

  expect(() => markdownHtml(text)).toThrow("markdown is nested more than 100 levels deep");
});

it("markdown that is designed to be slow to parse is refused when its tables would have too many cells after their rows are padded", () => {
  const table = `${"|a".repeat(200)}\n${"|-".repeat(200)}\n${"|\n".repeat(400)}\n`;

  expect(() => markdownHtml(filled(table))).toThrow("markdown has too many parts; use fewer or smaller tables");
});

it.each([
  ["quotes", ">".repeat(1_000)],
  ["lists", "- ".repeat(1_000)],
])("markdown that is designed to be slow to parse is nested no deeper than a browser can handle: %s", (_what, text) => {
  let depth = 0;
  let deepest = 0;
  for (const [tag] of markdownHtml(text).matchAll(/<\/?[a-z]+>/g)) {
    depth += tag.startsWith("</") ? -1 : 1;
    deepest = Math.max(deepest, depth);
  }

  expect(deepest).toBeLessThan(250);
});
