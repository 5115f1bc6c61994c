// Compares the speed of the service with bare puppeteer in Node, for one caller, for eight callers of one account, and for eight callers of
// many accounts. Bare puppeteer uses warm pages, the same browser and the same HTML as the service, but only the template's own fonts, and
// it has no hardening, storage or quota.
import type { Browser, Page } from "puppeteer-core";
import { launchChromium } from "../test/e2e/local-chromium.ts";
import { median, responseMs, throughput } from "./harness/measure.ts";
import { loadSample, type Sample } from "./harness/samples.ts";
import { startWithTenants } from "./harness/service.ts";

type Work = (n: number) => Promise<void>;

const tenants = 64;
const callers = 8;
const throughputRounds = 5;
const throughputMs = 2_000;

/** Prints the table of ratios. `rounds` is the number of calls for each median. */
export async function benchSpeed(rounds: number): Promise<void> {
  const samples = {
    "small PDF": await loadSample("bench/small-table", "pdf"),
    "invoice PDF": await loadSample("templates/invoice", "pdf"),
    "small PNG": await loadSample("bench/small-table", "png"),
    "3,000 rows": await loadSample("bench/small-table", "pdf", 3_000),
  };
  const browser = await launchChromium();
  const service = await startWithTenants({ tenants, folders: ["bench/small-table", "templates/invoice"] });
  const bare = bareRenderer(browser);
  try {
    console.log("                                              bare   service   ratio");
    for (const [name, sample] of Object.entries(samples)) {
      const [ofBare, ofService] = [() => bare.render(sample), () => service.create(sample)];
      await compareLatency(`one caller, p50 ms: ${name}`, rounds, ofBare, ofService);
      if (sample.isTagged) await compareThroughput(`${callers} callers, documents/s: ${name}`, ofBare, ofService);
    }
    const { "small PDF": sample } = samples;
    const inFreshContext = () => bare.renderInFreshContext(sample);
    const inTurn = (n: number) => service.create(sample, n);
    await compareThroughput(`${tenants} accounts in turn, /s: small PDF`, inFreshContext, inTurn);
  } finally {
    await browser.close();
    await service.stop();
  }
}

function bareRenderer(browser: Browser) {
  const warm: Page[] = [];
  return {
    async render(sample: Sample) {
      const page = warm.pop() ?? (await browser.newPage());
      await renderOn(page, sample);
      warm.push(page);
    },
    async renderInFreshContext(sample: Sample) {
      const context = await browser.createBrowserContext();
      await renderOn(await context.newPage(), sample);
      await context.close();
    },
  };
}

/** Of a PDF, only the body is printed, without header and footer. */
async function renderOn(page: Page, { format, page: { width, height }, isTagged, html }: Sample): Promise<void> {
  if (format === "png" && height !== "auto") await page.setViewport({ width, height, deviceScaleFactor: 2 });
  await page.setContent(html, { waitUntil: "load" });
  if (format === "png") await page.screenshot({ fullPage: true });
  else await page.pdf({ printBackground: true, preferCSSPageSize: true, tagged: isTagged });
}

/** Prints the median response times in ms. Only one call runs at a time. */
async function compareLatency(what: string, rounds: number, bare: Work, service: Work): Promise<void> {
  const times: [number, number][] = [];
  const warmUpRounds = Math.min(10, Math.ceil(rounds / 4));
  for (let round = 0; round < warmUpRounds + rounds; round++)
    times.push([await responseMs(() => bare(round)), await responseMs(() => service(round))]);
  show(what, times.slice(warmUpRounds));
}

/** Prints the documents per second. Bare puppeteer uses the number of callers that was fastest in a short trial. */
async function compareThroughput(what: string, bare: Work, service: Work): Promise<void> {
  const bareCallers = await bestConcurrency(bare);
  await throughput(callers, throughputMs, service); // The warm-up.
  const rates: [number, number][] = [];
  for (let round = 0; round < throughputRounds; round++)
    rates.push([await throughput(bareCallers, throughputMs, bare), await throughput(callers, throughputMs, service)]);
  show(what, rates);
}

/** Returns the number of concurrent callers, at most 8, with the highest throughput in a short trial. */
async function bestConcurrency(call: Work): Promise<number> {
  const rates: { callers: number; rate: number }[] = [];
  for (const callers of [1, 2, 3, 4, 6, 8]) {
    await throughput(callers, 500, call);
    rates.push({ callers, rate: await throughput(callers, 1_000, call) });
  }
  return rates.toSorted((a, b) => b.rate - a.rate)[0]?.callers ?? 1;
}

/** Prints both medians, and the ratio of the second to the first. */
function show(what: string, pairs: [bare: number, service: number][]): void {
  const [bare, service] = [median(pairs.map(([ms]) => ms)), median(pairs.map(([, ms]) => ms))];
  const ratio = (service / bare).toFixed(2);
  console.log(`${what.padEnd(41)}${bare.toFixed(1).padStart(9)}${service.toFixed(1).padStart(10)}${ratio.padStart(8)}`);
}
