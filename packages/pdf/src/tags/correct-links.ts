import type { PdfFile } from "../file/open-pdf.ts";
import type { Page } from "../file/page-tree.ts";
// Gives each link a tag around it, and the text that says where it leads.
import { isDictionary, isName, isReference, isString, type PdfString, type PdfValue } from "../syntax/values.ts";
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
  if (text !== "") return { type: "string", text: utf16(text) };
  const pictures = Array.from(tagsIn(link), ({ entries }) => entries.get("Alt"));
  return pictures.find(isString) ?? null;
}

/** Text strings are in UTF-16 with a byte order mark, one character for each byte. */
function utf16(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text)) return text;
  return `\xfe\xff${Buffer.from(text.toWellFormed(), "utf16le").swap16().toString("latin1")}`;
}

/** Returns the address of a link, or the name of its place, as its text. */
export function linkTarget(annotation: PdfValue): PdfString {
  const [place, action] = isDictionary(annotation) ? [annotation.get("Dest"), annotation.get("A")] : [];
  const url = isDictionary(action) ? action.get("URI") : null;
  if (isString(url)) return url;
  return { type: "string", text: isName(place) ? utf16(decodeURIComponentOr(place.text)) : "" };
}

function decodeURIComponentOr(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
