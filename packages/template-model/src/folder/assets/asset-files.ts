// Checks the files of `assets/`: the bytes of each file must be what its name says.
import { checkImage, checkSvg, maxSvgBytes } from "colophon-images/image-guard";
import { imageInfo, type ImageInfo } from "colophon-images/image-info";
import type { Asset } from "../../template.ts";
import { composed } from "../file-names.ts";
import { maxFolderBytes, type FileProblem, type TemplateFile } from "../template-files.ts";
import { fontProblem, fontType, type FontType } from "./font-file.ts";
import { svgProblems, type SvgCount } from "./svg-file.ts";

type Expected = { type: ImageInfo["type"] | FontType; contentType: string; title: string };

/** What a file of each extension must be. `title` completes the sentence "its content is ...". */
const types: Record<string, Expected> = {
  ".png": { type: "png", contentType: "image/png", title: "a PNG image" },
  ".jpg": { type: "jpeg", contentType: "image/jpeg", title: "a JPEG image" },
  ".jpeg": { type: "jpeg", contentType: "image/jpeg", title: "a JPEG image" },
  ".webp": { type: "webp", contentType: "image/webp", title: "a WebP image" },
  ".avif": { type: "avif", contentType: "image/avif", title: "an AVIF image" },
  ".gif": { type: "gif", contentType: "image/gif", title: "a GIF image" },
  ".svg": { type: "svg", contentType: "image/svg+xml", title: "an SVG image" },
  ".woff2": { type: "woff2", contentType: "font/woff2", title: "a WOFF2 font" },
  ".woff": { type: "woff", contentType: "font/woff", title: "a WOFF font" },
  ".ttf": { type: "ttf", contentType: "font/ttf", title: "a TrueType or OpenType font" },
  // A TrueType or OpenType font may have either name, whatever its outlines are.
  ".otf": { type: "ttf", contentType: "font/otf", title: "a TrueType or OpenType font" },
};

/**
 * Returns the assets sorted by name, so that the content of an unchanged folder is the same on every machine. `files` are
 * the files of `folder`, with their names as paths.
 */
export function validAssets(folder: string, files: TemplateFile[], problems: FileProblem[]): Record<string, Asset> {
  const assets: [string, Asset][] = [];
  const svgs = { parts: 0 };
  // Sizes are compared before contents are checked, which takes much longer.
  if (files.reduce((chars, { bytes }) => chars + Math.ceil(bytes.length / 3) * 4, 0) > maxFolderBytes) {
    problems.push({ file: folder, line: 1, reason: `the template is larger than ${maxFolderBytes / 1e6} MB` });
    return {};
  }
  for (const { path: name, bytes } of files) {
    const extension = (/\.[^.]*$/.exec(name)?.[0] ?? "").toLowerCase();
    const refuse = ({ line, reason }: { line: number; reason: string }) =>
      problems.push({ file: `${folder}/${name}`, line, reason });
    const expected = Object.hasOwn(types, extension) ? types[extension] : undefined;
    if (!expected) {
      refuse({ line: 1, reason: `assets must be files of these types: ${Object.keys(types).join(" ")}` });
      continue;
    }
    contentProblems(bytes, extension, { ...expected, svgs }).forEach(refuse);
    const base64 = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
    assets.push([composed(name), { contentType: expected.contentType, base64 }]);
  }
  return sortedAssets(Object.fromEntries(assets));
}

export function sortedAssets(assets: Record<string, Asset>): Record<string, Asset> {
  return Object.fromEntries(Object.entries(assets).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function contentProblems(
  bytes: Uint8Array,
  extension: string,
  { type, title, svgs }: Expected & { svgs: SvgCount },
): { line: number; reason: string }[] {
  const only = (reason: string | null) => (reason === null ? [] : [{ line: 1, reason }]);
  if (bytes.length === 0) return only("the file is empty");
  const font = fontType(bytes);
  const found = imageInfo(bytes)?.type ?? font;
  if (found && found !== type) {
    const foundTitle = Object.values(types).find((each) => each.type === found)?.title;
    return only(`its content is ${foundTitle}, but its name ends in ${extension}`);
  }
  const malformed = type === "svg" && bytes.length <= maxSvgBytes ? svgProblems(bytes, svgs) : [];
  if (malformed.length > 0) return malformed;
  if (!found && type !== "svg") return only(`its content is not ${title}`);
  if (font) return only(fontProblem(bytes, font));
  const check = type === "svg" ? checkSvg(bytes) : checkImage(bytes);
  return only(check.status === "refused" ? check.reason : null);
}
