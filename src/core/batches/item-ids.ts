// The ids and file keys of a batch's documents. They are derived from the batch's secret, so a render that is repeated after a
// crash finds the row and file of the first try, and nobody else can guess them.
import { base64Url, hex } from "colophon-base/encoding";
import { extensionOf, type DocumentFormat } from "colophon-page/document-format";

export type ItemIds = { id: string; fileKey: string };

export async function itemIds(secret: string, index: number, format: DocumentFormat): Promise<ItemIds> {
  const [id, key] = await Promise.all([derived(secret, `document ${index}`), derived(secret, `file ${index}`)]);
  return { id: uuidOf(id), fileKey: `${base64Url(key)}.${extensionOf(format)}` };
}

/** Returns the key of a merged file; see `isMergedFileKey`. */
export async function mergedFileKey(secret: string, number: number): Promise<string> {
  return `${base64Url(await derived(secret, `merged ${number}`))}.merged.pdf`;
}

async function derived(secret: string, name: string): Promise<Uint8Array> {
  const encoder = new TextEncoder();
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", encoder.encode(secret), algorithm, false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign("HMAC", key, encoder.encode(name)));
}

/** Returns a UUID of version 8 (RFC 9562, section 5.8), in which all bits except version and variant are free. */
function uuidOf(bytes: Uint8Array): string {
  const digits = [...hex(bytes.subarray(0, 16))];
  digits[12] = "8";
  digits[16] = "8";
  return digits.join("").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
