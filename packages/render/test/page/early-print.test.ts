// Tests with a fake browser when a document is printed together with its preparation, and when that print is used.
import type { CDPSession } from "@cloudflare/puppeteer";
import { expect, it } from "vitest";
import { renderJob } from "colophon-test-kit/render-job";
import { earlyPrinter } from "../../src/page/early-print.ts";
import { unlimitedMemory } from "../../src/page/render-weight.ts";
import { preparation, printedPdf } from "./fake-page.ts";

type Known = Parameters<ReturnType<typeof earlyPrinter>>[1]["known"];
type Document = {
  known?: Known;
  format?: "png";
  isReady?: boolean;
  isTagged?: boolean;
  prepared?: ReturnType<typeof preparation>;
};

/**
 * Loads documents into one page. `isReady` is whether the page is prepared when it is printed. Returns, for each document,
 * `early` if it has a usable early print, `useless` if it has an unusable one, and otherwise `none`.
 */
async function load(documents: Document[]): Promise<string> {
  let made = 0;
  let print = printedPdf();
  const send = async (method: string) => {
    if (method === "Page.printToPDF") made++;
    return { stream: "1", base64Encoded: true, data: Buffer.from(print).toString("base64"), eof: true };
  };
  const load = earlyPrinter({ send } as unknown as CDPSession);
  const results: string[] = [];
  for (const {
    known = "styles and fonts",
    format,
    isReady = true,
    isTagged = true,
    prepared = preparation(),
  } of documents) {
    made = 0;
    const job = renderJob(format ? { format } : {});
    const { early } = await load(job, { known, isTagged, memory: unlimitedMemory }, async (preparedTitle) => {
      print = printedPdf({ title: isReady ? preparedTitle : "the document before" });
      return prepared;
    });
    results.push(early.length > 0 ? "early" : made > 0 ? "useless" : "none");
  }
  return results.join();
}

const first: Document = { known: "nothing" };
const notReady: Document = { isReady: false };
const untagged = preparation({ metadata: { ...preparation().prepared.metadata, untagged: "Too long." } });

it("the second and later documents with the same styles are printed early", async () => {
  expect(await load([first, {}, {}, first, {}])).toBe("none,early,early,none,early");
});

it("images, and documents with new fonts or files, are not printed early", async () => {
  const image: Document[] = [{ ...first, format: "png" }, { format: "png" }];

  expect(await load([first, { known: "styles" }, {}, ...image])).toBe("none,none,early,none,none");
});

it("an early print is discarded if the page was not ready, and none is made after this has happened three times", async () => {
  const useless = [notReady, {}, notReady, notReady, {}];

  expect(await load([first, ...useless])).toBe("none,useless,early,useless,useless,none");
});

it("a document without tags is printed early, and so is the next one", async () => {
  expect(await load([first, { isTagged: false, prepared: untagged }, {}])).toBe("none,early,early");
});

it.each<[string, Parameters<typeof preparation>[0]]>([
  ["with page references", { targets: ["a"] }],
  ["of automatic height", { autoPages: { contentWidth: 9, isTooWide: false, pages: [] } }],
  ["that unexpectedly has no tags", untagged.prepared],
])("an early print is discarded for a document %s, and none is made for the next one", async (_which, rest) => {
  const prepared = preparation(rest);

  expect(await load([first, { prepared }, {}])).toBe("none,useless,none");
  expect(await load([{ ...first, prepared }, {}])).toBe("none,none");
});
