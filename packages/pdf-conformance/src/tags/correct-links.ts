// Gives each link a tag around it, and the text that says where it leads.
import { linkTarget } from "colophon-pdf/annotations";
import type { PdfFile } from "colophon-pdf/open-pdf";
import type { Box, Page } from "colophon-pdf/page-tree";
import {
  dictionaryOf,
  isDictionary,
  isReference,
  isString,
  textString,
  type PdfDictionary,
  type PdfString,
} from "colophon-pdf/values";
import { rectangle, united } from "./content-boxes.ts";
import { isAnnotation, isTag, newTag, tagsIn, type Tag } from "./structure-tree.ts";
import type { TagMarks } from "./take-marks.ts";

/** By the object number of an annotation, its new entries; null if it is removed. */
export type CorrectedLinks = Map<number, PdfDictionary | null>;

/** Links without a tag get one at the end of the document. */
export function correctLinks(top: Tag, file: PdfFile, pages: readonly Page[], marks: TagMarks): CorrectedLinks {
  const links: CorrectedLinks = new Map();
  const add = (annotation: number, text: PdfString | null) =>
    links.set(annotation, dictionaryOf({ Contents: text ?? linkTarget(file.object(annotation)) }));
  const visit = (tag: Tag, link: Tag | null): void => {
    tag.kids = tag.kids.map((kid) => {
      if (isTag(kid)) visit(kid, kid.type === "Link" ? kid : link);
      if (isTag(kid) || !isAnnotation(kid)) return kid;
      add(kid.annotation, link && textOf(link, marks));
      return link ? kid : newTag("Link", [kid]);
    });
    if (tag === link) joinParts(link, file, links);
  };
  visit(top, null);
  for (const { number, dictionary } of pages) {
    const annotations = file.resolve(dictionary.get("Annots"));
    for (const item of Array.isArray(annotations) ? annotations : []) {
      if (!isReference(item) || links.has(item.number)) continue;
      add(item.number, null);
      top.kids.push(newTag("Link", [{ page: number, annotation: item.number }]));
    }
  }
  return links;
}

/** Joins the annotations of a link in one line. Chromium writes one for each part of the line, and readers would announce each. */
function joinParts(link: Tag, file: PdfFile, links: CorrectedLinks): void {
  const lines: { page: number; annotation: number; box: Box }[] = [];
  link.kids = link.kids.filter((kid) => {
    if (!isAnnotation(kid)) return true;
    const annotation = file.object(kid.annotation);
    const box = rectangle(isDictionary(annotation) ? annotation.get("Rect") : null);
    const line = lines.find(({ page, box: other }) => page === kid.page && areInLine(other, box));
    if (!line) {
      lines.push({ ...kid, box });
      return true;
    }
    line.box = united(line.box, box);
    const { left, bottom, right, top } = line.box;
    links.get(line.annotation)?.set("Rect", [left, bottom, right, top]);
    links.set(kid.annotation, null);
    return false;
  });
}

/** Whether the boxes touch each other horizontally, and share more than half of a height. */
function areInLine(one: Box, other: Box): boolean {
  const gap = Math.max(one.left, other.left) - Math.min(one.right, other.right);
  const shared = Math.min(one.top, other.top) - Math.max(one.bottom, other.bottom);
  return gap < 1 && 2 * shared > Math.min(one.top - one.bottom, other.top - other.bottom);
}

function textOf(link: Tag, marks: TagMarks): PdfString | null {
  const text = marks.get(link)?.text ?? "";
  if (text !== "") return textString(text);
  const pictures = tagsIn(link).map(({ entries }) => entries.get("Alt"));
  return pictures.find(isString) ?? null;
}
