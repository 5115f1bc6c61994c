// The service's fonts from the disk, for `template dev`, which has no bindings.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { buildFonts } from "colophon-fonts/build-fonts";
import { fontLibrary } from "colophon-render/font-library";
import type { FontCatalog, FontFiles } from "colophon-render/font-ports";
import type { Log } from "colophon-base/log";

/** Builds the files, if necessary, when they are read for the first time. */
export function diskFonts(log: Log): FontCatalog & FontFiles {
  let built: ReturnType<typeof buildFonts> | null = null;
  const read = async (path: string) => readFile(join((await (built ??= buildFonts())).folder, path));
  return fontLibrary(read, log);
}
