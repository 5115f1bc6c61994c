// The service's fonts from the disk, for commands, which have no bindings.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { buildFonts } from "colophon-fonts/build-fonts";
import { fontLibrary } from "colophon-render/font-library";
import type { FontCatalog, FontFiles } from "colophon-render/font-library";
import type { Log } from "colophon-base/log";

/** The files must have been built (`build-files.ts`): a read has a deadline, and to build them can take longer. */
export function diskFonts(log: Log): FontCatalog & FontFiles {
  let built: ReturnType<typeof buildFonts> | null = null;
  const read = async (path: string) => readFile(join((await (built ??= buildFonts())).folder, path));
  return fontLibrary(read, log);
}
