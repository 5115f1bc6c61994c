// Says where each figure is on its page, because a reader may show it larger.
import { streamAt, type PdfFile } from "colophon-pdf/open-pdf";
import type { Box, Page } from "colophon-pdf/page-tree";
import { dictionaryOf, isReference, name, type PdfDictionary } from "colophon-pdf/values";
import { contentBoxes, matrixOf, rectangle, transformed, united } from "./content-boxes.ts";
import { decodedContent } from "./decoded-content.ts";
import { formsInside, objectsIn } from "./marked-streams.ts";
import { isContent, tagsIn, type MarkedContent, type Tag } from "./structure-tree.ts";

const figureTypes = /^(?:Figure|Formula)$/;

/** Reads each page with a figure once. `forms` has the resources of the forms that are painted. */
export function placeFigures(
  top: Tag,
  file: PdfFile,
  pages: readonly Page[],
  forms: ReadonlyMap<number, PdfDictionary>,
): void {
  const figures = tagsIn(top)
    .filter(({ type }) => figureTypes.test(type))
    .map((tag) => ({ tag, contents: tagsIn(tag).flatMap(({ kids }) => kids.filter(isContent)) }));
  for (const [number, onPage] of Map.groupBy(figures, ({ contents }) => contents[0]?.page)) {
    const page = pages.find((candidate) => candidate.number === number);
    if (!page) continue;
    const boxOf = boxReader(file, page, forms);
    for (const { tag, contents } of onPage) {
      const found = contents.filter((content) => content.page === number).flatMap((content) => boxOf(content) ?? []);
      const box = found.reduce<Box | null>(united, null);
      if (box) tag.entries.set("A", dictionaryOf({ O: name("Layout"), BBox: cornersOf(box, page.box) }));
    }
  }
}

/** The part on the page, in hundredths of a point. */
function cornersOf(box: Box, page: Box): number[] {
  const clamp = (value: number, from: number, to: number) =>
    Math.round(Math.min(Math.max(value, from), to) * 100) / 100;
  const [left, right] = [box.left, box.right].map((x) => clamp(x, page.left, page.right));
  const [bottom, top] = [box.bottom, box.top].map((y) => clamp(y, page.bottom, page.top));
  return [left ?? 0, bottom ?? 0, right ?? 0, top ?? 0];
}

/** Content of a form is where the form is painted. */
function boxReader(file: PdfFile, page: Page, forms: ReadonlyMap<number, PdfDictionary>) {
  const objects = objectsIn(file, page.resources);
  const contents = page.dictionary.get("Contents");
  const { bytes } = decodedContent(file, isReference(contents) ? contents.number : 0);
  const boxes = contentBoxes(bytes, (key) => formBox(file, objects.get(key) ?? 0));
  return ({ stream, mcid }: MarkedContent): Box | undefined => {
    if (stream === null) return boxes.ofContent.get(mcid);
    const [key = ""] =
      [...objects].find(([, form]) => forms.has(form) && formsInside(file, forms, form).has(stream)) ?? [];
    return boxes.ofForm.get(key);
  };
}

function formBox(file: PdfFile, number: number): Box | null {
  const extent = file.extent(number);
  const { dictionary = null } = extent?.isStream ? streamAt(file, extent) : {};
  const [corners, matrix] = [dictionary?.get("BBox"), dictionary?.get("Matrix")];
  return corners ? transformed(rectangle(corners), matrixOf(Array.isArray(matrix) ? matrix : [])) : null;
}
