// Builds the files that a render needs and that are not committed: the page script and the service's fonts.
import { buildFonts } from "colophon-fonts/build-fonts";
import { buildPageScript } from "colophon-page/build";

/** If the files are up to date, this takes a fraction of a second. */
const noticeAfterMs = 2_000;

/**
 * Builds the files and then runs the work: an import of modules that render, which import the script, or a render, whose time limit is
 * shorter than the first build of the fonts.
 */
export async function afterBuild<T>(work: () => Promise<T>): Promise<T> {
  const notice = setTimeout(() => console.error("Building the fonts, once for this installation."), noticeAfterMs);
  await Promise.all([buildPageScript(), buildFonts()]).finally(() => clearTimeout(notice));
  return work();
}
