// Checks the annotations of a PDF. Whatever the document contains, the only actions in its file are links to allowed targets: a reader
// never runs a script, opens a local file or sends a form.
import type { PdfFile } from "../file/open-pdf.ts";
import { readPages, type Page } from "../file/page-tree.ts";
import {
  dictionaryOf,
  isDictionary,
  isName,
  isReference,
  isString,
  name,
  textString,
  type PdfDictionary,
  type PdfString,
  type PdfValue,
} from "../syntax/values.ts";
import { temporaryNameOf, writtenName } from "./destination-names.ts";

/**
 * An annotation without its forbidden entries. `item` is its entry in the page's list. `isLinkRemoved` is true if an action or a
 * target was removed.
 */
type CheckedAnnotation = { item: PdfValue; dictionary: PdfDictionary; isLinkRemoved: boolean };

/** Returns the annotations of a page. Items in its list that are not annotations are left out. */
export function checkedAnnotations(file: PdfFile, { dictionary: page }: Page): CheckedAnnotation[] {
  const list = file.resolve(page.get("Annots"));
  return (Array.isArray(list) ? list : []).flatMap((item) => {
    const annotation = file.resolve(item);
    return isDictionary(annotation) ? [{ item, ...checkAnnotation(file, annotation) }] : [];
  });
}

/** Returns the index of the first page of each temporary link, by its name. */
export function temporaryLinkPages(file: PdfFile): Map<string, number> {
  const found = new Map<string, number>();
  for (const [index, page] of readPages(file).entries()) {
    for (const { dictionary } of checkedAnnotations(file, page)) {
      const name = temporaryLinkName(dictionary);
      if (name !== null && !found.has(name)) found.set(name, index);
    }
  }
  return found;
}

function temporaryLinkName(annotation: PdfDictionary): string | null {
  const action = annotation.get("A");
  const url = isDictionary(action) ? action.get("URI") : null;
  return isString(url) ? temporaryNameOf(url.text) : null;
}

/**
 * Returns the pages as they will be written, the referenced annotations by object number, and the number of removed links. An annotation
 * is null if it is a temporary link.
 */
export function checkPages(file: PdfFile, pages: readonly Page[]) {
  const annotations = new Map<number, PdfDictionary | null>();
  let removedLinks = 0;
  const dictionaries = pages.map((page) => {
    const links = checkedAnnotations(file, page).flatMap(({ item, dictionary, isLinkRemoved }) => {
      if (isLinkRemoved) removedLinks++;
      const isTemporary = temporaryLinkName(dictionary) !== null;
      if (isReference(item)) annotations.set(item.number, isTemporary ? null : dictionary);
      return isTemporary ? [] : [isReference(item) ? item : dictionary];
    });
    return withAnnotations(page.dictionary, links);
  });
  return { annotations, dictionaries, removedLinks };
}

/** Returns the page with only these annotations, and without actions. */
export function withAnnotations(page: PdfDictionary, annotations: PdfValue[]): PdfDictionary {
  const dictionary = new Map(page);
  for (const key of ["AA", "Annots"]) dictionary.delete(key);
  return annotations.length > 0 ? dictionary.set("Annots", annotations) : dictionary;
}

/** The entries of an annotation that have no effect when a reader opens or clicks it. */
const harmlessKeys = new Set(
  "Type Subtype F Border BS C H Rect Contents NM M P QuadPoints StructParent Lang".split(" "),
);

function checkAnnotation(file: PdfFile, annotation: PdfDictionary): Omit<CheckedAnnotation, "item"> {
  const subtype = annotation.get("Subtype");
  const isLink = isName(subtype) && subtype.text === "Link";
  const dictionary: PdfDictionary = new Map();
  let isLinkRemoved = false;
  for (const [key, value] of annotation) {
    const allowedValue = harmlessKeys.has(key) ? value : isLink ? allowedTarget(file, key, value) : null;
    if (allowedValue !== null) dictionary.set(key, allowedValue);
    else if (value !== null) isLinkRemoved = true;
  }
  return { dictionary, isLinkRemoved };
}

/** Returns the target of a link: an allowed URL, or the name of a destination in this file. Returns null for anything else. */
function allowedTarget(file: PdfFile, key: string, value: PdfValue): PdfValue {
  if (key === "Dest") return isName(value) ? name(writtenName(value.text)) : null;
  const action = key === "A" ? file.resolve(value) : null;
  if (!isDictionary(action)) return null;
  const [kind, uri] = [action.get("S"), action.get("URI")];
  const isAllowed = isName(kind) && kind.text === "URI" && isString(uri) && isAllowedUrl(uri.text);
  return isAllowed ? dictionaryOf({ S: name("URI"), URI: uri }) : null;
}

/**
 * Returns whether the URL begins with an allowed scheme. Chromium writes schemes in lower case and without white space before them. Any
 * other spelling is refused, because readers differ in how they interpret byte order marks, percent escapes and control characters.
 */
function isAllowedUrl(url: string): boolean {
  return /^(?:https?|mailto|tel):\P{Cc}*$/iu.test(url);
}

/** Returns the address of a link, or the name of its place, as its text. */
export function linkTarget(annotation: PdfValue): PdfString {
  const [place, action] = isDictionary(annotation) ? [annotation.get("Dest"), annotation.get("A")] : [];
  const url = isDictionary(action) ? action.get("URI") : null;
  return isString(url) ? url : textString(isName(place) ? decodeURIComponentOr(place.text) : "");
}

function decodeURIComponentOr(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
