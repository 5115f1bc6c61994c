// Reads documents and their files. To an account, a document of another account does not exist.
import type { Account } from "../../core/accounts/account.ts";
import type {
  ByteRange,
  CompletedDocument,
  DocumentFilter,
  DocumentFormat,
  FileMetadata,
  StoredDocument,
} from "../../core/documents/document.ts";
import { documentNotFound, ServiceError } from "../../core/errors.ts";
import type { Page } from "../../core/pagination.ts";
import type { Services } from "../../ports/services.ts";

/** Newest first. `total` counts every document that passes the filter. */
export function listDocuments(
  services: Services,
  account: Account,
  filter: DocumentFilter,
  page: Page,
): Promise<{ documents: StoredDocument[]; total: number }> {
  return services.documents.list(account.id, filter, page);
}

export async function getDocument(services: Services, account: Account, id: string): Promise<StoredDocument> {
  const document = await services.documents.find(account.id, id);
  if (!document) throw documentNotFound();
  return document;
}

/** Returns a document that has a file. Throws when its render failed. */
export async function getDownload(services: Services, account: Account, id: string): Promise<CompletedDocument> {
  const document = await getDocument(services, account, id);
  if (document.status === "completed") return document;
  throw documentNotFound("The document has no file, because its render failed.");
}

/** A file under CDN_URL, if that points at this Worker; in production, the bucket's own domain serves these files. */
export async function getPublicFile(
  { settings, files }: Services,
  fileKey: string,
): Promise<FileMetadata & { fileKey: string; format: DocumentFormat }> {
  const isServedHere = settings.cdnUrl === `${new URL(settings.baseUrl).origin}/files`;
  const metadata = isServedHere ? await files.metadata(fileKey) : null;
  if (!metadata) throw new ServiceError(404, "NOT_FOUND", "There is no such file.");
  return { ...metadata, fileKey, format: fileKey.endsWith(".png") ? "png" : "pdf" };
}

/** The bytes of a stored file; without `range` the whole file. */
export async function openFile(services: Services, fileKey: string, range?: ByteRange): Promise<ReadableStream> {
  const stored = await services.files.get(fileKey, range);
  if (!stored) throw documentNotFound("The document's file is gone.");
  return stored.body;
}
