// If the next document has the same head as the previous one, a page keeps the head and loads only the new content. These tests
// check that the output then has the same bytes as on a fresh page.
import { env } from "cloudflare:workers";
import { afterAll, beforeAll, expect, it } from "vitest";
import { poolJob, type PoolJob } from "colophon-render/job-content";
import { openWarmPage, type WarmPage } from "colophon-render/warm-page";
import { renderDocument, renderWorld } from "colophon-test-kit/render-world";
import type { BrowserSession } from "../../../src/objects/rendering/browser-session.ts";
import { openUnsharedSession } from "../fixtures/pool.ts";

const redDot =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4//8/w38GIAXDIBKE0DHxgljNBAAO9TXL0Y4OHwAAAABJRU5ErkJggg==";
const css = `body{color:#123}.page-header{border-bottom:1px solid}.page:has(.wide) h1{letter-spacing:4px}
  .tinted .page{background:#eef}p:last-child{font-weight:bold}`;
const header = '<h2>{{ name }}</h2><span class="pageNumber"></span>/<span class="totalPages"></span>';

/**
 * Contents that change as much of a page as possible. Before each one is tested, the others are rendered on the same page, so
 * that their traces would be visible.
 */
const contents: Record<string, string> = {
  plain: "<h1>One</h1><p>Text</p>",
  styled: "<style>h1{color:red}@page{size:300px 300px}.page-header{color:blue}</style><h1>Styled</h1>",
  fonts: "<style>@font-face{font-family:x;src:local('Open Sans')}body{font:20px x}</style><p>x</p>",
  titled: "<title>Its own title</title><meta name=author content=Ada><h1>Titled</h1>",
  attributes: '<html class="tinted" lang="de" dir="rtl"><body class="tinted" style="margin:40px" bgcolor=red><p>x</p>',
  unclosed: "</section></body></html><p>after the end<table><tr><td><b>unclosed",
  images: `<img src="${redDot}" width=50 class=wide><svg width=20 height=20><circle id=c r=9 cx=10 cy=10 /><use href="#c" x=5 /></svg>`,
  forms:
    "<form><input value=typed><select><option>1<option selected>2</select><details open><summary>s</summary>d</details></form>",
  long: `<h1>Long</h1>${"<p>paragraph after paragraph</p>".repeat(120)}`,
  refresh:
    '<meta http-equiv=refresh content="60;url=https://example.com/"><base href="https://example.com/"><a href="#a" id=a>x</a>',
  dark: "<meta name=Color-Scheme content=dark><p>x</p><input value=typed>",
};

/** The contents that leave the most traces. Each is rendered before and after all others. */
const walkedFrom = ["styled", "fonts", "attributes", "dark"];

const expected = new Map<string, unknown>();
let session: BrowserSession;
let page: WarmPage;

beforeAll(async () => {
  session = await openUnsharedSession(env.BROWSER);
  page = await openWarmPage(session.root);
  for (const [name, source] of Object.entries(contents)) {
    const fresh = await openWarmPage(session.root);
    expected.set(name, await outputOf(fresh, await jobOf(source, name)));
    await fresh.close();
  }
}, 60_000);

afterAll(() => session.close());

it.each([...walkedFrom.entries()])(
  "a used page and a fresh page produce the same bytes (%i: %s)",
  async (index, name) => {
    const done = walkedFrom.slice(0, index + 1);
    const others = Object.keys(contents).filter((other) => !done.includes(other));
    const path = [name, name, ...others.flatMap((other) => [other, name])];

    for (const [step, current] of path.entries()) {
      const output = await outputOf(page, await jobOf(contents[current] ?? "", current));
      expect([path[step - 1], current, output]).toEqual([path[step - 1], current, expected.get(current)]);
    }
  },
);

it("a used page produces the same bytes as a fresh page when the pixel density changes", async () => {
  const photo = `<img src="${redDot}" style="width:700px">`;
  const fresh = await openWarmPage(session.root);
  const expected = await outputOf(fresh, await jobOf(photo, "One", 3));
  await fresh.close();

  await page.render(await jobOf(photo, "One", 1));

  expect(await outputOf(page, await jobOf(photo, "One", 3))).toEqual(expected);
});

async function jobOf(source: string, name: string, deviceScaleFactor = 2): Promise<PoolJob> {
  const services = renderWorld();
  const content = { css, header, footer: "{% if name == 'One' %}foot{% endif %}" };
  await renderDocument(services, { page: source, content }, { data: { name }, deviceScaleFactor });
  const [job] = services.state.jobs;
  if (!job) throw new Error("nothing was rendered");
  return poolJob(job);
}

/** Renders the job on this page, and returns the outcome with a digest instead of the bytes. */
async function outputOf(on: WarmPage, job: PoolJob): Promise<unknown> {
  const outcome = await on.render(job);
  if (outcome.status !== "rendered") return outcome;
  const digest = await crypto.subtle.digest("SHA-256", outcome.bytes);
  return { ...outcome, bytes: Buffer.from(digest).toString("hex") };
}
