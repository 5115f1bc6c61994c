import type { MarkedElement } from "colophon-pdf-conformance/tag-marks";
// The input and the output of the page script (`packages/page/src`). Both are sent as JSON over the DevTools protocol.
import type { Heading } from "colophon-pdf/outline";
import type { SheetPlace } from "colophon-pdf/unstack-sheets";
import type { SentFile } from "./content/resolve-files.ts";
import type { DocumentFormat } from "./document-format.ts";
import type { MarginContent, MarginMarkups } from "./margins/margin-markups.ts";
import type { Margin } from "./page-geometry.ts";
import type { CounterStyle } from "./references/counter-styles.ts";

export type PrepareInput = {
  format: DocumentFormat;
  /** The page size in CSS pixels. `pageHeight` is the maximum height if the height is "auto". */
  pageWidth: number;
  pageHeight: number;
  /** The exact width of the page as a CSS length if its height is "auto"; otherwise null. */
  autoHeight: string | null;
  margin: Margin;
  limits: RenderLimits;
  /** The template's styles, with placeholders for `styleFiles`; null if they are already loaded. */
  css: string | null;
  /**
   * The document's markup with placeholders for `files`, without the first `commonHeadElements` elements of its head,
   * which are already loaded.
   */
  content: string;
  commonHeadElements: number;
  marginContents: MarginContent[];
  /** The names of the hyphenation patterns for the document's languages; null if no style divides words. */
  hyphenation: readonly string[] | null;
  /** The names of the page values that the headers and footers read. */
  valueNames: readonly string[];
  /** The files of the document and then of its styles, in the order in which `receiveFiles` received them. */
  files: readonly SentFile[];
  styleFiles: readonly SentFile[];
  /** The title of the page once it is prepared. It distinguishes a print of the prepared page from an earlier print. */
  preparedTitle: string;
  /** Whether the PDF must conform to a standard for tags. */
  isAccessible?: boolean;
};

/**
 * A comment at the start of a body that is the box of the only page file, so that rules for `body` and positions work as in an ordinary
 * print. Classes on the body itself would replace the classes of a `<body>` tag in the page file.
 */
export const bodyPageMark = "colophon-page";

/** A part of the files' concatenated text. The first part drops everything that arrived before. */
export type FilesPart = { isFirst: boolean; text: string };

export type RenderLimits = {
  /** Images with more pixels are left empty. */
  maxImagePixels: number;
  /** The maximum number of image pixels per CSS pixel of the page; null leaves all images unchanged. */
  imageDensity: number | null;
  /** A PDF with more elements is printed without tags. Null for a format without tags. */
  maxTaggedElements: number | null;
};

/** A section of the document. `name` is the name of the destination in the PDF at which it starts. */
export type Section = { title: string; name: string };

/** A part of the document, whose pages are numbered from 1. `name` is as in `Section`. */
export type DocumentPart = { numbering: CounterStyle; name: string };

/** The attributes with which elements set the values that headers and footers read. The value's name follows. */
export const valueAttribute = "data-page-value-";

/** A value that an element sets on its page. `name` is the name of the destination in the PDF at which the element starts. */
export type SetValue = { key: string; value: string; name: string };

/**
 * The metadata of a document, from the titles, the `<meta name>` elements, the headings and the sections. A missing
 * value is an empty string.
 */
export type DocumentMetadata = {
  title: string;
  author: string;
  subject: string;
  keywords: string;
  /** Why the file has no tags; null if it has tags. */
  untagged: string | null;
  /** The headings for the outline of a PDF; empty for an image. */
  outline: Heading[];
  /** The sections of a PDF in the order in which they start; empty for an image. */
  sections: Section[];
  /** The parts of a PDF in the order in which they start; empty for an image. */
  parts: DocumentPart[];
  /** The values that elements set, in document order. */
  values: SetValue[];
};

/** The result of preparing a page. If it cannot be prepared, the message is for the caller. */
export type PagePreparation =
  | { status: "prepared"; prepared: PreparedPage }
  | { status: "impossible"; message: string };

export type PreparedPage = {
  /** Only for a PDF whose height is "auto". */
  autoPages: AutoPages | null;
  /** The height of each page file's box in CSS pixels; empty for a PDF. */
  boxHeights: number[];
  /** The cost of painting an image's effects; see `cost/capture-cost.ts`. */
  effectMegapixels: number;
  metadata: DocumentMetadata;
  /** Whether the document has headers or footers, for which sheets must be laid out after the document is printed. */
  hasMargins: boolean;
  /**
   * The targets of page references, whose pages are known only after the document is printed. They are names of
   * destinations in the PDF. Empty for an image and for most documents.
   */
  targets: string[];
  /** The breaks to left or right pages of a PDF. If several are in the same place, the last one decides. */
  sideBreaks: SideBreak[];
  /** Only if there are such breaks. */
  pageStyles: PageStyles | null;
  /** Content that the file will not show as its styles intend. */
  overflows: Overflow[];
  /** The places where the document does not do what its styles say, although it loses no content. */
  hints: Overflow[];
  /** Sentences for the document's `warnings`. */
  warnings: string[];
  /** The marked elements of a PDF that must conform to a standard for tags. */
  elements?: MarkedElement[];
};

/** Pages with odd numbers are the right pages, or the left ones if text runs from right to left. */
export type PageSide = "odd" | "even";

/** A break to a page of this side. `name` is the name of the destination in the PDF at which the content after the break starts. */
export type SideBreak = { name: string; side: PageSide };

/** Whether left and right pages, or the first page and later ones, have different styles, such as margins. */
export type PageStyles = { areSidesDifferent: boolean; isFirstDifferent: boolean };

/** Boxes that are printed as blank pages before the content after these breaks. */
export type BlankBoxes = { before: readonly string[] };
export type BlankBoxesOutcome = { status: "set" } | { status: "impossible"; message: string };

/** Returns the name of a box's destination. */
export function blankBoxName(index: number): string {
  return `${blankBoxPrefix}${index}`;
}
export const blankBoxPrefix = "colophon-temporary-blank-";

/**
 * `name` is the destination in the PDF at which the overflow, or the element of a hint, begins. The message is a sentence that does not
 * name the page.
 */
export type Overflow = {
  name: string;
  message: string;
  /**
   * If given, the hint applies only if this destination is on a later page, and this height below `name` is empty. `isOnFirst` is whether
   * `name` must be on the first page.
   */
  next?: { name: string; emptyPx: number; isOnFirst: boolean | undefined };
};

/** The name of a destination that only a print of sheets contains, and only if the sheets were ready. */
export const sheetsMark = "colophon-sheets";

/** The size of a printed page or a sheet, in CSS pixels, possibly with fractions. */
export type SheetSize = { width: number; height: number };

/** `isBlank` is true if the page was inserted because of a break to a left or right page. */
export type PrintedPage = SheetSize & { isBlank?: boolean };

/**
 * The printed pages for which sheets will be laid out. `margins` is null unless a header or footer reads `page`. `isStacked`
 * allows several sheets on one page.
 */
export type PrintedPages = { pages: readonly PrintedPage[]; margins: SentMargins | null; isStacked: boolean };

/** `MarginMarkups` without its files, which arrive before it. */
export type SentMargins = Omit<MarginMarkups, "files"> & { files: readonly SentFile[] };

/**
 * The page now shows the sheets, and is printed on `pageCount` pages. A sheet contains the header and the footer of one or
 * more pages, and has their size. `sheetOfPage` contains the index of each page's sheet; null for a page without header
 * and footer.
 */
export type SheetsOutcome =
  | {
      status: "laid_out";
      sheetOfPage: (number | null)[];
      places: SheetPlace[];
      pageCount: number;
      warnings: string[];
    }
  /** A header or footer is higher than its margin. The margins have been enlarged, so the document must be printed again. */
  | { status: "margins_grew" }
  | { status: "impossible"; message: string };

/** The page references of a document; see `PreparedPage`. The warnings are sentences for the document's `warnings`. */
export type PageReferences = { targets: string[]; warnings: string[] };

/**
 * The pages on which the targets of page references were printed, counted from 1, and the labels of these pages if the document has
 * parts. The page width is in CSS pixels.
 */
export type PageNumbers = {
  pages: [target: string, page: number][];
  labels: [target: string, label: string][];
  pageWidth: number;
  margin: Margin;
};

/** The page references show their numbers. Warnings name the references whose elements are missing. */
export type NumberingOutcome = { status: "numbered"; warnings: string[] } | { status: "impossible"; message: string };

/** The pages of a PDF with the height "auto", as the screen shows them. There is one page for each page file. */
export type AutoPages = {
  /** The width between the margins, in CSS pixels. */
  contentWidth: number;
  /** Whether the content is wider than that. Chromium then lays out the document on wider pages, and shrinks it. */
  isTooWide: boolean;
  pages: AutoPage[];
};

/**
 * One page; lengths are in CSS pixels. `contentPx` is the height between the margins. `outsidePx` is the part of it outside
 * the page's two marks.
 */
export type AutoPage = { contentPx: number; outsidePx: number };

/** Returns the names of the destinations at the beginning and the end of a page with the height "auto". */
export function pageMarks(index: number): { start: string; end: string } {
  return { start: `colophon-page-${index + 1}-start`, end: `colophon-page-${index + 1}-end` };
}

/** The names of the destinations at the ends of the box that reveals the width of the layout. */
export const rulerMarks = { start: "colophon-ruler-start", end: "colophon-ruler-end" };

/**
 * The heights between the margins of pages with the height "auto", in CSS pixels. Null makes all pages as high as possible, so that
 * the content can be measured on paper. The document then gets an additional page with a box whose height is a multiple of the
 * layout's width, and styles that would divide a page file into several pages have no effect.
 */
export type ContentHeights = { contentsPx: number[] | null };

/**
 * The heights of the pages in CSS pixels, including margins. `rulerTimes` is the height of the box that reveals the width of
 * the layout, as a multiple of that width.
 */
export type PageHeightsOutcome =
  | { status: "set"; heightsPx: number[]; rulerTimes: number }
  | { status: "impossible"; message: string };
