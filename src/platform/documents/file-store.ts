// Rendered files in R2. A file is written once under a fresh random key, never changed, and deleted with its document.
import { CodedError } from "../../core/observation/loggable-error.ts";
import { contentTypeOf, type DocumentFormat, type FileMetadata } from "../../core/documents/document.ts";
import type { FileStore } from "../../ports/documents.ts";
import { withDeadline } from "../../core/deadline.ts";

const putTimeoutMs = 10_000;
/**
 * The maximum length of the encoded warnings. R2 stores at most 2 KB of metadata with a file, and the warnings are the only
 * part that could be longer.
 */
const maxWarningsChars = 1_000;

export function fileStore(bucket: R2Bucket, callTimeoutMs: number): FileStore {
  return {
    async metadata(key) {
      const object = await withDeadline("R2 head", callTimeoutMs, bucket.head(key));
      return object ? metadataOf(object) : null;
    },
    async get(key, range) {
      const object = await withDeadline("R2 get", callTimeoutMs, bucket.get(key, range ? { range } : {}));
      return object && { body: object.body };
    },
    async remove(key) {
      await withDeadline("R2 delete", callTimeoutMs, bucket.delete(key));
    },
  };
}

/**
 * Stores a file and returns its metadata. If a file with this key exists, that file stays and its metadata is returned,
 * so a put can be repeated if its response was lost.
 */
export async function putFileOnce(
  bucket: R2Bucket,
  key: string,
  format: DocumentFormat,
  bytes: Uint8Array,
  metadata: FileMetadata,
): Promise<FileMetadata> {
  const { imageSize } = metadata;
  const put = bucket.put(key, bytes, {
    onlyIf: { etagDoesNotMatch: "*" },
    sha256: metadata.sha256,
    httpMetadata: { contentType: contentTypeOf(format), cacheControl: "public, max-age=300" },
    customMetadata: {
      sha256: metadata.sha256,
      pageCount: String(metadata.pageCount),
      width: String(metadata.width),
      height: String(metadata.height),
      ...(imageSize ? { pixelWidth: String(imageSize.width), pixelHeight: String(imageSize.height) } : {}),
      warnings: storableWarnings(metadata.warnings),
    },
  });
  if (await withDeadline("R2 put", putTimeoutMs, put)) return metadata;
  const object = await withDeadline("R2 head", putTimeoutMs, bucket.head(key));
  if (!object) throw new CodedError("file.put_refused", `R2 refused to put ${key} but has no file under that key`);
  return metadataOf(object);
}

function metadataOf(object: R2Object): FileMetadata {
  const { sha256, pageCount, width, height, pixelWidth, pixelHeight, warnings } = object.customMetadata ?? {};
  if (!sha256 || !pageCount || !width || !height)
    throw new CodedError("file.no_metadata", `the file ${object.key} has no metadata`);
  return {
    fileSize: object.size,
    sha256,
    pageCount: Number(pageCount),
    width: Number(width),
    height: Number(height),
    imageSize: pixelWidth && pixelHeight ? { width: Number(pixelWidth), height: Number(pixelHeight) } : null,
    warnings: JSON.parse(decodeURIComponent(warnings ?? "[]")) as string[],
  };
}

/**
 * Encodes the warnings as ASCII, because R2 metadata travels in HTTP headers. The first warning that does not fit and all
 * warnings after it are dropped.
 */
function storableWarnings(warnings: string[]): string {
  const kept: string[] = [];
  for (const warning of warnings) {
    const encoded = encodeURIComponent(JSON.stringify([...kept, warning]));
    if (encoded.length > maxWarningsChars) break;
    kept.push(warning);
  }
  return encodeURIComponent(JSON.stringify(kept));
}
