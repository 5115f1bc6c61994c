// Tests the number of round trips to the browser, because each one crosses a network on the real platform.
import type { CDPSession } from "@cloudflare/puppeteer";
import { env } from "cloudflare:workers";
import { afterAll, beforeAll, expect, it } from "vitest";
import { poolMargins } from "colophon-render/margin-content";
import { openWarmPage, type WarmPage } from "colophon-render/warm-page";
import { dataUri } from "colophon-test-kit/images";
import { photo } from "colophon-test-kit/photo";
import { renderJob } from "colophon-test-kit/render-job";
import type { BrowserSession } from "../../../src/objects/rendering/browser-session.ts";
import { faultyBrowser } from "../fixtures/faulty-browser.ts";
import { openUnsharedSession } from "../fixtures/pool.ts";

const job = renderJob();
const head = "<!doctype html><html><head><meta>";
const html = `${head}<title>x</title></head><body><section class="page">x</section></body></html>`;
const withHead = { html, headChars: head.length };
const styled = renderJob(withHead);

let session: BrowserSession;
let page: WarmPage;
/** The number of round trips since the last reset. Commands that are in flight at the same time count as one round trip. */
let roundTrips = 0;
/** Delays the next command that lays out sheets until after the command that prints them. */
let delayNextLayout = false;

function count(cdp: CDPSession): CDPSession {
  let inFlight = 0;
  const send = cdp.send.bind(cdp) as (...args: unknown[]) => Promise<unknown>;
  const counted = async (...args: unknown[]) => {
    // This command is not a round trip, because the renderer does not wait for its response.
    if (args[0] === "IO.close") return send(...args);
    if (inFlight++ === 0) roundTrips++;
    if (delayNextLayout && JSON.stringify(args).includes("layOutSheets")) {
      delayNextLayout = false;
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
    return send(...args).finally(() => inFlight--);
  };
  cdp.send = counted as CDPSession["send"];
  return cdp;
}

async function roundTripsOf(work: () => Promise<unknown>): Promise<number> {
  roundTrips = 0;
  await work();
  return roundTrips;
}

beforeAll(async () => {
  session = await openUnsharedSession(env.BROWSER);
  const connection = session.root.connection();
  const find = connection?.session.bind(connection);
  if (connection && find) connection.session = (id) => count(find(id) as CDPSession) as ReturnType<typeof find>;
  page = await openWarmPage(session.root);
});

afterAll(() => session.close());

it("a PDF takes three round trips, or two if the page has its styles", async () => {
  expect(await roundTripsOf(() => page.render(styled))).toBe(3);
  expect(await roundTripsOf(() => page.render(styled))).toBe(2);
});

const header = (markup: string) => renderJob({ marginContents: [{ edge: "header", markup }] });

it("a PDF with a header takes five round trips", async () => {
  expect(await roundTripsOf(() => page.render(header('<span class="pageNumber"></span>')))).toBe(5);
});

it("a PDF with a header takes four round trips if the page has the styles", async () => {
  const job = renderJob({ ...withHead, marginContents: [{ edge: "header", markup: "x" }] });
  await page.render(job);

  expect(await roundTripsOf(() => page.render(job))).toBe(4);
});

it("a PDF with an image in its header takes five round trips", async () => {
  const job = header(`<img src="${dataUri("jpeg", photo(64, 32))}" alt="">`);

  expect(await roundTripsOf(() => page.render(job))).toBe(5);
});

it("the sheets are printed again if the browser prints them before it lays out the header", async () => {
  const job = header('<span class="pageNumber"></span>');
  const whole = await page.render(job);
  delayNextLayout = true;

  expect(await roundTripsOf(async () => expect(await page.render(job)).toEqual(whole))).toBe(6);
});

it("a PDF with a header takes six round trips if the header reads `page`", async () => {
  const markups = { markups: ["own"], headerOfPage: [0], footerOfPage: null, files: [] };

  const render = () =>
    page.render(
      header("own"),
      poolMargins(async () => ({ status: "ok", ...markups })),
    );

  expect(await roundTripsOf(render)).toBe(6);
});

it("a PNG takes two round trips", async () => {
  expect(await roundTripsOf(() => page.render({ ...job, format: "png" }))).toBe(2);
});

it("a PDF with page references, which is printed twice, takes six round trips", async () => {
  const attribute = "data-colophon-page-decimal-of-href";
  const style = `<style>:root{--colophon-references:${attribute}}a::after{content:attr(${attribute})}</style>`;
  const html = `<!doctype html><html><head>${style}</head><body><section class="page" id="x"><a href="#x">x</a></section></body></html>`;

  expect(await roundTripsOf(() => page.render(renderJob({ html })))).toBe(6);
});

it("a page is opened and closed with only the expected Target commands", async () => {
  const browser = faultyBrowser(env.BROWSER);
  const watched = await openUnsharedSession(browser);
  const before = browser.steps.length;

  const opened = await openWarmPage(watched.root);
  await opened.close();

  const commands = browser.steps.slice(before);
  expect(commands.filter((method) => method.startsWith("Target."))).toEqual([
    "Target.createBrowserContext",
    "Target.createTarget",
    "Target.attachToTarget",
    "Target.disposeBrowserContext",
  ]);
  expect(commands).not.toContain("Runtime.runIfWaitingForDebugger");
  await watched.close();
});
