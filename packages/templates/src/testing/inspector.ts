// A page of Chromium that reads documents: their text, and pictures of their pages. It has no network.
import { join } from "node:path";
import { launch, type Browser, type Page } from "puppeteer-core";
import { withDeadline } from "colophon-base/deadline";
import { bundled } from "../dev/page-files.ts";
import type { Inspection, InspectionRequest } from "./inspection.ts";

/** If `inspect` rejects, the browser has failed, and the next document starts a new one. */
export type Inspector = { inspect(request: InspectionRequest): Promise<Inspection>; stop(): Promise<void> };

const timeoutMs = 60_000;

/** Starts the browser when the first document is inspected. `launcher` is its executable. */
export function documentInspector(launcher: string): Inspector {
  let opened: Promise<{ browser: Browser; page: Page }> | null = null;
  const stop = async (): Promise<void> => {
    const closing = opened;
    opened = null;
    await closing?.then(({ browser }) => browser.close()).catch(() => {}); // The browser may not have started.
  };
  const inspect = async (request: InspectionRequest): Promise<Inspection> => {
    try {
      const { page } = await (opened ??= openPage(launcher));
      return await withDeadline("the inspection of a document", timeoutMs, page.evaluate(inspectInPage, request));
    } catch (error) {
      await stop();
      throw error;
    }
  };
  return { inspect, stop };
}

function inspectInPage(request: InspectionRequest): Promise<Inspection> {
  return (globalThis as unknown as { inspectDocument: typeof inspectInPage }).inspectDocument(request);
}

async function openPage(executablePath: string): Promise<{ browser: Browser; page: Page }> {
  const signals = { handleSIGHUP: false, handleSIGINT: false, handleSIGTERM: false };
  const args = ["--force-color-profile=srgb", "--disable-dev-shm-usage"];
  const [content, browser] = await Promise.all([pageScript(), launch({ executablePath, args, ...signals })]);
  const page = await browser.newPage();
  await page.setOfflineMode(true);
  await page.addScriptTag({ content, type: "module" });
  await page.waitForFunction("'inspectDocument' in globalThis");
  return { browser, page };
}

/**
 * For joined letters, as in Arabic, Chromium writes the characters in addition to the glyphs, as `ActualText`. pdf.js ignores it, and
 * returns the font's characters for each glyph instead, of which there may be none. So `ActualText` is added to the result of pdf.js.
 */
async function pageScript(): Promise<string> {
  const script = await bundled(join(import.meta.dirname, "../../dev-page/inspect-document.ts"), false);
  const marker = 'type: "beginMarkedContentProps",';
  if (!script.includes(marker)) throw new Error("pdf.js has changed the code that returns marked content");
  return script.replace(marker, `${marker} actualText: args[1]?.get?.("ActualText") ?? undefined,`);
}
