// Checks the annotations of a PDF. Whatever a document contains, its file has no other actions than links to allowed
// places: a reader of the file never runs a script, opens a local file or sends a form.
import type { PdfFile } from "../file/open-pdf.ts";
import {
  isDictionary,
  isName,
  isReference,
  isString,
  name,
  type PdfDictionary,
  type PdfValue,
} from "../syntax/values.ts";
import { writtenName } from "./destination-names.ts";

export type CheckedAnnotation = {
  /** The annotation, or a copy without what is not allowed. */
  dictionary: PdfDictionary;
  isChanged: boolean;
  /** Whether an action or a target was removed. */
  isLinkRemoved: boolean;
};

/** The entries of an annotation that do nothing when a reader opens or clicks it. */
const harmlessKeys = new Set(
  "Type Subtype F Border BS C H Rect Contents NM M P QuadPoints StructParent Lang".split(" "),
);
const keysOfLinks = new Set(["A", "Dest"]);
const keysOfAction = new Set(["Type", "S", "URI", "D"]);

export function checkAnnotation(file: PdfFile, annotation: PdfDictionary): CheckedAnnotation {
  const subtype = annotation.get("Subtype");
  const isLink = isName(subtype) && subtype.text === "Link";
  const dictionary: PdfDictionary = new Map();
  let isLinkRemoved = false;
  for (const [key, value] of annotation) {
    const kept = harmlessKeys.has(key) ? value : isLink && keysOfLinks.has(key) ? checkTarget(file, key, value) : null;
    if (kept !== null) dictionary.set(key, kept);
    else if (value !== null) isLinkRemoved = true;
  }
  const isChanged = [...annotation].some(([key, value]) => dictionary.get(key) !== value);
  return { dictionary, isChanged, isLinkRemoved };
}

/** Returns an allowed action or destination, or null. */
function checkTarget(file: PdfFile, key: string, value: PdfValue): PdfValue {
  return key === "Dest" ? checkDestination(file, value) : checkAction(file, value);
}

/** Returns the action itself if it consists only of what is allowed, so that most annotations need no copy. */
function checkAction(file: PdfFile, value: PdfValue): PdfValue {
  const action = file.resolve(value);
  if (!isDictionary(action)) return null;
  const kind = file.resolve(action.get("S"));
  const [uri, target] = [file.resolve(action.get("URI")), action.get("D") ?? null];
  const isUri = isName(kind) && kind.text === "URI" && isString(uri) && isAllowedUrl(uri.text);
  const destination = isName(kind) && kind.text === "GoTo" ? checkDestination(file, target) : null;
  if (!isUri && destination === null) return null;
  const isPlain = [...action.keys()].every((key) => keysOfAction.has(key)) && action.get("S") === kind;
  if (action === value && isPlain && (isUri ? action.get("URI") === uri : destination === target)) return value;
  return new Map(
    isUri
      ? [
          ["S", name("URI")],
          ["URI", uri],
        ]
      : [
          ["S", name("GoTo")],
          ["D", destination],
        ],
  );
}

/** Returns a destination in this file, or null: a name, or an array that begins with a reference to a page. */
function checkDestination(file: PdfFile, value: PdfValue): PdfValue {
  const target = file.resolve(value);
  if (isName(target)) return writtenName(target.text) === target.text ? target : name(writtenName(target.text));
  if (isString(target)) return target;
  if (!Array.isArray(target) || !isReference(target[0])) return null;
  return target.slice(1).every((item) => item === null || typeof item === "number" || isName(item)) ? target : null;
}

/**
 * Returns whether the URL begins with an allowed scheme. Chromium writes schemes in lower case and without white space
 * before them. Any other spelling is refused, because readers differ in what they make of it: encodings with a byte
 * order mark, percent escapes, control characters.
 */
function isAllowedUrl(url: string): boolean {
  return /^(?:https?|mailto|tel):\P{Cc}*$/iu.test(url);
}
