// Headers and footers that read `page`. Before the document is printed, they are rendered for a few imaginary pages, to measure
// their heights. Afterwards, they are rendered for every page.
import type { LiquidRender, Outcome, ParsedLiquid, SlicedWork } from "colophon-liquid/liquid";
import { maxMarkupChars } from "colophon-liquid/meter";
import { parseDecimal, WithProperties, type LiquidNumber } from "colophon-liquid/values";
import type { MarginMarkups } from "colophon-page/margin-markups";
import type { InlinedFile } from "colophon-page/resolve-files";
import { dataUriChars, maxInlinedBytes, type InlinedFiles } from "../inlined-files.ts";
import type { PageInfo } from "./page-info.ts";

/**
 * Renders the headers and footers that read `page`, for all pages of the printed document in order. Each call may use the remainder of the
 * limits after the rest of the document, so the outcome does not depend on earlier calls.
 */
export type MarginRenderer = (pages: PageInfo[]) => SlicedWork<Outcome<MarginMarkups>>;

/** A header or footer. `readsPage` is true if it may read `page`. */
export type MarginFile = { edge: "header" | "footer"; parsed: ParsedLiquid; readsPage: boolean };

type MarginInput = {
  margins: MarginFile[];
  /** The render of the rest of the document, which must be finished before the first call. */
  liquid: LiquidRender;
  inlined: InlinedFiles;
  /** The number of characters of inlined files in the rest of the document. */
  inlinedChars: number;
  /** The files in the rest of the document. */
  known: readonly InlinedFile[];
  /** The value of the template's own field `page`; undefined if it has none. */
  pageField: unknown;
};

/** Returns null if neither the header nor the footer reads `page`. */
export function marginRenderer(input: MarginInput): MarginRenderer | null {
  const files = input.margins.filter(({ readsPage }) => readsPage);
  if (files.length === 0) return null;
  const documentPlaceholders = new Set(input.known.map(({ placeholder }) => placeholder));
  return function* (pages) {
    const rendering = { ...input, liquid: input.liquid.fork(), collection: markupCollection(input) };
    const indexes: Record<MarginFile["edge"], number[] | null> = { header: null, footer: null };
    for (const { edge, parsed } of files) {
      const outcome = yield* renderForPages(parsed, pages, rendering);
      if (outcome.status === "problem") return outcome;
      indexes[edge] = outcome.value;
    }
    const markups = rendering.collection.markups();
    const value = { markups, headerOfPage: indexes.header, footerOfPage: indexes.footer };
    const newFiles = input.inlined.filesIn(markups).filter(({ placeholder }) => !documentPlaceholders.has(placeholder));
    return { status: "ok", value: { ...value, files: newFiles } };
  };
}

/** A template may also have a field named `page`; its properties are then available in addition to the page's own. */
export function pageVariable(page: PageInfo, pageField: unknown): { page: WithProperties } {
  const values = Object.entries(page.values).map(([name, { first, last, start }]) => {
    return [name, { first: numberOrText(first), last: numberOrText(last), start: numberOrText(start) }];
  });
  return { page: new WithProperties({ ...page, values: Object.fromEntries(values) }, pageField) };
}

/**
 * A number of JSON is a number for filters, and prints all of its digits. A whole number with more digits than a number keeps stays a text,
 * because it may be the number of an account.
 */
function numberOrText(value: string | null): LiquidNumber | string | null {
  if (value === null || !/^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(value)) return value;
  const number = Number(value);
  if (/\D/.test(value.slice(1))) return parseDecimal(value) ?? (Number.isFinite(number) ? number : value);
  return Number.isSafeInteger(number) ? number : value;
}

type Rendering = Pick<MarginInput, "liquid" | "pageField"> & { collection: ReturnType<typeof markupCollection> };

/** Adds the markup of each page to the collection, and returns the index of each page's markup. */
function* renderForPages(
  parsed: ParsedLiquid,
  pages: PageInfo[],
  { liquid, pageField, collection }: Rendering,
): SlicedWork<Outcome<number[]>> {
  const indexes: number[] = [];
  for (const page of pages) {
    const outcome = yield* liquid.render(parsed, pageVariable(page, pageField));
    if (outcome.status === "problem") return outcome;
    const added = collection.add(outcome.value);
    if (typeof added === "string") return { status: "problem", problem: { file: parsed.file, line: 1, reason: added } };
    indexes.push(added);
  }
  return { status: "ok", value: indexes };
}

/** Collects distinct markups, up to the limits on characters and inlined bytes. */
function markupCollection({ inlined, inlinedChars }: MarginInput) {
  const indexes = new Map<string, number>();
  let markupChars = 0;
  let fileChars = inlinedChars;
  return {
    /** Returns the index of the markup, or the reason why it exceeds a limit. */
    add(markup: string): number | string {
      const knownIndex = indexes.get(markup);
      if (knownIndex !== undefined) return knownIndex;
      markupChars += markup.length - dataUriChars(markup);
      fileChars += inlined.charsIn(markup);
      if (markupChars > maxMarkupChars) return tooMuchMarkup;
      if ((fileChars * 3) / 4 > maxInlinedBytes) return tooManyFiles;
      indexes.set(markup, indexes.size);
      return indexes.size - 1;
    },
    markups: () => [...indexes.keys()],
  };
}

const tooMuchMarkup =
  `the headers and footers of all pages exceed ${maxMarkupChars.toLocaleString("en-US")} characters; ` +
  "shorten them or split the document";

const tooManyFiles =
  `the images and fonts inlined in the document exceed ${maxInlinedBytes / 1e6} MB in total; files in a header ` +
  "or footer that reads `page` count once for each page on which it differs";
