// The renderer that the service is compared with: puppeteer in Node. It uses warm pages, the same browser and the same
// HTML as the service, but it has no hardening, storage or quota.
import { join } from "node:path";
import { launch, type Browser, type Page } from "puppeteer-core";
import { prepareLocalBrowser } from "../../src/cli/local/browser.ts";
import type { Sample } from "./samples.ts";

export type BareRenderer = {
  /** Renders on a warm page. */
  render(sample: Sample): Promise<void>;
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
  return {
    async render(sample) {
      const page = warm.pop() ?? (await browser.newPage());
      await renderOn(page, sample);
      warm.push(page);
    },
    async renderInFreshContext(sample) {
      const context = await browser.createBrowserContext();
      await renderOn(await context.newPage(), sample);
      await context.close();
    },
  };
}

async function renderOn(page: Page, { html, format, page: { width, height } }: Sample): Promise<void> {
  if (format === "png" && height !== "auto") await page.setViewport({ width, height, deviceScaleFactor: 2 });
  await page.setContent(html, { waitUntil: "load" });
  await (format === "png"
    ? page.screenshot({ fullPage: true })
    : page.pdf({ printBackground: true, preferCSSPageSize: true }));
}
