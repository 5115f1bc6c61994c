// Runs the benchmarks. The service and bare puppeteer are measured alternately in one run, so that changes in the
// machine's speed affect both.
//   npm run bench                      the speed table, a burst of creates, headers and footers, the quota
//   npm run bench -- --ratios          only the speed table, to compare two commits
//   npm run bench -- --stages COMMIT   the stages of a create, beside those of a commit
//   npm run bench -- --compare COMMIT  the speed of this checkout beside that of a commit; several commits are separated by commas
//   npm run bench -- --margins         what headers and footers cost, and how long it takes to assemble a file
//   npm run bench -- --burst 2000      creates at once on one browser, whose clients come back after Retry-After
//   npm run bench -- --renders 10000   memory and browser contexts during 10,000 renders for 16 accounts
//   npm run bench -- --kills 180       creates for 180 seconds while Chromium is killed every ten seconds
//   npm run bench -- --liquid          the processor time for each unit of work of the template language's primitives
//   npm run bench -- --memory          the largest documents: live memory at each stage of a render
//   npm run bench -- --rows            how many bytes a document and a webhook event take in D1
//   npm run bench -- --dev             template dev: from a save to the new document, and to the message of a mistake
//   npm run bench -- --pictures        a catalogue page with six photos by URL, and the sizes of files with photos
//   npm run bench -- --fonts           the service's fonts beside the same fonts in the template, for warm and cold pages
//   npm run bench -- --growth          an account with 100,000 documents beside one with 1,000: lists, reads, creates
//   npm run bench -- --webhooks        the delay of webhooks while the receiver of another account never responds
import { parseArgs } from "node:util";
import { benchCycles, benchHops } from "./quota.ts";
import { bareRenderer, launchBare } from "./harness/bare.ts";
import { benchCompare } from "./compare.ts";
import { benchFonts } from "./fonts.ts";
import { benchGrowth } from "./growth.ts";
import { benchLiquid } from "./liquid/calibrate.ts";
import { benchWebhooks } from "./webhooks.ts";
import { benchKills } from "./kill.ts";
import { benchBurst } from "./burst.ts";
import { benchSoak } from "./load.ts";
import { printRowSizes } from "./row-sizes.ts";
import { showPair } from "./harness/measure.ts";
import { loadSamples, type Sample } from "./harness/samples.ts";
import { startService } from "./harness/service.ts";
import { benchMargins } from "./margins.ts";
import { benchMemory } from "./memory/run.ts";
import { benchPictures } from "./pictures.ts";
import { benchStages } from "./stages.ts";
import { benchTemplateDev } from "./template-dev.ts";
import { manyAccounts, oneAccount, oneCaller, oneCallerTwoPrints } from "./speed.ts";

const rounds = Number(process.env["ROUNDS"] ?? 60);
const tenants = 64;

async function bench(): Promise<void> {
  const { values } = parseArgs({
    options: {
      ratios: { type: "boolean" },
      stages: { type: "string" },
      compare: { type: "string" },
      margins: { type: "boolean" },
      liquid: { type: "boolean" },
      burst: { type: "string" },
      memory: { type: "boolean" },
      renders: { type: "string" },
      kills: { type: "string" },
      rows: { type: "boolean" },
      webhooks: { type: "boolean" },
      growth: { type: "boolean" },
      dev: { type: "boolean" },
      pictures: { type: "boolean" },
      fonts: { type: "boolean" },
    },
  });
  if (values.liquid) return benchLiquid();
  if (values.memory) return benchMemory(8894, 8895);
  if (values.rows) return printRowSizes();
  if (values.stages) return benchStages(8880, values.stages);
  if (values.compare) return benchCompare(8880, values.compare.split(","), Number(process.env["ROUNDS"] ?? 5));
  if (values.dev) return benchTemplateDev();
  if (values.fonts) return benchFonts(8897, Number(process.env["ROUNDS"] ?? 15));
  if (values.pictures) return benchPictures(8896, rounds);
  if (values.growth) return benchGrowth(8895, Number(process.env["DOCUMENTS"] ?? 100_000));
  const samples = await loadSamples();
  if (values.ratios) return benchSpeed(samples);
  if (values.margins) return benchMargins(8893);
  if (values.webhooks) return benchWebhooks(8892);
  if (values.burst) return benchBurst(8894, samples.smallPdf, Number(values.burst));
  if (values.kills) return underKills(samples.smallPdf, Number(values.kills));
  if (values.renders) return soak(samples.smallPdf, Number(values.renders));
  await benchSpeed(samples);
  await benchBurst(8894, samples.smallPdf, 200);
  await benchMargins(8893);
  const watched = await startService(8891, { variables: { WORKER_MAIN: "bench/worker.ts" } });
  try {
    await benchCycles(watched);
    await benchHops(watched, samples.invoicePdf);
  } finally {
    await watched.stop();
  }
}

type Samples = Awaited<ReturnType<typeof loadSamples>>;

/** Prints the table of ratios. */
async function benchSpeed({ smallPdf, invoicePdf, smallPng }: Samples): Promise<void> {
  const browser = await launchBare();
  const service = await startService(8890, { tenants });
  try {
    const both = { service, bare: bareRenderer(browser) };
    console.log("                                              bare   service   ratio");
    showPair("one caller, p50 ms:         small PDF", await oneCaller(both, smallPdf, rounds));
    showPair("                            invoice PDF", await oneCaller(both, invoicePdf, rounds));
    showPair("             invoice PDF, both prints", await oneCallerTwoPrints(both, invoicePdf, rounds));
    showPair("                            small PNG", await oneCaller(both, smallPng, rounds));
    showPair("8 callers, documents/s:     small PDF", await oneAccount(both, smallPdf));
    showPair("                            invoice PDF", await oneAccount(both, invoicePdf));
    showPair("                            small PNG", await oneAccount(both, smallPng));
    showPair("64 accounts in turn, /s:    small PDF", await manyAccounts(both, smallPdf));
  } finally {
    await browser.close();
    await service.stop();
  }
}

async function soak(sample: Sample, renders: number): Promise<void> {
  const service = await startService(8890, { tenants: 16 });
  try {
    await benchSoak(service, sample, renders);
  } finally {
    await service.stop();
  }
}

async function underKills(sample: Sample, seconds: number): Promise<void> {
  const service = await startService(8890);
  try {
    await benchKills(service, sample, seconds);
  } finally {
    await service.stop();
  }
}

await bench();
