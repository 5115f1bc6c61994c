// Says where each figure is on its page, because a reader may show it larger.
import { streamAt, type PdfFile } from "colophon-pdf/open-pdf";
import type { Box, Page } from "colophon-pdf/page-tree";
import { dictionaryOf, isReference, name, type PdfDictionary } from "colophon-pdf/values";
import { contentBoxes, matrixOf, transformed, united } from "./content-boxes.ts";
import { decodedContent } from "./decoded-content.ts";
import { formsInside, objectsIn } from "./marked-streams.ts";
import { isContent, tagsIn, type Tag } from "./structure-tree.ts";

const figureTypes = /^(?:Figure|Formula)$/;

/** `forms` has the resources of the forms that are painted. */
export function placeFigures(
  top: Tag,
  file: PdfFile,
  pages: readonly Page[],
  forms: ReadonlyMap<number, PdfDictionary>,
): void {
  const boxesOf = pageBoxesOf(file, pages, forms);
  for (const tag of tagsIn(top)) {
    if (!figureTypes.test(tag.type)) continue;
    const contents = tagsIn(tag).flatMap(({ kids }) => kids.filter(isContent));
    const onPage = contents.filter(({ page }) => page === contents[0]?.page);
    const found = onPage.flatMap((content) => boxesOf(content.page)?.(content.stream, content.mcid) ?? []);
    const box = found.reduce<Box | null>((all, one) => united(all, one), null);
    const page = pages.find(({ number }) => number === contents[0]?.page);
    if (box && page) tag.entries.set("A", dictionaryOf({ O: name("Layout"), BBox: cornersOf(box, page.box) }));
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

type FindBox = (stream: number | null, mcid: number) => Box | null;

/** Reads each page at most once, and only if it has a figure. Content of a form is where the form is painted. */
function pageBoxesOf(file: PdfFile, pages: readonly Page[], forms: ReadonlyMap<number, PdfDictionary>) {
  const known = new Map<number, FindBox>();
  const byNumber = new Map(pages.map((page) => [page.number, page]));
  return (number: number): FindBox | undefined => {
    const page = byNumber.get(number);
    if (!page || known.has(number)) return known.get(number);
    const objects = objectsIn(file, page.resources);
    const contents = page.dictionary.get("Contents");
    const { bytes } = decodedContent(file, isReference(contents) ? contents.number : 0);
    const boxes = contentBoxes(bytes, (key) => formBox(file, objects.get(key) ?? 0));
    const find: FindBox = (stream, mcid) => {
      if (stream === null) return boxes.ofContent.get(mcid) ?? null;
      const [key] =
        [...objects].find(([, form]) => forms.has(form) && formsInside(file, forms, form).has(stream)) ?? [];
      return boxes.ofForm.get(key ?? "") ?? null;
    };
    known.set(number, find);
    return find;
  };
}

function formBox(file: PdfFile, number: number): Box | null {
  const extent = file.extent(number);
  const { dictionary = null } = extent?.isStream ? streamAt(file, extent) : {};
  const [corners, matrix] = [dictionary?.get("BBox"), dictionary?.get("Matrix")];
  if (!Array.isArray(corners)) return null;
  const [left = 0, bottom = 0, right = 0, top = 0] = corners.filter((corner) => typeof corner === "number");
  return transformed({ left, bottom, right, top }, matrixOf(Array.isArray(matrix) ? matrix : []));
}
