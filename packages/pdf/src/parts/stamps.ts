// Places each body page's sheet and the sheet's links on the page, at the right position.
import type { Destination } from "../file/destinations.ts";
import type { PdfFile } from "../file/open-pdf.ts";
import { coordinate, type Page } from "../file/page-tree.ts";
import type { PdfWriter } from "../file/pdf-writer.ts";
import {
  dictionaryOf,
  isName,
  isString,
  name,
  nameSource,
  numberSource,
  reference,
  sourceOf,
  type PdfDictionary,
  type PdfValue,
} from "../syntax/values.ts";
import { linkTarget, withAnnotations } from "./annotations.ts";
import type { LateTags } from "./late-tags.ts";
import { streamsOnce, withForm } from "./page-forms.ts";
import { writeSheets, type Sheets } from "./sheets.ts";

type StampInput = {
  writer: PdfWriter;
  body: PdfFile;
  sheets: Sheets;
  /** The destinations of the body. */
  destinations: ReadonlyMap<string, Destination>;
  /** The tags to which links are added; null if they get no tags. */
  tags: LateTags | null;
};

/** Writes the sheets. `stamped` returns the page with its sheet above its content, and with the sheet's links. */
export function stampWriter(input: StampInput) {
  const { writer, body, sheets, tags } = input;
  const forms = writeSheets(writer, sheets);
  const streamNumber = streamsOnce(writer);
  const stamped = (page: Page, index: number): PdfDictionary => {
    const sheet = sheets.ofPage[index] ?? null;
    const form = sheet === null ? undefined : forms.get(sheet);
    if (!form) return page.dictionary;
    // The upper left corners are aligned, because the heights of the pages may differ by a rounding error.
    const dx = rounded(page.box.left - form.box.left);
    const dy = rounded(page.box.top - form.box.top);
    const entries = form.links.flatMap((link) => linkEntries(link, dx, dy, input) ?? []);
    const links = entries.map((link) => {
      const number = writer.newNumber();
      if (tags) {
        link.set("StructParent", tags.addLink(writer, page.number, number));
        if (!link.has("Contents")) link.set("Contents", linkTarget(link));
      }
      writer.addObject(number, sourceOf(link));
      return reference(number);
    });
    // Chromium never uses this name for a form or an image.
    const withSheet = withForm(body, page, { number: form.number, name: "Sheet" }, (name) => {
      return { before: streamNumber("q"), after: streamNumber(stampContent(name, dx, dy)) };
    });
    const annotations = page.dictionary.get("Annots");
    return withAnnotations(withSheet, [...(Array.isArray(annotations) ? annotations : []), ...links]);
  };
  const removedLinks = [...forms.values()].reduce((sum, form) => sum + form.removedLinks, 0);
  return { stamped, removedLinks };
}

/** Removes binary rounding errors. */
function rounded(points: number): number {
  return Math.round(points * 100_000) / 100_000;
}

/**
 * Returns the content that follows the body's content. It restores the graphics state and shows the form, marked as an artifact
 * so that screen readers skip it.
 */
function stampContent(formName: string, dx: number, dy: number): string {
  const shift = dx === 0 && dy === 0 ? "" : `1 0 0 1 ${numberSource(dx)} ${numberSource(dy)} cm `;
  return `Q /Artifact<</Type/Pagination>>BDC q ${shift}${nameSource(formName)} Do Q EMC`;
}

/**
 * Returns a copy of a sheet's link for one page; null if the body lacks the destination. Its text is not in the tag tree, because the
 * sheet is an artifact.
 */
function linkEntries(link: PdfDictionary, dx: number, dy: number, { destinations }: StampInput): PdfDictionary | null {
  const target = targetOf(link, destinations);
  const corners = link.get("Rect");
  if (target === null || !Array.isArray(corners) || corners.length !== 4) return null;
  const rectangle = corners.map((corner, index) => rounded(coordinate(corner) + (index % 2 === 0 ? dx : dy)));
  const entries = { Type: name("Annot"), Subtype: name("Link"), F: 4, Border: [0, 0, 0], Rect: rectangle };
  const text = link.get("Contents");
  return dictionaryOf({ ...entries, ...target, ...(isString(text) && { Contents: text }) });
}

function targetOf(link: PdfDictionary, destinations: StampInput["destinations"]): Record<string, PdfValue> | null {
  const [action, place] = [link.get("A"), link.get("Dest")];
  if (action) return { A: action };
  return isName(place) && destinations.has(place.text) ? { Dest: place } : null;
}
