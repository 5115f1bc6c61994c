// Measures what headers and footers cost: the same long document without and with them, the time that the renderer needs to
// read the printed files and to assemble the finished one, and the part of this time for which the caller waits. The rest
// passes while the browser prints the sheets.
import type { CDPSession } from "@cloudflare/puppeteer";
import type { Browser } from "puppeteer-core";
import { openWarmPage } from "colophon-render/warm-page";
import { launchBare } from "./harness/bare.ts";
import { latency, showPair } from "./harness/measure.ts";
import { recordCommands } from "./harness/recorder.ts";
import { poolJob } from "colophon-render/job-content";
import { loadSample } from "./harness/samples.ts";
import { startService } from "./harness/service.ts";
import { median } from "./harness/statistics.ts";

const longRounds = 10;
const prints = 20;
const assemblies = 200;

export async function benchMargins(port: number): Promise<void> {
  await compareWithout(port);
  const browser = await launchBare();
  try {
    for (const name of ["invoice", "report", "long-report"]) await benchAssembly(browser, name);
  } finally {
    await browser.close();
  }
}

/** Prints the median response times for 300 pages without and with header and footer. */
async function compareWithout(port: number): Promise<void> {
  const [body, whole] = [await loadSample("body-long-report", "pdf"), await loadSample("long-report", "pdf")];
  const service = await startService(port, { samples: [body.name, whole.name] });
  try {
    const [without, withMargins] = [() => service.create(body), () => service.create(whole)];
    const times = await latency(longRounds, without, withMargins);
    console.log("header and footer:                         without      with   ratio");
    showPair("one caller, p50 ms:         300 pages", times);
  } finally {
    await service.stop();
  }
}

/**
 * Prints how long the body of the document takes to print, how long the renderer's own work takes in all, and how long it
 * takes from the browser's last response to the finished file.
 */
async function benchAssembly(browser: Browser, name: string): Promise<void> {
  const root = (await browser.target().createCDPSession()) as unknown as CDPSession;
  const commands = recordCommands(root);
  const page = await openWarmPage(root);
  const { job } = await loadSample(name, "pdf");
  const render = async () => {
    const startedMs = performance.now();
    const { status } = await page.render(poolJob(job));
    if (status !== "rendered") throw new Error(`the document is ${status}`);
    return performance.now() - startedMs;
  };
  const bodyPrints: number[] = [];
  const waits: number[] = [];
  await render();
  for (let round = 0; round < prints; round++) {
    commands.record();
    await render();
    waits.push(performance.now() - commands.lastResponseMs());
    bodyPrints.push(commands.tookMs("Page.printToPDF"));
  }
  const replays: number[] = [];
  for (let round = 0; round < assemblies; round++) {
    commands.replay();
    replays.push(await render());
  }
  commands.record();
  await page.close();
  const [bodyPrint, own, wait] = [median(bodyPrints), median(replays), median(waits)];
  const share = (ms: number) => `${ms.toFixed(2)} ms (${((100 * ms) / bodyPrint).toFixed(1)} %)`;
  console.log(
    `${name.padEnd(11)} body print ${bodyPrint.toFixed(1)} ms, assembly ${share(own)}, after the last response ${share(wait)}`,
  );
}
