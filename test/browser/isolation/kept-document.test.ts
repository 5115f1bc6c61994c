// If a page still has the head of the previous document loaded and the next document has the same head, the page gets only
// the new content. The tests check that the file is the same, byte for byte, as from a page that loads the whole document.
import { env } from "cloudflare:workers";
import { afterAll, beforeAll, expect, it } from "vitest";
import { compileTemplate } from "../../../src/core/templates/compile-template.ts";
import { documentHtml } from "../../../src/core/rendering/document-html.ts";
import { browserPlatform } from "../../../src/objects/rendering/browser-platform.ts";
import { openSession, type BrowserSession } from "../../../src/objects/rendering/browser-session.ts";
import { openWarmPage, type WarmPage } from "../../../src/objects/rendering/warm-page.ts";
import type { RenderJob } from "../../../src/core/rendering/render-job.ts";
import { templateContent, type TenantOptions } from "../../fixtures/tenant.ts";

const redDot =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4//8/w38GIAXDIBKE0DHxgljNBAAO9TXL0Y4OHwAAAABJRU5ErkJggg==";
const css = `body{color:#123}.page-header{border-bottom:1px solid}.page:has(.wide) h1{letter-spacing:4px}
  .tinted .page{background:#eef}p:last-child{font-weight:bold}`;
const header = '<h2>{{ name }}</h2><span class="pageNumber"></span>/<span class="totalPages"></span>';

/** Contents that leave traces wherever they can. Each is rendered after the others, so that it would show their traces. */
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
  shadow:
    "<div><template shadowrootmode=open><style>p{color:green}</style><p>in the shadow</p><slot></slot></template>slotted</div>",
  long: `<h1>Long</h1>${"<p>paragraph after paragraph</p>".repeat(120)}`,
  refresh:
    '<meta http-equiv=refresh content="60;url=https://example.com/"><base href="https://example.com/"><a href="#a" id=a>x</a>',
};

let session: BrowserSession;
let page: WarmPage;

beforeAll(async () => {
  session = await openSession(browserPlatform(env.BROWSER), { load: async () => undefined, save: async () => {} });
  page = await openWarmPage(session.root);
});

afterAll(() => session.close());

function jobOf(source: string, name: string, format: "pdf" | "png", deviceScaleFactor = 2): RenderJob {
  const options: TenantOptions = {
    page: source,
    content: { css, header, footer: "{% if name == 'One' %}foot{% endif %}" },
  };
  const content = templateContent(options);
  const compiled = compileTemplate(content);
  if (compiled.status !== "compiled") throw new Error(JSON.stringify(compiled));
  const document = { id: "d", createdAt: 0, format, page: content.manifest.page, fixedHeight: false };
  const html = documentHtml({ ...document, compiled: compiled.template, data: { values: { name }, images: [] } });
  if (html.status !== "ok") throw new Error(JSON.stringify(html));
  return {
    accountId: "a",
    html: html.html,
    headChars: html.headChars,
    markupChars: html.markupChars,
    format,
    page: content.manifest.page,
    margin: content.manifest.margin,
    deviceScaleFactor,
    fileKey: "x",
    metadata: { createdAt: 0, language: "en-US" },
    timeoutMs: 10_000,
  };
}

/** The outcome of the job on this page, with a digest instead of the bytes. */
async function outputOf(on: WarmPage, job: RenderJob): Promise<unknown> {
  const outcome = await on.render(job);
  if (outcome.status !== "rendered") return outcome;
  const digest = await crypto.subtle.digest("SHA-256", outcome.bytes);
  return { ...outcome, bytes: Buffer.from(digest).toString("hex") };
}

/**
 * The contents that are rendered before the tested one, by format. For PNG they are only those that leave the most traces,
 * because capturing a PNG takes long.
 */
const predecessors = { pdf: Object.keys(contents), png: ["styled", "fonts", "attributes"] };

for (const format of ["pdf", "png"] as const) {
  it.each(Object.entries(contents))(
    `produces the same bytes as a fresh page after any other document (%s, ${format})`,
    async (name, source) => {
      const fresh = await openWarmPage(session.root);
      const expected = await outputOf(fresh, jobOf(source, name, format));
      await fresh.close();

      for (const before of predecessors[format]) {
        await page.render(jobOf(contents[before] ?? "", before, format));

        expect([before, await outputOf(page, jobOf(source, name, format))]).toEqual([before, expected]);
      }
    },
  );
}

it("loads the whole document again for another density", async () => {
  const photo = `<img src="${redDot}" style="width:700px">`;
  const fresh = await openWarmPage(session.root);
  const expected = await outputOf(fresh, jobOf(photo, "One", "pdf", 3));
  await fresh.close();

  await page.render(jobOf(photo, "One", "pdf", 1));

  expect(await outputOf(page, jobOf(photo, "One", "pdf", 3))).toEqual(expected);
});
