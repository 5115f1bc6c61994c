// Builds the files that a render needs and that are not committed: the page script and the service's fonts.
import { buildFonts } from "colophon-fonts/build-fonts";
import { buildPageScript } from "colophon-page/build";

/** If the files are up to date, this takes a fraction of a second. */
const noticeAfterMs = 2_000;

/**
 * Must end before the modules that render are imported, because they import the script, and before a render begins, because
 * building the fonts for the first time exceeds the time of a render.
 */
export async function buildRenderFiles(): Promise<void> {
  const notice = setTimeout(() => console.error("Building the fonts, once for this installation."), noticeAfterMs);
  await Promise.all([buildPageScript(), buildFonts()]).finally(() => clearTimeout(notice));
}
