// Assembles 10,000 damaged or hostile PDFs, which are made from real ones. Each must be refused with `PdfError`, or give a
// file that two readers open. Neither the time nor the memory may grow out of proportion.
import { getDocumentProxy } from "unpdf";
import { deflateSync } from "node:zlib";
import { afterAll, beforeAll, expect, it } from "vitest";
import { launchBare } from "../../../bench/harness/bare.ts";
import { assemblePdf, type AssembledPdf } from "../../../src/core/pdf/assemble-pdf.ts";
import { destinations } from "../../../src/core/pdf/file/destinations.ts";
import { openPdf } from "../../../src/core/pdf/file/open-pdf.ts";
import { pageBoxes } from "../../../src/core/pdf/file/page-tree.ts";
import { PdfError } from "../../../src/core/pdf/syntax/pdf-error.ts";
import { readPdf } from "../../fixtures/pdf-reader.ts";
import { damaged, randomFrom, type Random } from "./damage.ts";

const files = 10_000;
const filesPerTest = 500;
const area = { contentHeightPt: 700 };
const metadata = { createdAt: 0, language: "en", author: "Ada", subject: "", keywords: "" };
/** The bytes that an assembly may compress for each byte of its input, in addition to a constant for small inputs. */
const bytesPerByte = 3;
const constantBytes = 200_000;
const maxCpuMs = 2_000;

let bodies: Uint8Array[] = [];
let sheets: Uint8Array[] = [];
const figures = { valid: 0, refused: 0, slowestMs: 0, largestRatio: 0, reasons: new Map<string, number>() };

beforeAll(async () => {
  const browser = await launchBare();
  const page = await browser.newPage();
  const print = async (markup: string, tagged: boolean, landscape = false) => {
    await page.setContent(
      `<!doctype html><html lang="en"><head><title>T (1)</title></head><body>${markup}</body></html>`,
    );
    return page.pdf({ tagged, outline: false, landscape, printBackground: true });
  };
  const pixel = `<svg width="9" height="9"><circle r="4" fill="url(#g)"/><linearGradient id="g"><stop/></linearGradient></svg>`;
  const links = `<a href="#t">in</a> <a href="https://a.dev/x">out</a> <a href="mailto:a@b.dev">mail</a>`;
  const table = "<table><tr><th>a<th>b<tr><td>1<td>2</table>";
  const text = `<h1 id="t">Title</h1><p>${links}</p>${table}<h2 id="u" style="break-before:page">Next</h2>${pixel}`;
  bodies = [await print(text, true), await print(text, false, true), await print(text.repeat(4), true)];
  const sheet = `<div style="break-after:page">Page <b>1</b> <a href="#t">in</a> <a href="https://a.dev">out</a>${pixel}</div>`;
  sheets = [await print(`${sheet.repeat(3)}<i id="t"></i>`, false), await print(sheet, false)];
  await browser.close();
});

afterAll(() => {
  const { valid, refused, slowestMs, largestRatio, reasons } = figures;
  const lines = [...reasons].sort(([, a], [, b]) => b - a).map(([reason, count]) => `  ${count}: ${reason}`);
  const peakMb = Math.round(process.resourceUsage().maxRSS / 1_024);
  console.log(
    `${valid} files were valid and ${refused} were refused. The slowest took ${slowestMs.toFixed(0)} ms of processor time; ` +
      `at most ${largestRatio.toFixed(2)} bytes were compressed for each byte of input; the process had at most ${peakMb} MB.\n${lines.join("\n")}`,
  );
});

it.each(Array.from({ length: files / filesPerTest }, (_, index) => index * filesPerTest))(
  "refuses a damaged file, or makes a valid one of it (seeds from %d)",
  async (firstSeed) => {
    for (let seed = firstSeed; seed < firstSeed + filesPerTest; seed++) await tryOne(seed);
  },
  600_000,
);

async function tryOne(seed: number): Promise<void> {
  const random = randomFrom(seed);
  const [body, sheet] = [random.pick(bodies), random.pick(sheets)];
  const isBodyDamaged = random.below(3) > 0;
  const { bytes, names } = damaged(isBodyDamaged ? body : sheet, random);
  const what = `seed ${seed}: ${isBodyDamaged ? "body" : "sheets"}, ${names.join(", ")}`;
  const result = assembled(isBodyDamaged ? bytes : body, isBodyDamaged ? sheet : bytes, random, what);
  if (!result) return;
  figures.valid++;
  try {
    readPdf(result.bytes);
    // pdf.js repairs what it can, so it only has to find all pages.
    const document = await getDocumentProxy(result.bytes.slice(), { verbosity: 0 });
    expect(document.numPages).toBe(result.pages);
    await document.loadingTask.destroy();
  } catch (cause) {
    throw new Error(what, { cause });
  }
}

function assembled(
  body: Uint8Array,
  sheet: Uint8Array,
  random: Random,
  what: string,
): (AssembledPdf & { pages: number }) | null {
  let compressedBytes = 0;
  const deflate = (bytes: Uint8Array) => {
    compressedBytes += bytes.length;
    return deflateSync(bytes);
  };
  const before = process.cpuUsage();
  try {
    const file = openPdf(body);
    const pages = pageBoxes(file).length;
    const headings = [...destinations(file, area).keys()].map((name) => ({
      level: 1 + random.below(3),
      text: "ü",
      name,
    }));
    const ofPage = Array.from({ length: pages }, () => (random.below(3) === 0 ? null : 0));
    const input = {
      body: file,
      sheets: { file: openPdf(sheet), ofPage, parts: null },
      metadata,
      headings,
      area,
      deflate,
    };
    return { ...assemblePdf(input), pages };
  } catch (error) {
    if (!(error instanceof PdfError)) throw new Error(what, { cause: error });
    figures.refused++;
    figures.reasons.set(error.message, (figures.reasons.get(error.message) ?? 0) + 1);
    return null;
  } finally {
    const { user, system } = process.cpuUsage(before);
    const inputBytes = body.length + sheet.length;
    figures.slowestMs = Math.max(figures.slowestMs, (user + system) / 1_000);
    figures.largestRatio = Math.max(figures.largestRatio, compressedBytes / inputBytes);
    expect((user + system) / 1_000, what).toBeLessThan(maxCpuMs);
    expect(compressedBytes, what).toBeLessThan(bytesPerByte * inputBytes + constantBytes);
  }
}
