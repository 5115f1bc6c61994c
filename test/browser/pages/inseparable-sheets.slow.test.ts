// Long documents whose sheets are printed on the same pages and then cannot be told apart, so that they are printed again.
import type { CDPSession } from "@cloudflare/puppeteer";
import { env } from "cloudflare:workers";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { BrowserSession } from "../../../src/objects/rendering/browser-session.ts";
import { openWarmPage, type WarmPage } from "colophon-render/warm-page";
import { renderJob } from "../../../packages/render/test/render-job.ts";
import { openUnsharedSession } from "../fixtures/pool.ts";
import { readPages } from "../fixtures/printed-pages.ts";

const pageCount = 24;
const css = ".page { height: 900px } .page + .page { break-before: page }";
const pages = Array.from({ length: pageCount }, (_, index) => index + 1);

let session: BrowserSession;
let page: WarmPage;
let prints = 0;
let inseparable: Awaited<ReturnType<typeof rendered>>;

beforeAll(async () => {
  session = await openUnsharedSession(env.BROWSER);
  const connection = session.root.connection();
  const find = connection?.session.bind(connection);
  if (connection && find) connection.session = (id) => countPrints(find(id) as CDPSession) as ReturnType<typeof find>;
  page = await openWarmPage(session.root);
  inseparable = await rendered(60_000);
}, 60_000);

afterAll(() => session.close());

function countPrints(cdp: CDPSession): CDPSession {
  const send = cdp.send.bind(cdp) as (...args: unknown[]) => Promise<unknown>;
  const counted = (...args: unknown[]) => {
    if (args[0] === "Page.printToPDF") prints++;
    return send(...args);
  };
  cdp.send = counted as CDPSession["send"];
  return cdp;
}

/** Renders a document whose header has a drawing. `ownPages` prints its sheets on pages of their own. */
async function rendered(drawingPoints: number, ownPages = false) {
  const sections = pages.map((page) => `<section class="page">body ${page}</section>`);
  const html = `<!doctype html><html><head><style>${css}</style></head><body>${sections.join("")}</body></html>`;
  const path = Array.from({ length: drawingPoints }, (_, index) => `L${index % 40} ${(7 * index) % 30}`);
  const drawing = `<svg width="40" height="30"><path d="M0 0${path.join("")}"/></svg>`;
  const link = ownPages ? '<a href="https://example.com"></a>' : "";
  const header = `${drawing}<b class="odd-page">odd <span class="pageNumber"></span></b>${link}`;
  const footer = '<span class="pageNumber"></span> of <span class="totalPages"></span>';
  prints = 0;
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
  if (outcome.status !== "rendered") throw new Error(`the outcome was ${outcome.status}`);
  return { pages: await readPages(outcome.bytes), warnings: outcome.warnings, prints };
}

it("get their headers and footers from a second print of the sheets", async () => {
  const simple = await rendered(10);

  expect([simple.prints, inseparable.prints]).toEqual([2, 3]);
  expect(inseparable.pages.map(({ text }) => text.replaceAll(/\s+/g, " "))).toEqual(
    pages.map((page) => `body ${page} ${page % 2 === 1 ? `odd ${page} ` : ""}${page} of ${pageCount}`),
  );
  expect(inseparable.warnings).toEqual([]);
});

it("have the same words at the same places as sheets on pages of their own", async () => {
  const single = await rendered(60_000, true);

  expect(single.prints).toBe(2);
  expect(inseparable.pages).toEqual(single.pages);
}, 60_000);
