// Moves values from one file into a different one. Values that must be unique in a file are numbered after the values of the
// files before it.
import { writtenDestinations } from "../file/destinations.ts";
import type { PdfObjects } from "../file/open-pdf.ts";
import { PdfError } from "../syntax/pdf-error.ts";
import { isDictionary, isName, isReference, isString, name, reference, type PdfValue } from "../syntax/values.ts";

/**
 * What is used in the other file: the highest number of an object, one more than the highest key by which structure elements
 * are found, and the highest number in an id of a structure element.
 */
export type Used = { object: number; parentKey: number; id: number };

const maxParentKey = 1_000_000_000;
const maxId = 99_999_999;

export type ValueMover = ReturnType<typeof valueMover>;

export function valueMover(file: PdfObjects, before: Used) {
  /** By object, what references to it lead to in the other file instead of its copy; null for nothing. */
  const replaced = new Map<number, number | null>();
  const used = { ...before, object: before.object + file.size - 1 };
  const destinations = writtenDestinations(file);
  const referenceTo = (object: number): PdfValue => {
    const number = replaced.get(object);
    // A reference to an object that is missing must not lead to one of the next file.
    if (number === null || object >= file.size) return null;
    return reference(number ?? before.object + object);
  };
  const parentKey = (key: number): number => {
    if (!(key >= 0 && key <= maxParentKey)) throw new PdfError("a key of a structure element is out of range");
    used.parentKey = Math.max(used.parentKey, before.parentKey + key + 1);
    return before.parentKey + key;
  };
  const idOf = (text: string): string => {
    const number = before.id + Number(/^node(\d{8})$/.exec(text)?.[1] ?? NaN);
    if (!(number <= maxId)) throw new PdfError("an id of a structure element is malformed or out of range");
    used.id = Math.max(used.id, number);
    return `node${String(number).padStart(8, "0")}`;
  };
  /** Files may have destinations with the same names, so links lead to the places themselves. */
  const placeOf = (destination: string): PdfValue => {
    const place = destinations.get(destination);
    return place ? [referenceTo(place.page), name("XYZ"), place.xPt, place.yPt, 0] : null;
  };
  /** `key` is the key of the value in its dictionary. */
  const moved = (value: PdfValue, key = ""): PdfValue => {
    if (isReference(value)) return referenceTo(value.number);
    if (Array.isArray(value) && key === "Dest") throw new PdfError("a merged file cannot be a part of another one");
    if (Array.isArray(value)) return value.map((item) => moved(item, key));
    if (isDictionary(value)) return new Map(Array.from(value, ([inner, entry]) => [inner, moved(entry, inner)]));
    if (isString(value) && ["ID", "Headers", "Names"].includes(key)) return { ...value, text: idOf(value.text) };
    if (isName(value) && key === "Dest") return placeOf(value.text);
    if (typeof value === "number" && ["StructParents", "StructParent", "Nums"].includes(key)) return parentKey(value);
    return value;
  };
  return { moved, replaced, used, offset: before.object };
}
