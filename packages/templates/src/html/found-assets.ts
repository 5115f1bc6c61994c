// Collects the images and fonts of an HTML page as assets. Files with the same content become one asset.
import { createHash } from "node:crypto";
import { posix } from "node:path";
import { percentDecoded } from "colophon-base/encoding";
import { assetKind } from "colophon-template-model/asset-files";
import { maxEntries, maxFolderBytes } from "colophon-template-model/template-files";
import { readLocal, type Refused } from "./local-files.ts";

/** The reference stays as it is if `name` is null. */
export type FoundAsset = { status: "found"; name: string | null } | Refused;

/** `names` are the names of the assets, by the digests of their contents. */
export type FoundAssets = {
  root: string;
  files: Map<string, Uint8Array>;
  names: Map<string, string>;
  base64Chars: number;
};
type AssetUse = "image" | "font";

/** A longer `data:` URI becomes an asset, because a page file and a style sheet have at most two million characters. */
const maxUriChars = 4_000;
const maxNameChars = 60;

/** `folder` is the folder of the referring file inside the page's folder. */
export async function findAsset(
  found: FoundAssets,
  reference: string,
  folder: string,
  use: AssetUse,
): Promise<FoundAsset> {
  const target = reference.trim();
  const isUri = /^data:/i.test(target);
  if (target.startsWith("#") || (isUri && target.length <= maxUriChars)) return { status: "found", name: null };
  if (isUri) return addAsset(found, use, uriBytes(target), use);
  const file = await readLocal(found.root, folder, target);
  return file.status === "file" ? addAsset(found, file.path, file.bytes, use) : file;
}

function uriBytes(uri: string): Uint8Array {
  const comma = uri.indexOf(",");
  const isBase64 = /;\s*base64\s*$/i.test(uri.slice(0, comma));
  return Buffer.from(percentDecoded(uri.slice(comma + 1)), isBase64 ? "base64" : "utf8");
}

function addAsset(found: FoundAssets, path: string, bytes: Uint8Array, use: AssetUse): FoundAsset {
  const digest = createHash("sha256").update(bytes).digest("hex");
  const known = found.names.get(digest);
  if (known !== undefined) return { status: "found", name: known };
  const kind = assetKind(path, bytes);
  const isFont = /^\.(?:woff2?|[ot]tf)$/.test(kind?.extension ?? "");
  if (!kind || isFont !== (use === "font"))
    return { status: "refused", reason: `it is not ${use === "font" ? "a font" : "an image"} of a known type` };
  if (kind.problem !== null) return { status: "refused", reason: kind.problem };
  const base64Chars = found.base64Chars + Math.ceil(bytes.length / 3) * 4;
  if (base64Chars > maxFolderBytes || found.files.size >= maxEntries)
    return { status: "refused", reason: "the assets are more than a template can contain" };
  found.base64Chars = base64Chars;
  const name = newName(found.files, path, kind.extension);
  found.names.set(digest, name);
  found.files.set(name, bytes);
  return { status: "found", name };
}

/** Returns a name that every system distinguishes from the others. */
function newName(files: ReadonlyMap<string, unknown>, path: string, extension: string): string {
  const base = posix
    .basename(path)
    .normalize("NFC")
    .replace(/\.[^.]*$/, "");
  const stem =
    base
      .replace(/[^\p{L}\p{N}._-]+/gu, "-")
      .slice(0, maxNameChars)
      .replace(/^[.-]+|[.-]+$/g, "") || "file";
  const taken = new Set([...files.keys()].map((name) => name.toLowerCase()));
  let name = `${stem}${extension}`;
  for (let count = 2; taken.has(name.toLowerCase()); count++) name = `${stem}-${count}${extension}`;
  return name;
}
