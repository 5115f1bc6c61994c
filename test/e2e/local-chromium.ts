// Launches the service's Chromium for a test that needs a person's browser, or for a benchmark.
import { join } from "node:path";
import { launch, type Browser } from "puppeteer-core";
import { prepareLocalBrowser } from "colophon-templates/browser";

export async function launchChromium(): Promise<Browser> {
  const { XDG_CACHE_HOME: cache = "" } = await prepareLocalBrowser();
  const executablePath = join(cache, ".wrangler/chrome/linux-126.0.6478.182/chrome-linux64/chrome");
  return launch({ executablePath, headless: "shell" });
}
