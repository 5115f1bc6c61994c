// Prints a document in the same round trip in which the page prepares it. The browser runs both commands in order, but prints
// as soon as the preparation waits for something. Such a print lacks the title of the prepared page, and cannot be used.
import type { CDPSession } from "@cloudflare/puppeteer";
import type { PagePreparation } from "colophon-page/prepared-page";
import { infoEntry } from "colophon-pdf/metadata";
import type { PoolJob } from "../content/job-content.ts";
import { printBody } from "./print-pdf.ts";
import type { Printed } from "./printed-file.ts";
import type { OutputMemory } from "./render-weight.ts";

/** `early` is empty if there is no usable print. */
export type LoadedDocument = { preparation: PagePreparation; early: Printed[] };

/**
 * After this many useless prints, documents are not printed early until the page loads different styles. Some styles have
 * images to wait for.
 */
const maxUseless = 3;

/**
 * `known` is the part of the document that the page already had. `isTagged` is whether the document will probably be printed with tags,
 * which the page decides.
 */
type EarlyOptions = { known: "nothing" | "styles" | "styles and fonts"; isTagged: boolean; memory: OutputMemory };

/**
 * Returns a function that calls `prepare` with the title of the prepared page, and prints in the same round trip if the page is likely to have nothing to
 * wait for.
 */
export function earlyPrinter(page: CDPSession) {
  let attempts = 0;
  return async (
    job: PoolJob,
    { known, isTagged, memory }: EarlyOptions,
    prepare: (preparedTitle: string) => Promise<PagePreparation>,
  ): Promise<LoadedDocument> => {
    const preparedTitle = crypto.randomUUID();
    if (known === "nothing") attempts = job.format === "pdf" ? maxUseless : 0;
    const isEarly = known === "styles and fonts" && attempts > 0;
    const preparing = prepare(preparedTitle);
    const [preparation, printed] = await Promise.all([
      preparing,
      isEarly && printBody({ page, job, memory }, isTagged),
    ]);
    if (!isPrintedOnce(preparation, isTagged)) attempts = 0;
    else if (printed && printed.status === "printed" && infoEntry(printed.file, "Title") === preparedTitle)
      return { preparation, early: [printed] };
    else if (isEarly) attempts--;
    return { preparation, early: [] };
  };
}

/** Returns whether the document can be printed in this way before its pages are known. */
function isPrintedOnce(preparation: PagePreparation, isTagged: boolean): boolean {
  if (preparation.status !== "prepared") return true;
  const { autoPages, targets, metadata } = preparation.prepared;
  return !autoPages && targets.length === 0 && (metadata.untagged === null) === isTagged;
}
