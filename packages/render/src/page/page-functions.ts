// The functions of the page script, called in an open page. Each call is one round trip.
import type { CDPSession } from "@cloudflare/puppeteer";
import { shortened } from "colophon-base/text";
import type { SentPatterns } from "colophon-page/hyphenation";
import type { FacesPart, UsedFaces } from "colophon-page/page-faces";
import type {
  BlankBoxes,
  BlankBoxesOutcome,
  ContentHeights,
  FilesPart,
  NumberingOutcome,
  PageHeightsOutcome,
  PageNumbers,
  PagePreparation,
  PrepareInput,
  PrintedPages,
  SentMargins,
  SheetsOutcome,
} from "colophon-page/prepared-page";
import type { OpenedContent } from "../content/job-content.ts";
import { sendWhenFew } from "./in-flight.ts";

/** Like `PrintedPages`, with the margins' files. */
export type PagesOfPrint = Omit<PrintedPages, "margins"> & { margins: OpenedContent<SentMargins> | null };

export type PageFunctions = {
  /**
   * Sends the files of a document in parts for the next call. Resolves when all parts have been sent; `arrived` resolves when
   * the page has received them. Rejects if the parts cannot be read; the page can still be used.
   */
  sendFiles(parts: AsyncIterable<string> | Iterable<string>): Promise<{ arrived: Promise<unknown> }>;
  /** Sends faces to the page. The parts must arrive in order. Rejects if the browser fails. */
  addFaces(part: FacesPart): Promise<void>;
  /** Lets the next document, or the current document's headers and footers, use these faces. */
  useFaces(faces: UsedFaces): Promise<void>;
  /** Sends hyphenation patterns to the page for its next documents. */
  addPatterns(patterns: SentPatterns): Promise<void>;
  preparePage(input: PrepareInput): Promise<PagePreparation>;
  setPageHeights(heights: ContentHeights): Promise<PageHeightsOutcome>;
  setPageNumbers(numbers: PageNumbers): Promise<NumberingOutcome>;
  setBlankBoxes(boxes: BlankBoxes): Promise<BlankBoxesOutcome>;
  layOutSheets(printed: PagesOfPrint): Promise<SheetsOutcome>;
};

type FunctionName = Exclude<keyof PageFunctions, "sendFiles" | "addFaces" | "addPatterns">;

/** The maximum number of pending parts of files; see `filePartChars`. */
const maxPartsInFlight = 48;

type Impossible = { status: "impossible"; message: string };

/** `scriptId` is the object id of the page script in the page. */
export function pageFunctions(page: CDPSession, scriptId: string | undefined): PageFunctions {
  const run = async <T>(functionDeclaration: string, values: { value: unknown }[]): Promise<T | Impossible> => {
    const { result, exceptionDetails } = await page.send("Runtime.callFunctionOn", {
      objectId: scriptId,
      functionDeclaration,
      arguments: values,
      awaitPromise: true,
      returnByValue: true,
    });
    // Only the document's own markup can cause an exception, so the browser itself is healthy.
    if (exceptionDetails) return unprepared(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value as T;
  };
  const call = <T>(name: FunctionName, input: unknown) =>
    run<T>(`function (input) { return this.${name}(input); }`, [{ value: input }]);
  // The browser converts arguments to JSON and the JSON to a script, so long text is inserted directly into the script.
  const sendPart = (part: FilesPart) => run(`function () { this.receiveFiles(${JSON.stringify(part)}); }`, []);
  const sendFiles: PageFunctions["sendFiles"] = async (parts) => {
    const inFlight: Promise<unknown>[] = [];
    let isFirst = true;
    for await (const text of parts) {
      const part = { isFirst, text };
      await sendWhenFew(inFlight, maxPartsInFlight, () => sendPart(part));
      isFirst = false;
    }
    const arrived = Promise.all(inFlight);
    arrived.catch(() => {}); // The caller may fail before it waits for the parts.
    return { arrived };
  };
  return {
    sendFiles,
    addFaces: async (part) => void (await run(`function () { this.addFaces(${JSON.stringify(part)}); }`, [])),
    addPatterns: async (each) => void (await run(`function () { this.addPatterns(${JSON.stringify(each)}); }`, [])),
    useFaces: async (faces) => void (await call("useFaces", faces)),
    preparePage: (input) => call("preparePage", input),
    setPageHeights: (heights) => call("setPageHeights", heights),
    setPageNumbers: (numbers) => call("setPageNumbers", numbers),
    setBlankBoxes: (boxes) => call("setBlankBoxes", boxes),
    async layOutSheets({ margins, ...printed }) {
      if (!margins) return call("layOutSheets", { ...printed, margins } satisfies PrintedPages);
      const { arrived } = await sendFiles(margins.filesOf(margins.text.files));
      const sent: PrintedPages = { ...printed, margins: margins.text };
      const [outcome] = await Promise.all([call<SheetsOutcome>("layOutSheets", sent), arrived]);
      return outcome;
    },
  };
}

function unprepared(description: string): Impossible {
  const [reason = ""] = description.split("\n");
  return {
    status: "impossible",
    message:
      `The page could not be prepared for rendering (${shortened(reason, 200)}). A possible cause is an element whose \`name\` or ` +
      "`id` is the name of a built-in property of a form or of the document, such as `closest`. Rename such elements.",
  };
}
