// Takes 10,000 damaged or hostile stacks of sheets apart, which are made from real ones.
import { getDocumentProxy } from "unpdf";
import { afterAll, beforeAll, expect, it } from "vitest";
import { launchBare } from "../../../bench/harness/bare.ts";
import { tryDamagedStack, type Stack } from "./damaged-stacks.ts";

const files = 10_000;
const filesPerTest = 500;

let stacks: Stack[] = [];
let body: Uint8Array = new Uint8Array();
const counts = new Map<string, number>();

beforeAll(async () => {
  const browser = await launchBare();
  const page = await browser.newPage();
  const print = async (markup: string) => {
    await page.setContent(`<!doctype html><html><head><title>T</title></head><body>${markup}</body></html>`);
    return page.pdf({ tagged: false, outline: false, printBackground: true, preferCSSPageSize: true });
  };
  const stackOf = async (count: number, markup: (index: number) => string): Promise<Stack> => {
    const sheet = (index: number) =>
      `<div style="position:absolute;left:0;top:${index * pitch}px;width:400px;height:${height}px;contain:size layout;overflow:clip">${markup(index)}</div>`;
    const sheets = Array.from({ length: count }, (_, index) => sheet(index)).join("");
    const bytes = await print(
      `<style>@page{size:400px ${count * pitch}px;margin:0}body{margin:0}</style><div style="position:relative;height:${count * pitch}px">${sheets}</div>`,
    );
    const places = Array.from({ length: count }, (_, index) => ({
      page: 0,
      area: { topPx: index * pitch, heightPx: height },
    }));
    return { bytes, places };
  };
  const [height, pitch] = [120, 128];
  const drawing = `<svg width="9" height="9"><circle r="4" fill="url(#g)"/><linearGradient id="g"><stop/></linearGradient></svg>`;
  stacks = [
    await stackOf(3, (index) => `Page <b>${index}</b>`),
    await stackOf(
      12,
      (index) => `<p style="opacity:.5;overflow:hidden">${index}</p>${drawing}<i style="color:#c00">x</i>`,
    ),
  ];
  body = await print("<p>1<p style=break-before:page>2<p style=break-before:page>3");
  await browser.close();
});

afterAll(() => {
  const lines = [...counts].sort(([, a], [, b]) => b - a).map(([reason, count]) => `  ${count}: ${reason}`);
  console.log(`What became of ${files} damaged stacks:\n${lines.join("\n")}`);
});

it.each(Array.from({ length: files / filesPerTest }, (_, index) => index * filesPerTest))(
  "refuses a damaged stack of sheets, or makes a valid file of it (seeds from %d)",
  async (firstSeed) => {
    for (let seed = firstSeed; seed < firstSeed + filesPerTest; seed++) await tryOne(seed);
  },
  600_000,
);

async function tryOne(seed: number): Promise<void> {
  const outcome = tryDamagedStack(stacks, body, seed);
  const name = outcome.status === "refused" ? outcome.reason : outcome.status;
  counts.set(name, (counts.get(name) ?? 0) + 1);
  if (outcome.status !== "assembled") return;
  // pdf.js repairs what it can, so it only has to find all pages.
  const document = await getDocumentProxy(outcome.bytes.slice(), { verbosity: 0 });
  expect(document.numPages, `seed ${seed}`).toBe(outcome.pages);
  await document.loadingTask.destroy();
}
