// The renderer for comparison: puppeteer in Node. It uses warm pages, the same browser and the same HTML as the service, but
// only the template's own fonts, and it has no hardening, storage or quota.
import type { Browser, Page } from "puppeteer-core";
import type { Sample } from "./samples.ts";

export type BareRenderer = {
  /** Renders on a warm page. For a PDF, prints only the body, without header and footer. */
  render(sample: Sample): Promise<void>;
  /** Renders in a new browser context, and then closes it. */
  renderInFreshContext(sample: Sample): Promise<void>;
};

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

async function renderOn(page: Page, { format, page: { width, height }, isTagged, html }: Sample): Promise<void> {
  if (format === "png" && height !== "auto") await page.setViewport({ width, height, deviceScaleFactor: 2 });
  await page.setContent(html, { waitUntil: "load" });
  if (format === "png") await page.screenshot({ fullPage: true });
  else await page.pdf({ printBackground: true, preferCSSPageSize: true, tagged: isTagged });
}
