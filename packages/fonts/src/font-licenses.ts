// The licences of the service's fonts, as one text. The SIL Open Font License asks for its text and for the copyright notices of
// the fonts beside the files.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { FontPackage } from "./font-packages.ts";
import { folderOf } from "./font-slices.ts";

/** What some older packages, which contain no licence, say in their files. */
const noto = "Copyright 2022 The Noto Project Authors (https://github.com/notofonts)";

/** Returns the copyright notice of each package and then each licence once. */
export async function fontLicenses(packages: readonly FontPackage[]): Promise<string> {
  const notices: string[] = [];
  const bodies = new Set<string>();
  const folders = new Map(packages.map((fonts) => [fonts.name, folderOf(fonts)]));
  for (const [name, folder] of folders) {
    const text = await readFile(join(folder, "LICENSE"), "utf8").catch(() => "");
    const [notice = "", ...rest] = text.replaceAll("\r", "").trim().split("\n");
    notices.push(`${name.slice(name.indexOf("/") + 1)}: ${notice || noto}`);
    const body = rest.join("\n").trim();
    if (body) bodies.add(body);
  }
  const introduction =
    "The fonts in /assets/fonts, which documents embed. The files of Noto Color Emoji, Noto Sans Symbols 2 and Noto Sans Math have been divided into parts, the files of Noto Sans JP and Noto Serif JP with half-width katakana have been merged, and the arrows of STIX Two Math have been corrected.";
  return [introduction, notices.join("\n"), ...bodies, ""].join("\n\n");
}
