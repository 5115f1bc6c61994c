import { expect, it } from "vitest";
import { styleAssets } from "../../src/folder/used/used-styles.ts";
import { pageReferenceEdits, referenceFunctions, inlineStyleAssets } from "../../src/styles/reference-styles.ts";

/** Returns the styles with page references replaced, without the list of attributes at the end. */
function rewritten(css: string): string {
  return (
    inlineStyleAssets(css, [], new Map(), pageReferenceEdits(css)).split("\n:root{--colophon-references:")[0] ?? ""
  );
}

const decimal = "attr(data-colophon-page-decimal-of-href)";
const dot = "attr(data-colophon-leader-002e)";

it.each([
  ["target-counter(attr(href), page)", decimal],
  ["target-counter(attr(href url), page)", decimal],
  ["TARGET-COUNTER( ATTR( HREF ) , PAGE )", decimal],
  ["target-counter(attr(href)/* the link */,page,decimal)", decimal],
  ["target-counter(attr(href), page, lower-roman)", "attr(data-colophon-page-lower-roman-of-href)"],
  ["target-counter(attr(data-ref), page)", "attr(data-colophon-page-decimal-of-data-ref)"],
  ["target-counter(attr(href), Part-Page)", "attr(data-colophon-page-part-of-href)"],
])("a page reference becomes an attribute: %s", (reference, attribute) => {
  expect(rewritten(`a::after{content:"p. " ${reference}}`)).toBe(`a::after{content:"p. " ${attribute}}`);
});

it.each([
  "target-counter(attr(href), section)",
  "target-counter(attr(href), page, disclosure-open)",
  "target-counter(attr(href), page, part)",
  "target-counter(attr(href), part-page, lower-roman)",
  'target-counter("#end", page)',
  "target-counter(url(#end), page)",
  "target-counter(attr(href), page, decimal, x)",
  "target-counter(attr(), page)",
  "target-counter()",
  "target-counters(attr(href), page, '.')",
])("an unsupported page reference is not changed: %s", (reference) => {
  const css = `a::after{content:${reference}}`;

  expect(rewritten(css)).toBe(css);
});

it.each([
  [
    '" (" target-counter(attr(href), chapter) " on page " target-counter(attr(href), page) ")"',
    `" (" "" " on page " ${decimal} ")"`,
  ],
  ['target-text(attr(href)) leader(".") target-counter(attr(href), page)', `"" ${dot} ${decimal}`],
  ["target-counter(attr(href), page) target-counters(attr(href), section, '.')", `${decimal} ""`],
  ["TARGET-TEXT(attr(href url), before) target-counter(attr(href), page)", `"" ${decimal}`],
  ['leader("") target-counter(attr(href), page)', `"" ${decimal}`],
])("an unsupported reference is empty beside a page reference: %s", (content, expected) => {
  expect(rewritten(`b{c:d}a::after{content:${content}}`)).toBe(`b{c:d}a::after{content:${expected}}`);
});

it.each([
  "a::after{content:target-text(attr(href));content:TARGET}",
  "a::after{content:TARGET}b::after{content:target-counter(attr(href), chapter)}",
  "a{b:c;content:target-counters(attr(href), page, '.')}i{content:TARGET}",
])("an unsupported reference in a different declaration stays as it is: %s", (css) => {
  const source = css.replace("TARGET", "target-counter(attr(href), page)");

  expect(rewritten(source)).toBe(css.replace("TARGET", decimal));
});

it.each([
  ['leader(".")', dot],
  ["Leader( '.' )", dot],
  ["leader(dotted)", "attr(data-colophon-leader-002e0020)"],
  ["leader(solid)", "attr(data-colophon-leader-005f)"],
  ["leader(space)", "attr(data-colophon-leader-0020)"],
  ['leader(". · ")', "attr(data-colophon-leader-002e002000b70020)"],
  ['leader("😀")', "attr(data-colophon-leader-d83dde00)"],
])("a leader becomes an attribute: %s", (leader, attribute) => {
  expect(rewritten(`a::after{content:${leader}}`)).toBe(`a::after{content:${attribute}}`);
});

it.each([
  'leader("")',
  "leader()",
  "leader(dashed)",
  'leader("." ".")',
  'leader("\\a")',
  `leader("${"x".repeat(21)}")`,
])("an unsupported leader is not changed: %s", (leader) => {
  const css = `a::after{content:${leader}}`;

  expect(rewritten(css)).toBe(css);
});

it.each([
  "a::after{content:'target-counter(attr(href), page)'}",
  '/* leader(".") target-counter(attr(href), page) */',
  "a{background:url(leader(.png)}",
  ".leader{--target-counter:1}",
])("the rewritten styles keep text that only looks like a function: %s", (css) => {
  expect(rewritten(css)).toBe(css);
});

it("the rewritten styles end with a list of the attributes, each of which occurs once", () => {
  const css = 'a::after{content:leader(".") target-counter(attr(href), page)} b::after{content:leader(".")}';

  const styles = inlineStyleAssets(css, [], new Map(), pageReferenceEdits(css));

  expect(styles).toBe(
    `a::after{content:${dot} ${decimal}} b::after{content:${dot}}\n` +
      ":root{--colophon-references:data-colophon-leader-002e data-colophon-page-decimal-of-href}",
  );
});

it("the rewritten styles contain the assets", () => {
  const css = 'i{background:url(x.svg)} a::after{content:leader(".")} b{background:url("x.svg")}';
  const { assets } = styleAssets(css, new Set(["x.svg"]));

  const styles = inlineStyleAssets(css, assets, new Map([["x.svg", "data:x"]]), pageReferenceEdits(css));

  expect(styles).toContain(`i{background:url("data:x")} a::after{content:${dot}} b{background:url("data:x")}\n`);
});

it("styles without page references are not changed", () => {
  expect(pageReferenceEdits("a{color:red} b::after{content:counter(page)}")).toEqual([]);
});

it("unsupported functions in styles are found with their positions", () => {
  const css = "a::after{content:target-counter(attr(href), section) leader(dotted)}";

  const found = referenceFunctions(css);

  expect(found.map(({ start, end, name }) => [css.slice(start, end), name])).toEqual([
    ["target-counter(attr(href), section)", null],
    ["leader(dotted)", "data-colophon-leader-002e0020"],
  ]);
});

it("functions that are never closed and deeply nested brackets are read in time proportional to their length", () => {
  const css = "a{content:leader(".repeat(20_000) + "(".repeat(200_000);

  expect(() => pageReferenceEdits(css)).not.toThrow();
});
