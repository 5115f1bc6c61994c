// The headers and footers that read `page`, on their way from the Worker to a pool. With the files of a document, they can be
// longer than a call may carry, so the result of the call then contains a stream, which the pool reads when it has the memory.
import { sentFile } from "../../core/rendering/document/resolve-files.ts";
import type { PageFacts } from "../../core/rendering/margins/page-facts.ts";
import type { MarginMarkups } from "../../core/rendering/margins/page-margins.ts";
import type { SentMargins } from "../../core/rendering/prepared-page.ts";
import type { PageMargins, RenderMargins } from "../../ports/rendering.ts";
import { filePartsOf, openContent, streamOf, type Content } from "./job-content.ts";

/** Headers and footers whose markup and files are a stream; see `Content`. The text is a `SentMargins`. */
export type StreamedMargins = { status: "streamed" } & Content;

/** `RenderMargins`, as a pool calls it. Each call is a request back to the Worker. */
export type PoolMargins = (pages: PageFacts[]) => Promise<PageMargins | StreamedMargins>;

/** Headers and footers in the pool. */
export type OpenedMargins = {
  text: SentMargins;
  fileParts(): AsyncIterable<string> | Iterable<string>;
  /** Drops what has not been read. */
  close(): void;
};

/** The length of markup and files up to which they are not a stream. A text may take two bytes for each character. */
const maxCharsInCall = 128_000;
/** How long a pool waits for the headers and footers. The render usually has less time left. */
const readTimeoutMs = 10_000;

/** Returns the function for a pool. */
export function poolMargins(renderMargins: RenderMargins): PoolMargins {
  return async (pages) => {
    const margins = await renderMargins(pages);
    return margins.status === "ok" && charsOf(margins) > maxCharsInCall ? streamed(margins) : margins;
  };
}

function charsOf({ markups, files }: MarginMarkups): number {
  return [...markups, ...files.map(({ uri }) => uri)].reduce((sum, { length }) => sum + length, 0);
}

function streamed(margins: MarginMarkups): StreamedMargins {
  const { files } = margins;
  const text = textOf(margins);
  return { status: "streamed", ...streamOf(text, files) };
}

function textOf({ markups, headerOfPage, footerOfPage, files, fonts }: MarginMarkups): SentMargins {
  return { markups, headerOfPage, footerOfPage, files: files.map(sentFile), ...(fonts ? { fonts } : {}) };
}

export function receivedMargins(margins: MarginMarkups): OpenedMargins {
  return { text: textOf(margins), fileParts: () => filePartsOf(margins.files), close: () => {} };
}

/** Rejects with `ContentError` if the headers and footers do not arrive. */
export async function openMargins(margins: StreamedMargins): Promise<OpenedMargins> {
  const { text, filesOf, close } = await openContent<SentMargins>(margins, Date.now() + readTimeoutMs);
  return { text, fileParts: () => filesOf(text.files), close };
}
