// How long `template dev` takes from a save of a file of the invoice until its page shows the new document, and until it
// shows a mistake and the document again after it is fixed.
import { appendFile, cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "puppeteer-core";
import { makeMistake, mistakes } from "../test/fixtures/template-mistakes.ts";
import { startDev, waitFor } from "../test/e2e/template-dev.ts";
import { launchBare } from "./harness/bare.ts";
import { percentile } from "./harness/statistics.ts";

const saves = 30;
/** The first saves are slower, because the code of the page and of the renderer is not compiled yet. */
const warmUpSaves = 3;

export async function benchTemplateDev(): Promise<void> {
  const parent = await mkdtemp(join(tmpdir(), "colophon-bench-"));
  const folder = join(parent, "invoice");
  await cp("templates/invoice", folder, { recursive: true });
  const [command, browser] = await Promise.all([startDev(folder), launchBare()]);
  try {
    const page = await browser.newPage();
    await page.setViewport({ width: 1280, height: 800 });
    await page.goto(command.url);
    await waitFor(page, ({ kind }) => kind === "document");
    await benchSaves(folder, page);
    await benchMistakes(folder, page);
  } finally {
    command.process.kill("SIGINT");
    await Promise.all([browser.close(), command.ended]);
    await rm(parent, { recursive: true });
  }
}

async function benchSaves(folder: string, page: Page): Promise<void> {
  const times: number[] = [];
  for (let save = 0; save < warmUpSaves + saves; save++) {
    const { revision } = await waitFor(page, ({ kind }) => kind === "document");
    const savedAt = Date.now();
    await appendFile(join(folder, "style.css"), `h1 { letter-spacing: ${save}px }\n`);
    const { shownAt } = await waitFor(page, (shown) => shown.revision > revision && shown.kind === "document");
    times.push(shownAt - savedAt);
  }
  const measured = times.slice(warmUpSaves).sort((a, b) => a - b);
  const text = (share: number) => `${Math.round(percentile(measured, share))} ms`;
  console.log(
    `${saves} saves of the invoice, until the document is shown: p50 ${text(0.5)}, p90 ${text(0.9)}, most ${text(1)}`,
  );
}

async function benchMistakes(folder: string, page: Page): Promise<void> {
  console.log("\nmistake shown after, document shown again after");
  for (const mistake of mistakes) {
    const [madeAt, fix] = [Date.now(), await makeMistake(folder, mistake)];
    const { place } = mistake;
    const shown = await waitFor(page, ({ problems }) => problems.some((problem) => problem.place === place));
    const fixedAt = Date.now();
    await fix();
    const document = await waitFor(page, ({ kind }) => kind === "document");
    const [shownMs, fixedMs] = [shown.shownAt - madeAt, document.shownAt - fixedAt].map(Math.round);
    console.log(`${String(shownMs).padStart(5)} ms ${String(fixedMs).padStart(5)} ms   ${place}  ${mistake.name}`);
  }
}
