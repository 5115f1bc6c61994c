// Reads and deletes documents and their files, and records downloads. A document of another account is reported as not found.
import type { DocumentFormat } from "colophon-page/document-format";
import type { StoredFile } from "colophon-render/file-metadata";
import type { Account } from "../../core/accounts/account.ts";
import {
  accessOf,
  formatOfFileKey,
  isMergedFileKey,
  type ByteRange,
  type CompletedDocument,
  type Download,
  type StoredDocument,
  type DocumentFilter,
} from "../../core/documents/document.ts";
import { documentNotFound, ServiceError } from "../../core/errors.ts";
import type { Listed, Page } from "../../core/pagination.ts";
import { parseTemplateName } from "../../core/templates/template-name.ts";
import { parseUuid } from "../../core/uuid.ts";
import type { Services } from "../../ports/services.ts";

const unknownId = "00000000-0000-0000-0000-000000000000";

/** Lists documents, newest first. The list is empty if the filter's template does not exist. */
export async function listDocuments(
  services: Services,
  account: Account,
  filter: DocumentFilter,
  page: Page,
): Promise<Listed<StoredDocument>> {
  if (filter.templateId === undefined) return services.documents.list(account.id, filter, page);
  const name = parseTemplateName(filter.templateId);
  const id = name && (parseUuid(name) ?? (await services.templates.find(account.id, name))?.id);
  return services.documents.list(account.id, { ...filter, templateId: id ?? unknownId }, page);
}

/** `id` is the string from the request. */
export async function getDocument(services: Services, account: Account, id: string): Promise<StoredDocument> {
  const uuid = parseUuid(id);
  const document = uuid && (await services.documents.find(account.id, uuid));
  if (!document) throw documentNotFound();
  return document;
}

/** Returns a document that has a file. Throws if it has none because its render failed or has not ended. */
export async function getDownload(services: Services, account: Account, id: string): Promise<CompletedDocument> {
  const document = await getDocument(services, account, id);
  if (document.status === "completed") return document;
  if (document.status === "processing")
    throw documentNotFound("The document has no file yet, because its render has not ended.");
  throw documentNotFound("The document has no file, because its render failed.");
}

/**
 * Returns the size and the digest of a public file. Throws NOT_FOUND if there is no such file, or if CDN_URL does not point at this
 * Worker. In production, CDN_URL points at the bucket's own domain, which serves the files.
 */
export async function getPublicFile(
  { settings, files }: Services,
  fileKey: string,
): Promise<StoredFile & { fileKey: string; format: DocumentFormat }> {
  const isServedHere = settings.cdnUrl === `${new URL(settings.baseUrl).origin}/files`;
  const isPublic = isServedHere && accessOf(fileKey) === "public";
  const format = isPublic ? (isMergedFileKey(fileKey) ? "pdf" : formatOfFileKey(fileKey)) : null;
  const metadata = format && (await files.metadata(fileKey));
  if (!metadata) throw new ServiceError("NOT_FOUND", "There is no file with this key.");
  return { ...metadata, fileKey, format };
}

/** Returns the bytes of a stored file. If `range` is given, returns only the bytes in it. */
export async function openFile(services: Services, fileKey: string, range?: ByteRange): Promise<ReadableStream> {
  const stored = await services.files.get(fileKey, range);
  if (!stored) throw documentNotFound("The document's file no longer exists.");
  return stored.body;
}

/** `by` is null for a link. */
export type DownloadedBy = {
  document: Pick<StoredDocument, "accountId" | "id">;
  by: { account: Account; keyId: string } | null;
};

/** Records the download after the response, which does not wait for it. */
export function recordDownload(
  { downloads, now, newId, background }: Services,
  { document: { accountId, id: documentId }, by }: DownloadedBy,
  country: string | null,
): void {
  if (by && !by.account.recordDownloads) return;
  const download = { id: newId(), accountId, documentId, createdAt: now(), keyId: by?.keyId ?? null, country };
  const record = async () => {
    if (by || (await downloads.isOn(accountId))) await downloads.record(download);
  };
  background("record a download", record());
}

/** `id` is the string from the request. */
export async function listDownloads(
  services: Services,
  account: Account,
  id: string,
  page: Page,
): Promise<Listed<Download>> {
  const { id: documentId } = await getDocument(services, account, id);
  return services.downloads.list(account.id, documentId, page, services.now());
}

/**
 * Deletes a document, or cancels it if it is processing: without its row, it cannot be completed. If the delete is
 * interrupted, the render stays counted, and the alarm of the account's object removes the file unless the document still
 * exists. Returns the deleted document. `id` is the string from the request.
 */
export async function deleteDocument(services: Services, account: Account, id: string): Promise<StoredDocument> {
  const document = await getDocument(services, account, id);
  if (document.status === "processing") {
    if (await services.documents.remove(account.id, document.id, "processing")) {
      await services.quota.release(account.id, document.id);
      return document;
    }
    // Its render has just ended.
    return deleteDocument(services, account, id);
  }
  const { id: documentId, fileKey, status } = document;
  await services.quota.beginDelete(account.id, { documentId, fileKey, status, leaseMs: services.settings.leaseMs });
  const isRemoved = await services.documents.remove(account.id, documentId);
  await services.files.remove(fileKey);
  if (!isRemoved) throw documentNotFound();
  return document;
}
