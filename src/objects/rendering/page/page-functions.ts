// The functions of the page script, called in an open page. Each call is one round trip.
import type { CDPSession } from "@cloudflare/puppeteer";
import type {
  ContentHeights,
  NumberingOutcome,
  PageHeightsOutcome,
  PageNumbers,
  PagePreparation,
  PrepareInput,
  PrintedPages,
  SheetsOutcome,
} from "../../../core/rendering/prepared-page.ts";

export type PageFunctions = {
  preparePage(input: PrepareInput): Promise<PagePreparation>;
  setPageHeights(heights: ContentHeights): Promise<PageHeightsOutcome>;
  setPageNumbers(numbers: PageNumbers): Promise<NumberingOutcome>;
  layOutSheets(printed: PrintedPages): Promise<SheetsOutcome>;
};

type Impossible = { status: "impossible"; message: string };

/** `scriptId` is the object id of the page script in the page. */
export function pageFunctions(page: CDPSession, scriptId: string | undefined): PageFunctions {
  const call = async <T>(name: keyof PageFunctions, input: unknown): Promise<T | Impossible> => {
    const { result, exceptionDetails } = await page.send("Runtime.callFunctionOn", {
      objectId: scriptId,
      functionDeclaration: `function (input) { return this.${name}(input); }`,
      arguments: [{ value: input }],
      awaitPromise: true,
      returnByValue: true,
    });
    // Only the document's own markup can cause an exception, so the browser is healthy.
    if (exceptionDetails) return unprepared(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value as T;
  };
  return {
    preparePage: (input) => call("preparePage", input),
    setPageHeights: (heights) => call("setPageHeights", heights),
    setPageNumbers: (numbers) => call("setPageNumbers", numbers),
    layOutSheets: (printed) => call("layOutSheets", printed),
  };
}

function unprepared(description: string): Impossible {
  const [reason = ""] = description.split("\n");
  return {
    status: "impossible",
    message:
      `The page could not be prepared for rendering (${reason}). A possible cause is an element whose \`name\` or ` +
      "`id` is the name of a built-in property of a form or of the document, such as `closest`. Rename such elements.",
  };
}
