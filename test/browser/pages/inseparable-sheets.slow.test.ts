// Long documents whose sheets are printed on the same pages but cannot be separated, so that they are printed again.
import { env } from "cloudflare:workers";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openWarmPage, type WarmPage } from "colophon-render/warm-page";
import { renderJob } from "colophon-test-kit/render-job";
import type { BrowserSession } from "../../../src/objects/rendering/browser-session.ts";
import { faultyBrowser } from "../fixtures/faulty-browser.ts";
import { openUnsharedSession } from "../fixtures/pool.ts";
import { readPages } from "../fixtures/printed-pages.ts";

const pageCount = 24;
const css = ".page { height: 900px } .page + .page { break-before: page }";
const pages = Array.from({ length: pageCount }, (_, index) => index + 1);

const browser = faultyBrowser(env.BROWSER);
let session: BrowserSession;
let page: WarmPage;
let inseparable: Awaited<ReturnType<typeof rendered>>;

beforeAll(async () => {
  session = await openUnsharedSession(browser);
  page = await openWarmPage(session.root);
  inseparable = await rendered(60_000);
}, 60_000);

afterAll(() => session.close());

/** Renders a document whose header has a drawing. `ownPages` prints each sheet on a separate page. */
async function rendered(drawingPoints: number, ownPages = false) {
  const sections = pages.map((page) => `<section class="page">body ${page}</section>`);
  const html = `<!doctype html><html><head><style>${css}</style></head><body>${sections.join("")}</body></html>`;
  const path = Array.from({ length: drawingPoints }, (_, index) => `L${index % 40} ${(7 * index) % 30}`);
  const drawing = `<svg width="40" height="30"><path d="M0 0${path.join("")}"/></svg>`;
  const link = ownPages ? '<a href="https://example.com"></a>' : "";
  const header = `${drawing}<b class="odd-page">odd <span class="pageNumber"></span></b>${link}`;
  const footer = '<span class="pageNumber"></span> of <span class="totalPages"></span>';
  const before = browser.steps.length;
  const outcome = await page.render(
    renderJob({
      html,
      timeoutMs: 60_000,
      marginContents: [
        { edge: "header", markup: header },
        { edge: "footer", markup: footer },
      ],
    }),
  );
  const prints = browser.steps.slice(before).filter((step) => step === "Page.printToPDF").length;
  if (outcome.status !== "rendered") throw new Error(`the outcome was ${outcome.status}`);
  return { pages: await readPages(outcome.bytes), warnings: outcome.warnings, prints };
}

it("sheets that cannot be separated are printed a second time", async () => {
  const simple = await rendered(10);

  expect([simple.prints, inseparable.prints]).toEqual([2, 3]);
  expect(inseparable.pages.map(({ text }) => text.replaceAll(/\s+/g, " "))).toEqual(
    pages.map((page) => `body ${page} ${page % 2 === 1 ? `odd ${page} ` : ""}${page} of ${pageCount}`),
  );
  expect(inseparable.warnings).toEqual([]);
});

it("sheets that are printed a second time have the same words in the same places as sheets that never shared a page", async () => {
  const single = await rendered(60_000, true);

  expect(single.prints).toBe(2);
  expect(inseparable.pages).toEqual(single.pages);
}, 60_000);
