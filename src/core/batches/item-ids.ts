// The ids and file keys of a batch's documents. They are derived from the batch's secret, so a render that is repeated after a
// crash finds the row and file of the first try, and nobody else can guess them.
import { createHmac } from "node:crypto";
import { extensionOf } from "colophon-page/document-format";
import { withAccess } from "../documents/document.ts";
import type { Batch } from "./batch.ts";

type Secrets = Pick<Batch, "secret"> & { options: Pick<Batch["options"], "access" | "format"> };

export function itemIds({ secret, options }: Secrets, index: number): { id: string; fileKey: string } {
  const name = `${derived(secret, `file ${index}`).toString("base64url")}.${extensionOf(options.format)}`;
  return { id: uuidOf(derived(secret, `document ${index}`)), fileKey: withAccess(name, options.access ?? "public") };
}

/** Returns the key of a merged file; see `isMergedFileKey`. */
export function mergedFileKey({ secret, options }: Secrets, number: number): string {
  const name = `${derived(secret, `merged ${number}`).toString("base64url")}.merged.pdf`;
  return withAccess(name, options.access ?? "public");
}

function derived(secret: string, name: string): Buffer {
  return createHmac("sha256", secret).update(name).digest();
}

/** Returns a UUID of version 8 (RFC 9562, section 5.8), in which all bits except version and variant are free. */
function uuidOf(bytes: Buffer): string {
  const digits = [...bytes.toString("hex", 0, 16)];
  digits[12] = "8";
  digits[16] = "8";
  return digits.join("").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
