// The renderer that the service is compared with: puppeteer in Node. It uses warm pages, the same browser and the same
// HTML as the service, with the template's own fonts only, but it has no hardening, storage or quota.
import { join } from "node:path";
import { launch, type Browser, type Page } from "puppeteer-core";
import { resolveFiles } from "colophon-page/resolve-files";
import { prepareLocalBrowser } from "colophon-templates/browser";
import type { Sample } from "./samples.ts";

export type BareRenderer = {
  /** Renders on a warm page. Of a PDF, prints the body alone, without header and footer. */
  render(sample: Sample): Promise<void>;
  /** Prints the body, and then the headers and footers of its pages as a second PDF. Does not combine the two files. */
  printTwice(sample: Sample): Promise<void>;
  /** Renders in a new browser context and closes that context afterwards. */
  renderInFreshContext(sample: Sample): Promise<void>;
};

export async function launchBare(): Promise<Browser> {
  const { XDG_CACHE_HOME: cache = "" } = await prepareLocalBrowser();
  const executablePath = join(cache, ".wrangler/chrome/linux-126.0.6478.182/chrome-linux64/chrome");
  return launch({ executablePath, headless: "shell" });
}

/** Returns a renderer that opens a new page if no warm page is free. */
export function bareRenderer(browser: Browser): BareRenderer {
  const warm: Page[] = [];
  const onWarmPage = async (work: (page: Page) => Promise<unknown>) => {
    const page = warm.pop() ?? (await browser.newPage());
    await work(page);
    warm.push(page);
  };
  return {
    render: (sample) => onWarmPage((page) => renderOn(page, sample)),
    printTwice: (sample) => onWarmPage((page) => printTwiceOn(page, sample)),
    async renderInFreshContext(sample) {
      const context = await browser.createBrowserContext();
      await renderOn(await context.newPage(), sample);
      await context.close();
    },
  };
}

async function renderOn(page: Page, { job, html }: Sample): Promise<Uint8Array> {
  const { format } = job;
  const { width, height } = job.page;
  if (format === "png" && height !== "auto") await page.setViewport({ width, height, deviceScaleFactor: 2 });
  await page.setContent(html, { waitUntil: "load" });
  return format === "png" ? page.screenshot({ fullPage: true }) : page.pdf(printOptions);
}

const printOptions = { printBackground: true, preferCSSPageSize: true };

async function printTwiceOn(page: Page, sample: Sample): Promise<void> {
  const body = await renderOn(page, sample);
  const pages =
    Buffer.from(body)
      .toString("latin1")
      .match(/\/Type \/Page\b/g)?.length ?? 0;
  const { page: paper, marginContents, files } = sample.job;
  const { width, height } = paper;
  const markups = Object.fromEntries(marginContents.map(({ edge, markup }) => [edge, resolveFiles(markup, files)]));
  await page.evaluate(`(${showMargins})(${JSON.stringify(markups)}, ${pages}, ${width}, ${height})`);
  await page.pdf({ ...printOptions, tagged: false });
}

/** Runs in the page. Replaces its content by the header and the footer of each page. */
const showMargins = `(markups, pages, width, height) => {
  const markup = (edge, side) =>
    '<div class="page-' + edge + '" style="position:absolute;' + side + ':0">' + (markups[edge] ?? "") + "</div>";
  const sheet =
    '<div style="position:relative;width:' + width + "px;height:" + (height - 1) + 'px;break-after:page">' +
    markup("header", "top") + markup("footer", "bottom") + "</div>";
  document.head.insertAdjacentHTML("beforeend", "<style>@page{margin:0!important}</style>");
  document.body.innerHTML = sheet.repeat(pages);
  const fill = (name, text) =>
    [...document.getElementsByClassName(name)].forEach((counter, index) => (counter.textContent = text(index)));
  fill("pageNumber", (index) => index + 1);
  fill("totalPages", () => pages);
}`;
