// Tests with a fake browser how often a document and its headers and footers are printed, and what is refused.
import { expect, it } from "vitest";
import { customGeometry } from "colophon-page/page-geometry";
import { sheetsMark, type PreparedPage } from "colophon-page/prepared-page";
import { readPdf } from "colophon-test-kit/pdf-reader";
import { renderJob } from "colophon-test-kit/render-job";
import { fakePage, preparation, printedPdf } from "./fake-page.ts";

type Prepared = Partial<PreparedPage>;
const body = printedPdf();
const sheet = printedPdf({ places: { [sheetsMark]: 0 } });
const huge = new Uint8Array(25_000_001 - body.length);
const places = [{ page: 0, area: null }];
const laidOut = { status: "laid_out", sheetOfPage: [0], places, pageCount: 1, warnings: ["m"] };
const none = { ...laidOut, pageCount: 0, sheetOfPage: [null] };
const shared = { ...laidOut, pageCount: 2 };
const grown = Array.from({ length: 4 }, () => ({ status: "margins_grew" }));
const [once, numbered] = ["1-501 tagged, stacked, 1-2", { status: "numbered", warnings: ["n"] }];
const onPage = (...pages: number[]) => pages.map((index) => printedPdf({ pageCount: 2, places: { a: index } }));
const { metadata } = preparation().prepared;
const inPart = { targets: ["a"], metadata: { ...metadata, parts: [{ name: "p", numbering: "decimal" as const }] } };
const partOn = (...pages: number[]) => pages.map((p) => printedPdf({ pageCount: 2, places: { a: 1, p } }));

/** Renders a document. The page script function that is called after a print returns the next of `results`. */
async function render(prepared: Prepared, prints: Uint8Array[], results: object[] = [], job = renderJob()) {
  const next = results.values();
  const respond = () => next.next().value ?? Promise.reject(new Error("there is no further result"));
  const functions = {
    preparePage: () => preparation(prepared),
    setPageNumbers: respond,
    setBlankBoxes: respond,
    layOutSheets: respond,
  };
  const { open, sent, memory, inputsOf } = fakePage(functions, prints);
  const outcome = await (await open()).render(job, null, memory);
  const steps = sent.flatMap(([name, { pageRanges, generateTaggedPDF, isStacked, pages, before }]) => {
    if (name === "Page.printToPDF") return `${String(pageRanges)}${generateTaggedPDF ? " tagged" : ""}`;
    if (name === "setPageNumbers") return String(pages);
    if (name === "setBlankBoxes") return `before ${String(before)}`;
    return name === "layOutSheets" ? (isStacked ? "stacked" : "single") : [];
  });
  const read = "bytes" in outcome ? [...readPdf(outcome.bytes).objects.values()] : [JSON.stringify(outcome)];
  return { outcome, objects: read.join("\n"), steps: steps.join(", "), inputsOf, sent };
}

const fourTimes = [once, once, once, once].join(", ");
const references = { targets: ["a"] };
const margins = { hasMargins: true };
const toRight = { sideBreaks: [{ name: "a", side: "odd" as const }] };
const toLeft = { sideBreaks: [...toRight.sideBreaks, { name: "a", side: "even" as const }] };
const differing = { ...toRight, pageStyles: { areSidesDifferent: true, isFirstDifferent: false } };
const set = { status: "set" };
/** The print has the pages of `onPage(1)` with a blank box before the second one, and perhaps a page more before that. */
const boxed = (more = 0) =>
  printedPdf({ pageCount: 3 + more, places: { "colophon-temporary-blank-0": 1 + more, a: 2 + more } });
const moving = [...onPage(1), boxed(1), ...onPage(1), boxed(1)];
const fullPdf = printedPdf({ pageCount: 500, places: { a: 1 } });
it.each<[string, Prepared, Uint8Array[], object[], string, RegExp]>([
  ["500 pages", {}, [printedPdf({ pageCount: 500 })], [], "1-501 tagged", /Count 500/],
  ["501 pages", {}, [printedPdf({ pageCount: 501 })], [], "1-501 tagged", /more than 500 pages/],
  ["no tags", { metadata: { ...metadata, untagged: "Too long." } }, [body], [], "1-501", /Count 1/],
  ["references", references, onPage(0, 0), [numbered], "1-501, a,1, 1-501 tagged", /Count 2/],
  [
    "references whose part moves",
    inPart,
    partOn(0, 1, 1),
    [numbered, numbered],
    "1-501, a,2,p,1, 1-501 tagged, a,2,p,2, 1-501 tagged",
    /Count 2/,
  ],
  ["references that fail", references, [body], [{ status: "impossible", message: "no" }], "1-501, ", /"no"/],
  ["a blank page", toRight, onPage(1), [], "1-501 tagged", /Count 3/],
  ["a break that needs no blank page", toLeft, onPage(1), [], "1-501 tagged", /Count 2/],
  ["a blank page too many", toRight, [fullPdf], [], "1-501 tagged", /more than 500 pages/],
  [
    "a blank page and references",
    { ...toRight, ...references },
    onPage(1, 1),
    [numbered],
    "1-501, a,3, 1-501 tagged",
    /Count 3/,
  ],
  ["a blank box", differing, [...onPage(1), boxed()], [set], "1-501 tagged, before a, 1-501 tagged", /Count 3/],
  [
    "blank boxes that move each other",
    differing,
    moving,
    [set, set, set],
    "1-501 tagged, before a, 1-501 tagged, before , 1-501 tagged, before a, 1-501 tagged",
    /Count 5/,
  ],
  ["headers that were ready", margins, [body, sheet], [laidOut], once, /\/Sheet/],
  ["headers that were not ready", margins, [body, body, sheet], [laidOut], `${once}, 1-2`, /\/Sheet/],
  ["headers on shared pages", margins, [body, sheet], [shared, laidOut], `${once}, single, 1-2`, /\/Sheet/],
  ["headers that never fit", margins, [body, sheet], [shared, shared], `${once}, single, 1-2`, /does not fit/],
  ["headers on no page", margins, [body], [none], once, /^(?![^]*\/Sheet)/],
  ["headers that grow", margins, [body], [...grown.slice(1), none], fourTimes, /Count 1/],
  ["headers that always grow", margins, [body], grown, fourTimes, /4 times in all/],
  ["headers that are too large", margins, [body, huge], [laidOut], `${once}, 1-2`, /larger than 25 MB/],
])("a document with %s is printed as often as needed", async (_what, prepared, prints, results, steps, objects) => {
  const result = await render(prepared, prints, results);

  expect(result.steps).toBe(steps);
  expect(result.objects).toMatch(objects);
});

it("a PDF contains the metadata, and the outcome has its size and each warning once", async () => {
  const own = { ...metadata, author: "Ada", outline: [{ level: 1, text: "Top", name: "a" }] };
  const page = "/Annots [<</Type /Annot /Subtype /Link /Rect [0 0 1 1] /A <</S /JavaScript>>>>]";
  const prepared = { metadata: own, warnings: ["n"], ...references, ...margins };

  const { outcome, objects } = await render(prepared, [printedPdf({ places: { a: 0 }, page })], [numbered, none]);

  const warnings = ["n", "m", expect.stringContaining("Removed 1 link:")];
  expect(outcome).toMatchObject({ pageCount: 1, width: 400, height: 533, imageSize: null, warnings });
  for (const text of ["(Ada)", "(D:1970", "(Top)"]) expect(objects).toContain(text);
});

it("the paper is measured in inches, and memory is reserved before each part of a large file is read", async () => {
  const job = renderJob({ page: customGeometry(480, "auto") });

  const { objects, inputsOf, sent } = await render({}, [new Uint8Array(40_000_000)], [], job);

  const paper = { paperWidth: 5, paperHeight: 200, marginTop: 0, marginRight: 0, marginBottom: 0, marginLeft: 0 };
  const command = { printBackground: true, preferCSSPageSize: true, transferMode: "ReturnAsStream", ...paper };
  expect(inputsOf("Page.printToPDF")).toEqual([expect.objectContaining(command)]);
  expect(inputsOf("memory.reserve")).toEqual(Array.from({ length: 26 }, (_, index) => ({ bytes: (index + 1) * 1e6 })));
  expect(sent.at(-1)).toEqual(["IO.close", { handle: "0" }]);
  expect(objects).toContain("larger than 25 MB");
});

it("the stream of a small file is closed after the file has been returned", async () => {
  const { sent } = await render({}, [body]);

  expect(sent.map(([name]) => name)).not.toContain("IO.close");
  await expect.poll(() => sent.at(-1)).toEqual(["IO.close", { handle: "0" }]);
});
