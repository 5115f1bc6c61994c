// Gives each link a tag around it, and the text that says where it leads.
import { linkTarget } from "colophon-pdf/annotations";
import type { PdfFile } from "colophon-pdf/open-pdf";
import type { Page } from "colophon-pdf/page-tree";
import { isReference, isString, textString, type PdfString } from "colophon-pdf/values";
import { isAnnotation, isTag, newTag, tagsIn, type Tag } from "./structure-tree.ts";
import type { TagMarks } from "./take-marks.ts";

/** Returns the text of each link by the object number of its annotation. Links without a tag get one at the end of the document. */
export function correctLinks(top: Tag, file: PdfFile, pages: readonly Page[], marks: TagMarks): Map<number, PdfString> {
  const texts = new Map<number, PdfString>();
  const visit = (tag: Tag, link: Tag | null): void => {
    tag.kids = tag.kids.map((kid) => {
      if (isTag(kid)) visit(kid, kid.type === "Link" ? kid : link);
      if (isTag(kid) || !isAnnotation(kid)) return kid;
      texts.set(kid.annotation, (link && textOf(link, marks)) ?? linkTarget(file.object(kid.annotation)));
      return link ? kid : newTag("Link", [kid]);
    });
  };
  visit(top, null);
  for (const { number, dictionary } of pages) {
    const annotations = file.resolve(dictionary.get("Annots"));
    for (const item of Array.isArray(annotations) ? annotations : []) {
      if (!isReference(item) || texts.has(item.number)) continue;
      texts.set(item.number, linkTarget(file.object(item.number)));
      top.kids.push(newTag("Link", [{ page: number, annotation: item.number }]));
    }
  }
  return texts;
}

function textOf(link: Tag, marks: TagMarks): PdfString | null {
  const text = marks.get(link)?.text ?? "";
  if (text !== "") return textString(text);
  const pictures = tagsIn(link).map(({ entries }) => entries.get("Alt"));
  return pictures.find(isString) ?? null;
}
