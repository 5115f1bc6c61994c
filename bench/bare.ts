// What the service is measured against: puppeteer in Node on the same browser binary and the same HTML, with a warm page
// and nothing around it. No hardening, no storage, no allowance.
import { join } from "node:path";
import { launch, type Browser } from "puppeteer-core";
import { prepareLocalBrowser } from "../src/cli/local-browser.ts";

export type BareRenderer = { pdf(html: string): Promise<Uint8Array> };

export async function launchBare(): Promise<Browser> {
  const { XDG_CACHE_HOME: cache = "" } = await prepareLocalBrowser();
  const executablePath = join(cache, ".wrangler/chrome/linux-126.0.6478.182/chrome-linux64/chrome");
  return launch({ executablePath, headless: "shell" });
}

export async function bareRenderer(browser: Browser): Promise<BareRenderer> {
  const page = await browser.newPage();
  return {
    async pdf(html) {
      await page.setContent(html, { waitUntil: "load" });
      return page.pdf({ printBackground: true, preferCSSPageSize: true });
    },
  };
}
