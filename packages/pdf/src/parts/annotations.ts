// Checks the annotations of a PDF. Whatever a document contains, its file has no other actions than links to allowed
// places: a reader of the file never runs a script, opens a local file or sends a form.
import type { PdfFile } from "../file/open-pdf.ts";
import { isDictionary, isName, isString, name, type PdfDictionary, type PdfValue } from "../syntax/values.ts";
import { writtenName } from "./destination-names.ts";

export type CheckedAnnotation = {
  /** A copy without what is not allowed. */
  dictionary: PdfDictionary;
  /** Whether an action or a target was removed. */
  isLinkRemoved: boolean;
};

/** The entries of an annotation that do nothing when a reader opens or clicks it. */
const harmlessKeys = new Set(
  "Type Subtype F Border BS C H Rect Contents NM M P QuadPoints StructParent Lang".split(" "),
);

export function checkAnnotation(file: PdfFile, annotation: PdfDictionary): CheckedAnnotation {
  const subtype = annotation.get("Subtype");
  const isLink = isName(subtype) && subtype.text === "Link";
  const dictionary: PdfDictionary = new Map();
  let isLinkRemoved = false;
  for (const [key, value] of annotation) {
    const kept = harmlessKeys.has(key) ? value : isLink ? allowedTarget(file, key, value) : null;
    if (kept !== null) dictionary.set(key, kept);
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
  return isAllowed ? uriAction(uri) : null;
}

function uriAction(uri: PdfValue): PdfDictionary {
  return new Map([
    ["S", name("URI")],
    ["URI", uri],
  ]);
}

/**
 * Returns whether the URL begins with an allowed scheme. Chromium writes schemes in lower case and without white space
 * before them. Any other spelling is refused, because readers differ in what they make of it: encodings with a byte
 * order mark, percent escapes, control characters.
 */
function isAllowedUrl(url: string): boolean {
  return /^(?:https?|mailto|tel):\P{Cc}*$/iu.test(url);
}
