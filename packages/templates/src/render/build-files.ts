// Builds the files that a render needs and that are not committed: the script of the page, and the service's fonts.
import { buildFonts } from "colophon-fonts/build-fonts";
import { buildPageScript } from "colophon-page/build";

/** Existing files take a fraction of a second. */
const noticeAfterMs = 2_000;

/**
 * Must end before the modules that render are imported, because they import the script, and before a render begins, because
 * the fonts take longer than a render may when they are built for the first time.
 */
export async function buildRenderFiles(): Promise<void> {
  const notice = setTimeout(() => console.error("Building the fonts, once for this installation."), noticeAfterMs);
  await Promise.all([buildPageScript(), buildFonts()]).finally(() => clearTimeout(notice));
}
