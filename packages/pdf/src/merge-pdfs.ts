// Merges many PDFs that `assemble-pdf` wrote. The result is a stream: only a few numbers about each part stay in memory. The same input
// gives the same bytes.
import { openFinishedPdf } from "./file/open-finished-pdf.ts";
import { pdfWriter, type PdfWriter } from "./file/pdf-writer.ts";
import type { Conformance } from "./parts/conformance.ts";
import { copyFile, once, type CopiedFile, sharedStreams } from "./parts/copied-file.ts";
import {
  infoEntry,
  infoSource,
  sameInXml,
  viewerDictionary,
  xmpPacket,
  type ViewerPreferences,
  type WrittenMetadata,
} from "./parts/metadata.ts";
import { PdfError } from "./syntax/pdf-error.ts";
import {
  dictionaryOf,
  isDictionary,
  isReference,
  name,
  numberSource,
  reference,
  sourceOf,
  textSource,
  type PdfDictionary,
  type PdfValue,
} from "./syntax/values.ts";

/**
 * `language` is a BCP 47 tag; null if the parts have several languages. Each part keeps its own language. `createdAt` is in ms since the
 * epoch. The file has the given conformance, which all parts must have.
 */
export type MergeOptions = {
  title: string;
  language: string | null;
  createdAt: number;
  viewer?: ViewerPreferences | undefined;
  /** Whether each part begins on a page with an odd number, after a blank page if necessary, so that no sheet of paper has two parts. */
  startsOdd?: boolean;
  conformance?: readonly Conformance[] | undefined;
};

export type PdfMerger = ReturnType<typeof pdfMerger>;

export function pdfMerger({ title, language, createdAt, viewer, startsOdd = false, conformance = [] }: MergeOptions) {
  const writer = pdfWriter(once.catalog + 1, { hasId: conformance.length > 0 });
  const sharedNumber = sharedStreams();
  const parts: MergedPart[] = [];
  let used = { parentKey: 0, id: 0 };
  let programs = { creator: "", producer: "" };
  let pageCount = 0;
  let lastSize: PdfValue = null;
  return {
    /**
     * Returns the bytes to append to the file, and how many pages they have. The outline entry `bookmark` leads to the first page of the
     * part, and contains the part's own outline. Throws `PdfError` if the part is malformed; the merger is then unusable.
     */
    add(part: Uint8Array, bookmark: string) {
      const file = openFinishedPdf(part);
      const { copied, used: usedNow } = copyFile(file, used, { writer, sharedNumber });
      used = usedNow;
      if (parts.length === 0) programs = { creator: infoEntry(file, "Creator"), producer: infoEntry(file, "Producer") };
      const blank = startsOdd && pageCount % 2 === 1 ? blankPage(writer, lastSize) : null;
      parts.push({ ...copied, title: bookmark, blank });
      const added = copied.pageCount + (blank ? 1 : 0);
      pageCount += added;
      lastSize = copied.lastSize;
      return { bytes: writer.flush(), pageCount: added };
    },
    /** Returns the end of the file. Throws `PdfError` if there are no parts. May be called only once. */
    finish() {
      if (parts.length === 0) throw new PdfError("a merged file needs at least one part");
      const texts = { title, language: language ?? "", author: "", subject: "", keywords: "" };
      const written = {
        ...(conformance.length > 0 ? sameInXml(texts) : texts),
        ...programs,
        createdAt,
        viewer,
        conformance,
      };
      writeEnd(writer, parts, written);
      return writer.finish({ root: once.catalog, info: once.info });
    },
  };
}

/** `blank` is the blank page before the part. */
type MergedPart = CopiedFile & { title: string; blank: PdfValue };

/** The back of a sheet of paper has the size of its front. */
function blankPage(writer: PdfWriter, size: PdfValue): PdfValue {
  const page = { Type: name("Page"), Parent: reference(once.pages), MediaBox: size, Resources: new Map() };
  return reference(writer.newObject(sourceOf(dictionaryOf(page))));
}

/** Writes the objects that a merged file contains once: its page tree, outline, structure, metadata and catalog. */
function writeEnd(writer: PdfWriter, parts: readonly MergedPart[], metadata: WrittenMetadata): void {
  const count = parts.reduce((sum, { pageCount, blank }) => sum + pageCount + (blank ? 1 : 0), 0);
  const kids = parts.flatMap(({ pageTree, blank }) => (blank ? [blank, pageTree] : pageTree));
  writer.addObject(once.pages, `<</Type/Pages/Count ${count}/Kids${sourceOf(kids)}>>`);
  const [first, last] = [parts[0]?.bookmark, parts.at(-1)?.bookmark];
  writer.addObject(once.outline, `<</Type/Outlines/First ${first} 0 R/Last ${last} 0 R/Count ${parts.length}>>`);
  for (const [index, part] of parts.entries())
    writer.addObject(part.bookmark, bookmarkSource(part, parts[index - 1], parts[index + 1]));
  const elements = parts.flatMap(({ structure }) => structure.get("K") ?? []);
  if (elements.length > 0) {
    writer.addObject(once.document, `<</Type/StructElem/S/Document/P ${once.structure} 0 R/K${sourceOf(elements)}>>`);
    writer.addObject(once.structure, structureSource(parts));
  }
  writer.addObject(once.info, infoSource(metadata));
  writer.addMetadata(once.xmp, xmpPacket(metadata));
  writer.addObject(once.catalog, catalogSource(parts, metadata, elements.length > 0));
}

function bookmarkSource(part: MergedPart, before: MergedPart | undefined, after: MergedPart | undefined): string {
  const { title, outline, firstPage } = part;
  const place = sourceOf([firstPage, name("XYZ"), null, null, null]);
  const [first, last] = ["First", "Last"].map((key) => sourceOf(outline.get(key) ?? null));
  // A negative count means that the part's outline is initially closed, so that a reader sees the list of parts.
  const count = numberSource(-Number(outline.get("Count") ?? 0));
  const below = outline.size > 0 ? `/First ${first}/Last ${last}/Count ${count}` : "";
  return [
    `<</Title ${textSource(title)}/Parent ${once.outline} 0 R/Dest${place}${below}`,
    before ? `/Prev ${before.bookmark} 0 R` : "",
    after ? `/Next ${after.bookmark} 0 R` : "",
    ">>",
  ].join("");
}

function structureSource(parts: readonly MergedPart[]): string {
  const trees = ["ParentTree", "IDTree"].map((key) => {
    const kids = parts.map(({ structure }) => structure.get(key)).filter(isReference);
    return kids.length > 0 ? `/${key}<</Kids${sourceOf(kids)}>>` : "";
  });
  const roles = new Map(parts.flatMap(({ structure }) => [...rolesIn(structure)]));
  const roleMap = roles.size > 0 ? `/RoleMap${sourceOf(roles)}` : "";
  return `<</Type/StructTreeRoot/K ${once.document} 0 R${trees.join("")}${roleMap}>>`;
}

/** Parts that conform to a standard for tags say what their types mean in older versions of PDF. */
function rolesIn(structure: PdfDictionary): PdfDictionary {
  const roles = structure.get("RoleMap");
  return isDictionary(roles) ? roles : new Map();
}

/** These entries belong to a single file, except named destinations. */
function catalogSource(
  parts: readonly MergedPart[],
  { language, viewer, conformance }: WrittenMetadata,
  isTagged: boolean,
): string {
  return [
    `<</Type/Catalog/Pages ${once.pages} 0 R/Outlines ${once.outline} 0 R/Metadata ${once.xmp} 0 R`,
    isTagged ? `/StructTreeRoot ${once.structure} 0 R` : "",
    parts.every(({ structure }) => structure.has("K")) ? "/MarkInfo<</Type/MarkInfo/Marked true>>" : "",
    language ? `/Lang ${textSource(language)}` : "",
    conformance.length > 0 ? `/OutputIntents${sourceOf(parts[0]?.outputIntents ?? null)}` : "",
    `/ViewerPreferences${sourceOf(viewerDictionary(viewer))}>>`,
  ].join("");
}
