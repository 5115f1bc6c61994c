// Measures what the service's fonts cost: the same document with the same font files, once embedded in the template and once
// brought by the service. `warm` is the next document with these characters on a page; `cold` is the first one, whose files are
// neither in the page nor in the memory of the pool. In both cases, the page has the template. The cold documents are of accounts of
// their own, whose page has shown English text, and a document with many other files is rendered before each of them. `first` is the
// first document with embedded fonts on a page that has shown another template, so the page has to load its fonts too.
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildFonts } from "colophon-fonts/build-fonts";
import { fontLookup } from "../packages/render/src/fonts/font-lookup.ts";
import { fontIndexPath, unicodeRange, type FontIndex } from "colophon-fonts/font-index";
import { addCharacters, noCharacters } from "colophon-template-model/text-characters";
import { everyScriptBut, japanese, latin, manyScripts, otherFiles, thai, type Block } from "./fonts/texts.ts";
import { loadSample, type Sample } from "./harness/samples.ts";
import { startService } from "./harness/service.ts";
import { median } from "./harness/statistics.ts";

const template = "bench/fonts/template";

const documents: { name: string; blocks: Block[] }[] = [
  { name: "29 scripts and symbols", blocks: everyScriptBut("Emoji") },
  { name: "26 scripts and symbols, no CJK", blocks: everyScriptBut("Emoji", "Chinese", "Japanese", "Korean") },
  { name: "twelve paragraphs in ten scripts, emoji", blocks: manyScripts },
  { name: "Thai", blocks: [latin, thai] },
  { name: "Japanese, 300 characters", blocks: [japanese(300)] },
  { name: "Japanese, 1,000 characters", blocks: [japanese(1_000)] },
];

export async function benchFonts(port: number, rounds: number): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "colophon-bench-fonts-"));
  const service = await loadSample(template, "pdf");
  const cases: Case[] = [];
  for (const [index, { name, blocks }] of documents.entries()) {
    const embedded = await embeddedTemplate(join(folder, `${index}`), service, blocks);
    const sample = { ...(await loadSample(embedded.folder, "pdf")), data: { blocks } };
    cases.push({ name, embedded: sample, blocks, files: embedded.files, bytes: embedded.bytes });
  }
  const samples = [template, ...cases.map(({ embedded }) => embedded.name)];
  const started = await startService(port, { samples, tenants: 2 * documents.length * rounds + 2 });
  const [author, reader = author, ...fresh] = started.tenants;
  const withBlocks = (blocks: Block[]): Sample => ({ ...service, data: { blocks } });
  try {
    console.log(
      "p50 ms                                   files     kB  embedded    warm   first    cold  warm/emb  cold/emb  cold/first",
    );
    for (const { name, embedded, blocks, files, bytes } of cases) {
      const times = { embedded: [] as number[], warm: [] as number[], first: [] as number[], cold: [] as number[] };
      for (let round = 0; round < rounds; round++) {
        const [tenant, other] = [fresh.pop(), fresh.pop()];
        // Perhaps the pages of these accounts were closed for others.
        await started.create(embedded, author);
        await started.create(withBlocks(blocks), reader);
        for (let time = 0; time < 3; time++) {
          times.embedded.push(await timed(() => started.create(embedded, author)));
          times.warm.push(await timed(() => started.create(withBlocks(blocks), reader)));
        }
        await started.create(withBlocks([latin]), author);
        times.first.push(await timed(() => started.create(embedded, author)));
        await started.create(withBlocks([latin]), tenant);
        await started.create(withBlocks(otherFiles), other);
        times.cold.push(await timed(() => started.create(withBlocks(blocks), tenant)));
      }
      show(name, { files, bytes }, times);
    }
  } finally {
    await started.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

type Case = { name: string; embedded: Sample; blocks: Block[]; files: number; bytes: number };

/** Makes a template with the files that the service would bring for the text, and with no others. */
async function embeddedTemplate(folder: string, { html }: Sample, blocks: Block[]) {
  const fonts = await buildFonts();
  const index = JSON.parse(await readFile(join(fonts.folder, fontIndexPath), "utf8")) as FontIndex;
  const characters = noCharacters();
  addCharacters(characters, html + blocks.map(({ text }) => text).join());
  const faces = fontLookup(index).facesFor(characters, "en");
  const names = new Map<string, number>();
  const rules: string[] = [];
  await cp(template, folder, { recursive: true });
  await mkdir(join(folder, "assets"));
  for (const { id, weight, style } of faces) {
    const slice = index.slices.find(({ files }) => files.some((file) => file.id === id));
    const file = slice?.files.find((candidate) => candidate.id === id);
    if (!slice || !file) throw new Error(`there is no font ${id}`);
    names.set(id, file.bytes);
    const pack = await readFile(join(fonts.folder, file.file));
    await writeFile(join(folder, "assets", `${id}.woff`), pack.subarray(file.start, file.start + file.bytes));
    rules.push(
      `@font-face{font-family:"Own ${slice.family}";font-weight:${weight};font-style:${style};` +
        `src:url(${id}.woff);unicode-range:${unicodeRange(slice.ranges)}}`,
    );
  }
  // If several faces have a character, the browser prefers the one that was declared last.
  const families = ["sans", "serif", "mono"].map(
    (family) => `${family === "sans" ? "body" : `.${family}`}{font-family:"Own ${family}","Own scripts"}`,
  );
  await writeFile(join(folder, "style.css"), [...rules.toReversed(), ...families].join("\n"));
  return { folder, files: names.size, bytes: [...names.values()].reduce((sum, bytes) => sum + bytes, 0) };
}

async function timed(work: () => Promise<void>): Promise<number> {
  const startedMs = performance.now();
  await work();
  return performance.now() - startedMs;
}

function show(
  name: string,
  { files, bytes }: { files: number; bytes: number },
  times: Record<"embedded" | "warm" | "first" | "cold", number[]>,
): void {
  const [embedded, warm] = [median(times.embedded), median(times.warm)];
  const [first, cold] = [median(times.first), median(times.cold)];
  const columns = [
    [String(files), 5],
    [String(Math.round(bytes / 1000)), 7],
    [embedded.toFixed(1), 10],
    [warm.toFixed(1), 8],
    [first.toFixed(1), 8],
    [cold.toFixed(1), 8],
    [(warm / embedded).toFixed(2), 10],
    [(cold / embedded).toFixed(2), 10],
    [(cold / first).toFixed(2), 12],
  ] as const;
  console.log(name.padEnd(41) + columns.map(([text, width]) => text.padStart(width)).join(""));
}
