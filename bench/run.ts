// `npm run bench`: the service beside bare puppeteer, in one run, interleaved, as ratios: the machine's noise hits both.
import { readTemplateFolder } from "../src/cli/template-folder.ts";
import { compileTemplate } from "../src/core/compile-template.ts";
import { documentHtml } from "../src/core/document-html.ts";
import { checkData } from "../src/core/template-data.ts";
import { benchCycles, benchHops } from "./allowance.ts";
import { bareRenderer, launchBare, type BareRenderer } from "./bare.ts";
import { startService, type BenchService } from "./service.ts";
import { median } from "./statistics.ts";

const rounds = Number(process.env["ROUNDS"] ?? 60);
const warmUpRounds = 10;

type Summary = { success: boolean; data: { templates: { id: string; title: string }[] } };

async function bench(): Promise<void> {
  const invoice = await sampleDocument("invoice");
  const browser = await launchBare();
  const service = await startService(8890);
  try {
    await benchInvoice(service, await bareRenderer(browser), invoice);
  } finally {
    await browser.close();
    await service.stop();
  }
  const measured = await startService(8891, { WORKER_MAIN: "bench/worker.ts" });
  try {
    await benchCycles(measured);
    await benchHops(measured, { templateId: await templateIdOf(measured, invoice.title), data: invoice.data });
  } finally {
    await measured.stop();
  }
}

async function templateIdOf(service: BenchService, title: string): Promise<string | undefined> {
  const listed = (await (await service.call("/templates")).json()) as Summary;
  return listed.data.templates.find((template) => template.title === title)?.id;
}

async function benchInvoice(service: BenchService, bare: BareRenderer, invoice: SampleDocument): Promise<void> {
  const templateId = await templateIdOf(service, invoice.title);
  const times = await interleaved({
    bare: () => bare.pdf(invoice.html),
    service: async () => {
      const answer = await service.call("/documents", { templateId, data: invoice.data });
      if (answer.status !== 201) throw new Error(await answer.text());
      await answer.text();
    },
  });
  const [bareMs, serviceMs] = [median(times["bare"] ?? []), median(times["service"] ?? [])];
  console.log(`invoice, ${invoice.rows} rows, one caller, ${rounds} rounds, p50:`);
  console.log(`  bare puppeteer  ${bareMs.toFixed(1)} ms`);
  console.log(`  POST /documents ${serviceMs.toFixed(1)} ms`);
  console.log(`  ratio           ${(serviceMs / bareMs).toFixed(2)}`);
}

type SampleDocument = Awaited<ReturnType<typeof sampleDocument>>;

async function sampleDocument(name: string) {
  const read = await readTemplateFolder(`templates/${name}`);
  if (read.status === "broken") throw new Error(JSON.stringify(read.problems));
  const { content } = read;
  const compiled = compileTemplate(content);
  if (compiled.status === "broken") throw new Error(JSON.stringify(compiled.problems));
  const { data } = checkData(content.manifest.fields, content.sampleData);
  const html = documentHtml({
    compiled: compiled.template,
    data,
    id: "00000000-0000-4000-8000-000000000000",
    createdAt: Date.now(),
    format: "pdf",
    page: content.manifest.page,
    fixedHeight: false,
  });
  if (html.status === "problem") throw new Error(JSON.stringify(html.problem));
  const rows = Object.values(data).find((value) => Array.isArray(value));
  return { title: content.manifest.title, data: content.sampleData, html: html.html, rows: rows?.length ?? 0 };
}

/** Runs each once a round, in turn; returns the times in ms, warm-up left out. */
async function interleaved(runs: Record<string, () => Promise<unknown>>): Promise<Record<string, number[]>> {
  const times: Record<string, number[]> = {};
  for (let round = -warmUpRounds; round < rounds; round++) {
    for (const [name, run] of Object.entries(runs)) {
      const startedMs = performance.now();
      await run();
      if (round >= 0) (times[name] ??= []).push(performance.now() - startedMs);
    }
  }
  return times;
}

await bench();
