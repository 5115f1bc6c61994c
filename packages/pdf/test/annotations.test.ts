import { expect, it } from "vitest";
import { readPdf } from "colophon-test-kit/pdf-reader";
import { assembled, chromiumPdf } from "./inputs.ts";

const link = (entries: string) => `<</Type /Annot /Subtype /Link /Rect [0 0 9 9] ${entries} /StructParent 1>>`;
const uri = (source: string) => link(`/A <</Type /Action /S /URI /URI ${source}>>`);

const kept = (target: string) => `<</Type /Annot/Subtype /Link/Rect [0 0 9 9]${target}/StructParent 1>>`;

/** Assembles a file with one annotation, and returns the resulting annotation. */
function checked(annotation: string, more: string[] = []) {
  const { bytes, removedLinks } = assembled(chromiumPdf({ page: "/Annots [6 0 R]", more: [annotation, ...more] }));
  return { removedLinks, source: readPdf(bytes).objects.get(6) ?? "" };
}

/** Returns UTF-16 with a byte order mark in hexadecimal. */
const utf16 = (text: string) =>
  `<FEFF${Array.from(text, (character) => character.charCodeAt(0).toString(16).padStart(4, "0")).join("")}>`;

it.each([
  ["a web page", "(https://example.com/a%20b?c=\\(d\\)#e)"],
  ["a mail address", "(mailto:ada@example.com?subject=Hello)"],
  ["a telephone number with spaces", "(tel:+49 30 1234)"],
  ["a scheme in upper case", "(HTTPS://example.com/)"],
])("an annotation keeps its target if it is %s", (_what, url) => {
  const { source, removedLinks } = checked(uri(url));

  expect([source, removedLinks]).toEqual([kept(`/A <</S /URI/URI ${url}>>`), 0]);
});

it("an annotation keeps its target if it is a URL in hexadecimal", () => {
  const { source } = checked(uri("<68747470733a2f2f612e6465762f>"));

  expect(source).toBe(kept("/A <</S /URI/URI (https://a.dev/)>>"));
});
it("an annotation keeps its target if the action is a separate object", () => {
  const { source, removedLinks } = checked(link("/A 7 0 R"), ["<</S /URI /URI (https://a.dev/) /Next 8 0 R>>"]);

  expect([source, removedLinks]).toEqual([kept("/A <</S /URI/URI (https://a.dev/)>>"), 0]);
});

it.each([
  ["a script", uri("(javascript:alert\\(1\\))")],
  ["a script after white space", uri("(\\n\\t javascript:alert)")],
  ["an allowed scheme after a control character", uri("(\\001https://a.dev)")],
  ["a script in UTF-16", uri(utf16("javascript:alert"))],
  ["a web page in UTF-16", uri(utf16("https://a.dev"))],
  ["an allowed scheme whose colon is escaped", uri("(https%3A//a.dev)")],
  ["a control character inside the URL", uri("(https://a.dev\\r\\njavascript:x)")],
  ["a local file", uri("(file:///etc/passwd)")],
  ["a URL that only begins like an allowed one", uri("(httpsx://a.dev)")],
  ["an empty URL", uri("()")],
  ["a name instead of a URL", uri("/https:")],
  ["an action that runs a script", link("/A <</S /JavaScript /JS (app.alert\\(1\\))>>")],
  ["an action for which it is only half described", link("/A <</URI (https://a.dev)>>")],
  ["an action that goes to a place in the file", link("/A <</S /GoTo /D [3 0 R /Fit]>>")],
  ["a place on a page", link("/Dest [3 0 R /XYZ 0 5 null]")],
  ["a destination that is a number", link("/Dest 7")],
  ["a form field", "<</Type /Annot /Subtype /Widget /FT /Btn /Rect [0 0 9 9] /A 7 0 R /StructParent 1>>"],
  ["a link of no subtype", "<</Type /Annot /Rect [0 0 9 9] /A <</S /URI /URI (https://a)>> /StructParent 1>>"],
])("an annotation loses its target, and stays in the tag tree, if it is %s", (_what, annotation) => {
  const { source, removedLinks } = checked(annotation, ["<</S /JavaScript /JS (x)>>"]);

  expect(source).toMatch(/^<<\/Type \/Annot.*\/Rect \[0 0 9 9\]\/StructParent 1>>$/);
  expect(source).not.toMatch(/\/(A|Dest|FS|FT)\b/);
  expect(removedLinks).toBe(1);
});

it("the annotations of a page keep an allowed target when a different action is removed", () => {
  const { source, removedLinks } = checked(
    link("/AA <</E <</S /JavaScript>>>> /PA 7 0 R /A <</S /URI /URI (https://a.dev/) /Next <</S /Launch>>>>"),
  );

  expect(source).toContain("/A <</S /URI/URI (https://a.dev/)>>/StructParent 1>>");
  expect(source).not.toMatch(/AA|PA|JavaScript|Launch|Next/);
  expect(removedLinks).toBe(1);
});

it("the annotations of a page are checked wherever the file stores their list", () => {
  const list = `[${uri("(file:///a)")} 7 0 R null 99 0 R]`;

  const { bytes, removedLinks } = assembled(
    chromiumPdf({ page: "/Annots 6 0 R", more: [list, uri("(javascript:b)")] }),
  );

  const { objects } = readPdf(bytes);
  expect(objects.get(3)).toMatch(/\/Annots \[<<\/Type \/Annot[^>]*>> 7 0 R\]/);
  expect(objects.get(7)).not.toContain("javascript");
  expect(removedLinks).toBe(2);
});

it("the annotations of a page trigger nothing when the page is opened", () => {
  const page = "/AA <</O <</S /JavaScript /JS (x)>>>>";

  const { bytes } = assembled(chromiumPdf({ page }));

  expect(readPdf(bytes).objects.get(3)).not.toMatch(/AA|JavaScript/);
});
