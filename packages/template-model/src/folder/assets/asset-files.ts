// Finds the assets that a template contains: all files in its own `assets/`, and the shared assets that its files name. The bytes of each
// file must match the type in its name.
import { SaxesParser } from "saxes";
import { bufferOf } from "colophon-base/buffer";
import { shortened } from "colophon-base/text";
import { checkImage, checkSvg, maxSvgBytes } from "colophon-images/image-guard";
import { imageInfo, type ImageInfo } from "colophon-images/image-info";
import type { Asset, FileWarning } from "../../template.ts";
import { composed } from "../file-names.ts";
import { maxFolderBytes, type FileProblem, type TemplateFile, maxProblems } from "../template-files.ts";
import { decodeText } from "../text-file.ts";
import type { OpenedFolder } from "../used/opened-folder.ts";
import { forbidsEmbedding } from "./font-embedding.ts";

const sharedAssets = "shared/assets";

/** The names of all assets that the template can use. The template's own asset hides a shared one with the same name. */
export function assetNames(folder: OpenedFolder): Set<string> {
  return new Set(["assets", sharedAssets].flatMap((place) => folder.inside(place).map(({ path }) => composed(path))));
}

/**
 * Returns the assets sorted by name, so that an unchanged folder has the same content on every machine. `named` are the names of the
 * assets that the Liquid files and the styles use.
 */
export function usedAssets(folder: OpenedFolder, named: string[]): Record<string, Asset> {
  const { problems } = folder;
  const ownFiles = folder.inside("assets");
  const ownNames = new Set(ownFiles.map(({ path }) => composed(path)));
  const others = new Set(named.filter((name) => !ownNames.has(name)));
  // A template that names an asset that it does not have needs the shared folder.
  for (const name of others) folder.has(`${sharedAssets}/${name}`);
  const sharedFiles = folder.inside(sharedAssets).filter(({ path }) => others.has(composed(path)));
  const assets = [...validAssets(sharedAssets, sharedFiles, problems), ...validAssets("assets", ownFiles, problems)];
  return Object.fromEntries(assets.sort(([a], [b]) => (a < b ? -1 : 1)));
}

const embeddingMessage =
  "the maker of this font forbids embedding it (`fsType` in its table `OS/2`), but every PDF contains its fonts; use a font with a different licence";

/** More fonts are not read, because unpacking hostile ones takes 4 ms and 4 MB each. */
const maxReadFonts = 100;

/** Returns warnings about fonts among the assets that must not be in a PDF. */
export function fontWarnings(folder: OpenedFolder, assets: Record<string, Asset>): FileWarning[] {
  const files = [sharedAssets, "assets"].flatMap((place) => folder.inside(place).map((file) => ({ place, ...file })));
  return files
    .filter(({ path }) => assets[composed(path)]?.contentType.startsWith("font/"))
    .slice(0, maxReadFonts)
    .filter(({ bytes }) => forbidsEmbedding(bytes))
    .map(({ place, path }) => ({ file: `${place}/${path}`, line: 1, message: embeddingMessage }));
}

type Expected = { type: ImageInfo["type"] | FontType; contentType: string; title: string };

/** The required type of a file, by extension. `title` completes the sentence "its content is ...". */
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
  // TrueType and OpenType fonts may use either extension, whatever the kind of their outlines.
  ".otf": { type: "ttf", contentType: "font/otf", title: "a TrueType or OpenType font" },
};

/** `files` are the files of `folder`, with their names as paths. */
function validAssets(folder: string, files: TemplateFile[], problems: FileProblem[]): [string, Asset][] {
  const assets: [string, Asset][] = [];
  const svgs = { parts: 0 };
  // Sizes are compared first, because checking contents takes much longer.
  if (files.reduce((chars, { bytes }) => chars + Math.ceil(bytes.length / 3) * 4, 0) > maxFolderBytes) {
    problems.push({ file: folder, line: 1, reason: `the template is larger than ${maxFolderBytes / 1e6} MB` });
    return [];
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
    const base64 = bufferOf(bytes).toString("base64");
    assets.push([composed(name), { contentType: expected.contentType, base64 }]);
  }
  return assets;
}

/**
 * Returns the extension of an asset with these bytes, and the problem if they cannot be used; null if they have none of the types. An
 * extension of `name` that fits is kept.
 */
export function assetKind(name: string, bytes: Uint8Array): { extension: string; problem: string | null } | null {
  const type = imageInfo(bytes)?.type ?? fontType(bytes);
  const fitting = Object.entries(types).filter(([, each]) => each.type === type);
  const [extension, expected] = fitting.find(([each]) => name.toLowerCase().endsWith(each)) ?? fitting[0] ?? [];
  if (extension === undefined || !expected) return null;
  const [problem] = contentProblems(bytes, extension, { ...expected, svgs: { parts: 0 } });
  return { extension, problem: problem?.reason ?? null };
}

function contentProblems(
  bytes: Uint8Array,
  extension: string,
  { type, title, svgs }: Expected & { svgs: SvgCount },
): { line: number; reason: string }[] {
  const only = (reason: string | null) => (reason === null ? [] : [{ line: 1, reason }]);
  if (bytes.length === 0) return only("the file is empty");
  const font = fontType(bytes);
  const foundType = imageInfo(bytes)?.type ?? font;
  if (foundType && foundType !== type) {
    const foundTitle = Object.values(types).find((each) => each.type === foundType)?.title;
    return only(`its content is ${foundTitle}, but its name ends in ${extension}`);
  }
  const malformed = type === "svg" && bytes.length <= maxSvgBytes ? svgProblems(bytes, svgs) : [];
  if (malformed.length > 0) return malformed;
  if (!foundType && type !== "svg") return only(`its content is not ${title}`);
  if (font) return only(fontProblem(bytes, font));
  const check = type === "svg" ? checkSvg(bytes) : checkImage(bytes);
  return only(check.status === "refused" ? check.reason : null);
}

/** `ttf` means any TrueType or OpenType font that is not compressed. */
type FontType = "woff2" | "woff" | "ttf";

/** The maximum uncompressed size of a font; a WOFF2 file of a few kilobytes can contain gigabytes. */
const maxUnpackedBytes = 100_000_000;

/** Returns the type of a font; null if the bytes do not begin like a WOFF2, WOFF, TrueType or OpenType font. */
function fontType(bytes: Uint8Array): FontType | null {
  const signature = String.fromCharCode(...bytes.subarray(0, 4));
  if (signature === "wOF2") return "woff2";
  if (signature === "wOFF") return "woff";
  return ["\0\x01\0\0", "true", "OTTO"].includes(signature) ? "ttf" : null;
}

/**
 * Returns why a font of the given type cannot be used; null if it can. A browser refuses a font whose uncompressed tables do not
 * have the size in the header. This size is at the same position in W3C's WOFF File Format 1.0 and 2.0.
 */
function fontProblem(bytes: Uint8Array, type: FontType): string | null {
  if (type === "ttf") return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 44 || view.getUint32(8) !== bytes.length) {
    return "the font is truncated or damaged: its length differs from the length in its header";
  }
  const unpackedBytes = view.getUint32(16);
  return unpackedBytes > maxUnpackedBytes
    ? `it unpacks to ${unpackedBytes} bytes; at most ${maxUnpackedBytes} are allowed`
    : null;
}

type Problem = { line: number; reason: string };

/** The parser searches all open elements to resolve a namespace, so deep nesting would take quadratic time. */
const maxNesting = 64;
const svgNamespace = "http://www.w3.org/2000/svg";

/** The total maximum for all files. They take up to half a second of processor time, during which no other request is served. */
const maxParts = 300_000;
const tooManyParts = `the SVG files up to this one have more than ${maxParts.toLocaleString("en-US")} elements, attributes, comments and references; combine paths, or make it a PNG or WebP image`;

/** The number of elements, attributes, comments, character references etc. that have been read in all files. */
type SvgCount = { parts: number };

/**
 * An SVG must be well-formed XML that a browser displays as an image. As an image, it cannot run scripts or load anything, so references
 * would be missing from the document. Returns the problems: all references that cannot be loaded, and at most one syntax error.
 */
function svgProblems(bytes: Uint8Array, count: SvgCount): Problem[] {
  if (count.parts > maxParts) return [{ line: 1, reason: tooManyParts }];
  const decoded = decodeText(bytes);
  return decoded.status === "text" ? readSvg(decoded.text, count) : [decoded];
}

const unknownEntity = "XML does not define this entity; write the character itself";

/** Thrown to end the parsing, because the rest of a malformed file is meaningless. */
class Malformed extends Error {}

function readSvg(text: string, count: SvgCount): Problem[] {
  const problems: Problem[] = [];
  count.parts += text.split("&").length - 1;
  const parser = new SaxesParser({ xmlns: true });
  listen(parser, problems, count);
  try {
    parser.write(text).close();
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
    problems.push({ line: parser.line, reason: error.message });
    // The attributes of a malformed tag have not been counted.
    count.parts += text.length / 8;
  }
  return problems.slice(0, maxProblems);
}

function listen(parser: SaxesParser<{ xmlns: true }>, problems: Problem[], count: SvgCount): void {
  let depth = 0;
  const add = (parts: number) => {
    count.parts += parts;
    if (count.parts > maxParts) throw new Malformed(tooManyParts);
  };
  for (const event of ["comment", "cdata", "processinginstruction"] as const) parser.on(event, () => add(1));
  parser.on("error", (error) => {
    const reason = error.message.replace(/^\d+:\d+: /, "").replace(/\.$/, "");
    throw new Malformed(`it is not well-formed XML: ${reason === "undefined entity" ? unknownEntity : reason}`);
  });
  parser.on("doctype", (doctype) => {
    if (doctype.includes("[")) throw new Malformed("it declares entities in its DOCTYPE; write their values instead");
  });
  parser.on("opentag", ({ name, local, uri, attributes }) => {
    add(1 + Object.keys(attributes).length);
    if (++depth > maxNesting) throw new Malformed(`elements are nested more than ${maxNesting} levels deep`);
    if (depth === 1) checkRoot(name, local, uri);
    for (const { local: attribute, value } of local === "a" ? [] : Object.values(attributes)) {
      if ((attribute !== "href" && attribute !== "src") || /^\s*(?:$|#|data:)/i.test(value)) continue;
      const reason = `it refers to ${shortened(value)}, which an image cannot load; embed the file as a \`data:\` URI`;
      problems.push({ line: parser.line, reason });
    }
  });
  parser.on("closetag", () => {
    depth--;
  });
}

function checkRoot(name: string, local: string, uri: string): void {
  if (local !== "svg") throw new Malformed(`its root element must be <svg>, but is <${shortened(name)}>`);
  if (uri !== svgNamespace)
    throw new Malformed(`its root element needs xmlns="${svgNamespace}"; without it, browsers show no image`);
}
