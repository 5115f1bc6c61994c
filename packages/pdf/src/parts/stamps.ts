// Decides what is put onto each page of the body: the form of its sheet, at the right place, and the sheet's links.
import type { Destination } from "../file/destinations.ts";
import { coordinate, type Page } from "../file/page-tree.ts";
import type { PdfWriter } from "../file/pdf-writer.ts";
import { latin1Bytes } from "../syntax/characters.ts";
import {
  isName,
  isString,
  name,
  nameSource,
  numberSource,
  sourceOf,
  type PdfDictionary,
  type PdfValue,
} from "../syntax/values.ts";
import { formName, type Stamp } from "./body-pages.ts";
import { writeSheets, type NewNumber, type SheetForm, type Sheets } from "./sheets.ts";

export type StampInput = {
  writer: PdfWriter;
  sheets: Sheets;
  newNumber: NewNumber;
  /** The destinations of the body. */
  destinations: ReadonlyMap<string, Destination>;
};

/** Writes the sheets. Returns a function that writes and returns what is put onto a page. */
export function stampWriter({ writer, sheets, newNumber, destinations }: StampInput) {
  const forms = writeSheets(writer, sheets, newNumber);
  const contents = new Map<string, number>();
  /** Writes a content stream, unless the file has one with the same text. */
  const contentNumber = (text: string): number => {
    const known = contents.get(text);
    if (known !== undefined) return known;
    const number = newNumber();
    contents.set(text, number);
    writer.addStream(number, "", latin1Bytes(text));
    return number;
  };
  const linkNumber = (source: string): number => {
    const number = newNumber();
    writer.addObject(number, source);
    return number;
  };
  const stampOf = (page: Page, index: number): Stamp | null => {
    const sheet = sheets.ofPage[index] ?? null;
    const form = sheet === null ? undefined : forms.get(sheet);
    if (!form) return null;
    // The upper left corners coincide, because the heights of the pages may differ by a rounding error.
    const dx = rounded(page.box.left - form.box.left);
    const dy = rounded(page.box.top - form.box.top);
    const links = form.links.flatMap((link) => linkSource(link, dx, dy, destinations) ?? []).map(linkNumber);
    const [before, after] = [contentNumber("q"), contentNumber(stampContent(dx, dy))];
    return { before, after, form: form.number, links };
  };
  return { stampOf, removedLinks: removedLinksOf([...forms.values()]) };
}

function removedLinksOf(forms: SheetForm[]): number {
  return forms.reduce((sum, { removedLinks }) => sum + removedLinks, 0);
}

/** Removes the errors of binary fractions. */
function rounded(points: number): number {
  return Math.round(points * 100_000) / 100_000;
}

/**
 * Returns the content that follows the body's content. It restores the graphics state and shows the form, marked as an
 * artifact so that screen readers skip it.
 */
function stampContent(dx: number, dy: number): string {
  const shift = dx === 0 && dy === 0 ? "" : `1 0 0 1 ${numberSource(dx)} ${numberSource(dy)} cm `;
  return `Q /Artifact<</Type/Pagination>>BDC q ${shift}${nameSource(formName)} Do Q EMC`;
}

/**
 * Returns the source of a copy of a sheet's link for one page; null if the body lacks the destination. The copy has no
 * place in the tag tree, because the sheet is an artifact.
 */
function linkSource(
  link: PdfDictionary,
  dx: number,
  dy: number,
  destinations: ReadonlyMap<string, Destination>,
): string | null {
  const target = targetOf(link, destinations);
  const corners = link.get("Rect");
  if (target === null || !Array.isArray(corners) || corners.length !== 4) return null;
  const rectangle = corners.map((corner, index) => rounded(coordinate(corner) + (index % 2 === 0 ? dx : dy)));
  const entries: PdfDictionary = new Map<string, PdfValue>([
    ["Type", name("Annot")],
    ["Subtype", name("Link")],
    ["F", 4],
    ["Border", [0, 0, 0]],
    ["Rect", rectangle],
    target,
  ]);
  const text = link.get("Contents");
  if (isString(text)) entries.set("Contents", text);
  return sourceOf(entries);
}

function targetOf(link: PdfDictionary, destinations: ReadonlyMap<string, Destination>): [string, PdfValue] | null {
  const [action, place] = [link.get("A"), link.get("Dest")];
  if (action) return ["A", action];
  return isName(place) && destinations.has(place.text) ? ["Dest", place] : null;
}
