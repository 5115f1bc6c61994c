// Checks the files of `assets/`: the bytes of each file must be what its name says.
import { checkImage, notAnImage } from "../../../images/image-guard.ts";
import { imageInfo } from "../../../images/image-info.ts";
import type { Asset } from "../../template.ts";
import { composed } from "../file-names.ts";
import type { FileProblem, TemplateFile } from "../template-files.ts";
import { fontProblem, fontType, otherFontFormat, type FontType } from "./font-file.ts";
import { svgProblems } from "./svg-file.ts";

type ImageType = "png" | "jpeg" | "webp" | "avif" | "gif" | "svg";
/** A TrueType or OpenType font may be called `.ttf` or `.otf`, whatever its outlines are. */
type AssetType = ImageType | FontType | "otf";

const typeOfExtension: Record<string, AssetType> = {
  ".png": "png",
  ".jpg": "jpeg",
  ".jpeg": "jpeg",
  ".webp": "webp",
  ".avif": "avif",
  ".gif": "gif",
  ".svg": "svg",
  ".woff2": "woff2",
  ".woff": "woff",
  ".ttf": "ttf",
  ".otf": "otf",
};

/** `title` completes the sentence "its content is ...". */
const typeDetails: Record<AssetType, { contentType: string; title: string }> = {
  png: { contentType: "image/png", title: "a PNG image" },
  jpeg: { contentType: "image/jpeg", title: "a JPEG image" },
  webp: { contentType: "image/webp", title: "a WebP image" },
  avif: { contentType: "image/avif", title: "an AVIF image" },
  gif: { contentType: "image/gif", title: "a GIF image" },
  svg: { contentType: "image/svg+xml", title: "an SVG image" },
  woff2: { contentType: "font/woff2", title: "a WOFF2 font" },
  woff: { contentType: "font/woff", title: "a WOFF font" },
  ttf: { contentType: "font/ttf", title: "a TrueType or OpenType font" },
  otf: { contentType: "font/otf", title: "a TrueType or OpenType font" },
};

/**
 * Returns the assets sorted by name, so that the content of an unchanged folder is the same on every machine. `files` are
 * the files of `folder`, with their names as paths.
 */
export function validAssets(folder: string, files: TemplateFile[], problems: FileProblem[]): Record<string, Asset> {
  const assets: [string, Asset][] = [];
  const named = files.map(({ path, bytes }) => ({ name: path, bytes }));
  for (const { name, bytes } of named) {
    const extension = (/\.[^.]*$/.exec(name)?.[0] ?? "").toLowerCase();
    const type = Object.hasOwn(typeOfExtension, extension) ? typeOfExtension[extension] : undefined;
    const refuse = ({ line, reason }: { line: number; reason: string }) => problems.push({ file: `${folder}/${name}`, line, reason });
    if (!type) {
      refuse({ line: 1, reason: `assets must be files of these types: ${Object.keys(typeOfExtension).join(" ")}` });
      continue;
    }
    contentProblems(bytes, type, extension).forEach(refuse);
    const base64 = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
    assets.push([composed(name), { contentType: typeDetails[type].contentType, base64 }]);
  }
  return sortedAssets(Object.fromEntries(assets));
}

export function sortedAssets(assets: Record<string, Asset>): Record<string, Asset> {
  return Object.fromEntries(Object.entries(assets).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function contentProblems(bytes: Uint8Array, type: AssetType, extension: string): { line: number; reason: string }[] {
  const only = (reason: string | null) => (reason === null ? [] : [{ line: 1, reason }]);
  if (bytes.length === 0) return only("the file is empty");
  const found = imageInfo(bytes)?.type ?? fontType(bytes);
  const expected = type === "otf" ? "ttf" : type;
  if (found && found !== expected) return only(`its content is ${typeDetails[found].title}, but its name ends in ${extension}`);
  if (type === "svg") return svgProblems(bytes);
  if (expected === "woff2" || expected === "woff" || expected === "ttf") {
    const other = otherFontFormat(bytes);
    if (found) return only(fontProblem(bytes, expected));
    return only(`its content is ${other ?? `not ${typeDetails[type].title}`}`);
  }
  const check = found ? checkImage(bytes) : { status: "refused", reason: notAnImage };
  return only(check.status === "refused" && "reason" in check ? check.reason : null);
}
