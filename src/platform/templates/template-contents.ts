// The contents of template versions in R2. Each distinct content of a template is one private JSON object, and it never
// changes.
import { asciiJsonPieces } from "colophon-base/json-pieces";
import { CodedError } from "colophon-base/loggable-error";
import type { Template, TemplateContent } from "colophon-template-model/template";
import { templateNotFound, type ServiceError } from "../../core/errors.ts";
import { putParts, storageCall } from "../storage.ts";

const timeoutMs = 10_000;

/** Returns the R2 key of a version's content. Versions of a template with equal content have the same key. */
export function contentKey({ accountId, id, contentHash }: Pick<Template, "accountId" | "id" | "contentHash">): string {
  return `${accountId}/${id}/${contentHash}.json`;
}

/** Rejects when the content is missing. */
export async function readContent(bucket: R2Bucket, template: Template): Promise<TemplateContent> {
  const object = await storageCall("R2 get", timeoutMs, bucket.get(contentKey(template)));
  if (!object) throw contentMissing(template);
  return storageCall("R2 get", timeoutMs, object.json<TemplateContent>());
}

/** Returns the size of the stored content in bytes. Rejects when it is missing. */
export async function contentSize(bucket: R2Bucket, template: Template): Promise<number> {
  const object = await storageCall("R2 head", timeoutMs, bucket.head(contentKey(template)));
  if (!object) throw contentMissing(template);
  return object.size;
}

/** Workers may use a template for some seconds after its deletion. In all other cases, this is a fault to log. */
export function contentMissing(template: Template): ServiceError {
  const message = `template content ${contentKey(template)} is missing`;
  return templateNotFound(new CodedError("template.content_missing", message));
}

export async function putContent(bucket: R2Bucket, template: Template, content: TemplateContent): Promise<void> {
  let bytes = 0;
  for (const piece of asciiJsonPieces(content)) bytes += piece.length;
  await putParts(bucket, contentKey(template), { bytes, parts: encoded(asciiJsonPieces(content)), timeoutMs });
}

function filesKey(template: Template): string {
  return contentKey(template).replace(/json$/, "zip");
}

export async function putFiles(bucket: R2Bucket, template: Template, parts: Uint8Array[]): Promise<void> {
  const bytes = parts.reduce((sum, { length }) => sum + length, 0);
  await putParts(bucket, filesKey(template), { bytes, parts, timeoutMs });
}

function* encoded(pieces: Iterable<string>): Generator<Uint8Array> {
  const encoder = new TextEncoder();
  for (const piece of pieces) yield encoder.encode(piece);
}

export async function readFiles(bucket: R2Bucket, template: Template): Promise<ReadableStream | null> {
  const object = await storageCall("R2 get", timeoutMs, bucket.get(filesKey(template)));
  return object?.body ?? null;
}

/** Removes the contents of all versions of a template, or of all templates of the account if `id` is left out. */
export async function removeContents(bucket: R2Bucket, owner: { accountId: string; id?: string }): Promise<void> {
  const prefix = owner.id === undefined ? `${owner.accountId}/` : `${owner.accountId}/${owner.id}/`;
  for (let cursor: string | undefined; ;) {
    const listed = await storageCall("R2 list", timeoutMs, bucket.list({ prefix, ...(cursor ? { cursor } : {}) }));
    const keys = listed.objects.map(({ key }) => key);
    if (keys.length > 0) await storageCall("R2 delete", timeoutMs, bucket.delete(keys));
    if (!listed.truncated) return;
    cursor = listed.cursor;
  }
}
