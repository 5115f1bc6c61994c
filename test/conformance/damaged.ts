// Damages prints of Chromium, and what the assembly makes of them, and collects the files that our validator accepts.
import { writeFile } from "node:fs/promises";
import type { MarkedElement, MarkKind } from "colophon-pdf-conformance/tag-marks";
import type { Print } from "../../packages/pdf-conformance/test/damage/damaged-file.ts";
import { runDamaged } from "../../packages/pdf-conformance/test/damage/run-damaged.ts";
import { launchChromium } from "../e2e/local-chromium.ts";
import { images } from "./images.ts";

const kinds: MarkKind[] = ["heading", "link", "figure", "list", "terms", "term", "definition", "head"];
/** Kinds that the page does not have are unknown to it. */
const elementsOf = (html: string): MarkedElement[] =>
  kinds.map((kind) => {
    const isThere = html.includes(marked(kind));
    return { kind: isThere ? kind : "other", name: kind, text: "text", isRepeated: isThere && kind === "head" };
  });
const marked = (kind: MarkKind) => `lang="en-x-colophon-${kinds.indexOf(kind)}"`;

const pages = [
  `<h1 ${marked("heading")}>Title fi é</h1><p>Text <a href="https://a.example" ${marked("link")}>link</a> <a href="#there">in</a></p>
   <ul ${marked("list")}><li>one<ol><li>two</ol></ul><dl ${marked("terms")}><dt ${marked("term")}>a</dt><dd ${marked("definition")}>b</dd></dl>
   <img alt="A photo" ${marked("figure")} src="${images["png-alpha"]}"><h2 id="there">There</h2>`,
  `<h1>Table</h1><table border="1"><caption>Caption</caption><thead><tr ${marked("head")}><th>A<th colspan="2">B</thead>
   ${"<tr><td rowspan=2>1<td>2<td>3<tr><td>4<td>5".repeat(40)}</table>`,
  `<div style="opacity: .5; box-shadow: 0 0 9px red"><h1>Effects</h1><p style="mask-image: linear-gradient(black, transparent)">mask</p></div>
   <svg role="img" aria-label="A drawing" width="90" height="40"><text y="20" fill="url(#g)">svg</text><linearGradient id="g"><stop stop-color="red"/></linearGradient></svg>
   <p dir="rtl">right to left</p><p style="background: linear-gradient(red, blue); background-clip: text; color: transparent">clip</p>`,
];

/** Damages files by the seeds after `from`, and returns the names of the accepted ones. Throws if a damaged file hangs, or fails without a reason. */
export async function acceptedFiles(
  { count, from }: { count: number; from: number },
  folder: string,
): Promise<string[]> {
  const browser = await launchChromium();
  const page = await browser.newPage();
  const prints: Print[] = [];
  for (const html of pages) {
    await page.setContent(`<!doctype html><html lang="en"><title>T</title>${html}`);
    const [bytes, sheet] = [await page.pdf({ tagged: true }), await page.pdf({ tagged: false })];
    prints.push({ bytes, elements: elementsOf(html), sheet });
  }
  await browser.close();
  const results = await runDamaged({ prints, from, to: from + count });
  for (const { seed, fault } of results) if (fault !== undefined) throw new Error(`seed ${seed}: ${fault}`);
  const slowest = results.reduce((one, other) => (one.ms > other.ms ? one : other));
  const accepted = results.flatMap(({ seed, place, accepted: bytes }) =>
    bytes ? { file: `${folder}/${place}-${seed}.pdf`, bytes } : [],
  );
  for (const { file, bytes } of accepted) await writeFile(file, bytes);
  console.log(
    `${count - accepted.length} of ${count} damaged files are refused; the slowest took ${Math.round(slowest.ms)} ms.`,
  );
  return accepted.map(({ file }) => file);
}
