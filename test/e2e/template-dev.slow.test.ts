// `template dev` as an author uses it: the command, its page in a real browser, and the processes that it starts.
import { spawnSync } from "node:child_process";
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "puppeteer-core";
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { removeCopy, restoreCopy } from "colophon-test-kit/template-copy";
import { makeMistake, mistakes } from "../fixtures/template-mistakes.ts";
import { launchChromium } from "./local-chromium.ts";
import { commandLineOf, processTree } from "./processes.ts";
import { shownIn, startDev, waitFor, type DevCommand } from "./template-dev.ts";

let browser: Browser;
let folder: string;
let command: DevCommand;
let page: Page;

beforeAll(async () => {
  folder = join(await mkdtemp(join(tmpdir(), "colophon-template-")), "invoice");
  await restoreCopy(folder);
  [browser, command] = await Promise.all([launchChromium(), startDev(folder)]);
  page = await browser.newPage();
  await page.setViewport({ width: 1280, height: 800 });
}, 120_000);

beforeEach(async () => {
  await restoreCopy(folder);
  await page.goto(command.url);
  await waitFor(page, ({ kind }) => kind === "document");
}, 60_000);

afterAll(async () => {
  command.process.kill("SIGINT");
  await Promise.all([browser.close(), command.ended]);
  await removeCopy(folder);
}, 60_000);

async function change(file: string, from: string, to: string): Promise<void> {
  const path = join(folder, file);
  const text = await readFile(path, "utf8");
  expect(text).toContain(from);
  await writeFile(path, text.replaceAll(from, to));
}

function propertyOf(page: Page, selector: string, name: string): Promise<unknown> {
  return page.evaluate(`document.querySelector(${JSON.stringify(selector)})[${JSON.stringify(name)}]`);
}

function isWide(size: string): boolean {
  const [width = 0, height = 0] = size.split("x").map(Number);
  return width > height;
}

it("template dev shows a mistake at its line, above the last document, until it is fixed", async () => {
  const seen: object[] = [];
  // What a push and the command report about all of them is compared in test/operations/manage/same-verdict.test.ts.
  const some = mistakes.filter((_, index) => index % 3 === 0);

  for (const mistake of some) {
    const fix = await makeMistake(folder, mistake);
    const { problems, isDimmed, canvases } = await waitFor(page, ({ kind }) => kind === "problems");
    const { place } = mistake;
    const isNamed = problems.some((problem) => problem.place === place && problem.message.includes(mistake.message));
    seen.push({ ...(isNamed ? { place } : { problems }), isDimmed, pages: canvases.length });
    await fix();
    await waitFor(page, ({ kind, ...shown }) => kind === "document" && shown.problems.length === 0 && !shown.isDimmed);
  }

  const expected = some.map((mistake) => ({ place: mistake.place, isDimmed: true, pages: 2 }));
  expect(seen).toEqual(expected);
}, 120_000);

it("template dev shows a changed document without scrolling the view", async () => {
  const picture = () => page.evaluate("document.querySelector('#pages canvas').toDataURL()");
  await page.select("#zoom", "1.5");
  await page.evaluate("document.getElementById('viewer').scrollTop = 700");
  const [before, { revision }] = [await picture(), await shownIn(page)];

  await change("pages/1.liquid", "<h1>Invoice</h1>", "<h1>Bill</h1>");
  await waitFor(page, (shown) => shown.revision > revision && shown.kind === "document");

  // On a busy machine, the page paints the new document a moment after counting it.
  await expect.poll(picture, { timeout: 10_000 }).not.toBe(before);
  expect(await propertyOf(page, "#viewer", "scrollTop")).toBe(700);
}, 60_000);

it("template dev renders in other formats and sizes", async () => {
  await page.type("#width", "1191");
  await page.type("#height", "842\n");
  await waitFor(page, ({ canvases }) => canvases.every(isWide));
  await page.click(".switch label:has([value=png])");
  await page.waitForSelector("#pages img");
  await page.waitForFunction('document.querySelector("#download").download === "invoice.png"');
  await page.click(".switch label:has([value=webp])");
  await page.waitForFunction('document.querySelector("#download").download === "invoice.webp"');
  await page.$$eval("input[type=number]", (inputs) => inputs.forEach((input) => (input.value = "")));
  await page.click(".switch label:first-child");
  await page.waitForFunction('document.querySelector("#download").download === "invoice.pdf"');
  await waitFor(page, ({ canvases }) => canvases.length === 2 && !canvases.some(isWide));
}, 60_000);

it("template dev renders edited data until the edits are discarded", async () => {
  await page.click("#show-data");
  await page.click("::-p-aria([name='JSON'][role='button'])");
  const shown = () => page.evaluate("document.querySelector('.json').value") as Promise<string>;
  const edit = async (text: string) => {
    await page.focus(".json");
    await page.keyboard.down("Control");
    await page.keyboard.press("KeyA");
    await page.keyboard.up("Control");
    await page.keyboard.sendCharacter(text);
  };
  const sample = await shown();

  await edit(sample.replace("PQ-2026-0417", "").replace('"invoiceNumber": "",', ""));
  const { problems } = await waitFor(page, ({ kind }) => kind === "problems");
  expect(problems).toEqual([{ place: "data.invoiceNumber", message: "`invoiceNumber` is required." }]);

  await edit(sample.replace("PQ-2026-0417", "X-1"));
  await waitFor(page, ({ kind }) => kind === "document");
  await page.click("::-p-text(Reset to sample data)");
  await page.waitForSelector("#edited", { hidden: true });
  expect(await shown()).toBe(sample);
}, 60_000);

it("template dev offers a sample that has been added", async () => {
  const sample = JSON.parse(await readFile(join(folder, "sample.json"), "utf8")) as { items: unknown[] };

  await mkdir(join(folder, "samples"));
  await writeFile(join(folder, "samples/short.json"), JSON.stringify({ ...sample, items: sample.items.slice(0, 2) }));
  await page.waitForSelector("#sample option:nth-child(2)");
  await page.select("#sample", "samples/short.json");

  await waitFor(page, ({ status }) => status.startsWith("1 page "));
}, 60_000);

it("template dev shows the data of the chosen sample when the data of an earlier choice arrives later", async () => {
  const sample = await readFile(join(folder, "sample.json"), "utf8");
  await mkdir(join(folder, "samples"));
  await writeFile(join(folder, "samples/late.json"), sample.replaceAll("PQ-2026-0417", "LATE"));
  await page.waitForSelector("#sample option:nth-child(2)");
  await page.evaluate(`{
    const send = fetch;
    globalThis.fetch = async (url, options) => {
      if (String(url).includes("late.json")) await new Promise((resolve) => (globalThis.arrive = resolve));
      return send(url, options);
    };
  }`);

  const loaded = async (file: string, start: () => Promise<unknown>) => {
    const response = page.waitForResponse((each) => each.url().includes(`/sample?file=${file}`));
    await start();
    await (await response).text();
  };

  await page.select("#sample", "samples/late.json");
  await page.waitForFunction("globalThis.arrive");
  await loaded("sample.json", () => page.select("#sample", "sample.json"));
  await loaded("samples%2Flate.json", () => page.evaluate("arrive()"));
  await page.click("#show-data");
  await page.click("::-p-aria([name='JSON'][role='button'])");

  expect(await propertyOf(page, ".json", "value")).toContain("PQ-2026-0417");
}, 60_000);

it("template dev renders again in the chosen language when a message is saved", async () => {
  const picture = () => page.evaluate("document.querySelector('#pages canvas').toDataURL()");
  const english = await picture();

  await mkdir(join(folder, "locales"));
  await writeFile(join(folder, "locales/en.json"), '{ "title": "Invoice" }');
  await writeFile(join(folder, "locales/de.json"), '{ "title": "Rechnung" }');
  await change("pages/1.liquid", "<h1>Invoice</h1>", '<h1>{{ "title" | t }}</h1>');
  await page.waitForSelector('#locales option[value="de"]');
  await page.type("#locale", "de\n");
  await vi.waitFor(async () => expect(await picture()).not.toBe(english), { timeout: 20_000 });
  const german = await picture();

  await writeFile(join(folder, "locales/de.json"), '{\n  "title": "{Rechnung" }');
  const { problems } = await waitFor(page, ({ kind }) => kind === "problems");
  expect(problems).toEqual([{ place: "locales/de.json:2", message: "`title`: a `}` is missing, at `{Rechnung`" }]);

  await writeFile(join(folder, "locales/de.json"), '{ "title": "Honorarnote" }');
  await waitFor(page, ({ kind }) => kind === "document");
  await vi.waitFor(async () => expect([english, german]).not.toContain(await picture()), { timeout: 20_000 });
}, 90_000);

it("template dev runs the tests after each change of the template or of a test while the panel of the tests is open", async () => {
  const waitForTests = (state: string) =>
    page.waitForFunction(`document.getElementById("tests-state").textContent === ${JSON.stringify(state)}`);
  const report = () => page.evaluate("document.getElementById('report').contentDocument.body.innerText");
  await page.click("#tests-state");
  await waitForTests("Tests (3 cases passed)");

  await change("sample.json", "English edition", "French edition");
  await waitForTests("Tests (1 of 3 cases failed)");
  expect(await report()).toContain("The text “Exhibition catalogue, English edition” is missing.");

  await change("tests/sample.json", "English edition", "French edition");
  await waitForTests("Tests (1 of 3 cases failed)");
  await vi.waitFor(async () => expect(await report()).not.toContain("is missing"), { timeout: 20_000 });
  expect(await report()).toContain("Page 1 differs from tests/pictures/sample-1.png");

  await rm(join(folder, "tests"), { recursive: true });
  await waitForTests("Tests (no tests yet)");
  expect(await report()).toContain("Create the file tests/sample.json");
}, 90_000);

it("template dev survives a killed browser and a folder that is deleted and restored", async () => {
  killBrowser(command);
  const { revision } = await shownIn(page);
  await change("style.css", "font-weight: 600", "font-weight: 500");
  await waitFor(page, (shown) => shown.revision > revision && shown.kind === "document");

  await rename(folder, `${folder}-away`);
  await waitFor(page, ({ problems }) => problems[0]?.message === "this folder does not exist");
  await rename(`${folder}-away`, folder);
  await waitFor(page, ({ kind }) => kind === "document");
}, 60_000);

it.each(["SIGINT", "SIGKILL"] as const)(
  "the processes of template dev end when it gets %s",
  async (signal) => {
    const own = await startDev("templates/invoice");
    const processes = await vi.waitFor(() => processesWithBrowser(own), { timeout: 20_000, interval: 100 });

    own.process.kill(signal);

    expect(await own.ended).toBe(signal === "SIGINT" ? 0 : null);
    await vi.waitFor(() => expect(runningOf(processes)).toEqual([]), { timeout: 20_000, interval: 100 });
  },
  60_000,
);

it("the processes of template dev do not start if the port is in use", async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;

  await expect(startDev("templates/invoice", port)).rejects.toThrow(
    `template dev ended with 1: port ${port} is in use; choose a different one with --port`,
  );
}, 60_000);

/** Returns the processes that the command has started. Throws if there is no browser among them yet. */
function processesWithBrowser({ process: { pid = 0 } }: DevCommand): number[] {
  const [, ...started] = processTree(pid);
  if (started.some((each) => commandLineOf(each).includes("--type=renderer"))) return started;
  throw new Error("the browser has no page yet");
}

/** Kills all processes of the browser together. Some of them end by themselves after the first was killed. */
function killBrowser({ process: { pid = 0 } }: DevCommand): void {
  // The launcher is a shell script, whose command line also contains the switches.
  const isBrowser = /^(?!\/bin\/sh).*--(remote-debugging-port|type=)/;
  const browsers = processTree(pid).filter((each) => isBrowser.test(commandLineOf(each)));
  const killed = browsers.filter((browser) => spawnSync("kill", ["-9", String(browser)]).status === 0);
  expect(killed.length).toBeGreaterThan(0);
}

/** A process that has ended, but whose parent has not been notified yet, has no command line. */
function runningOf(processes: number[]): number[] {
  return processes.filter((pid) => commandLineOf(pid) !== "");
}
