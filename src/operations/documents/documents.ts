// Reading and deleting documents. Another account's document is as unknown as one that never was.
import type { CompletedDocument, StoredDocument } from "../../core/documents/document.ts";
import { documentNotFound } from "../../core/errors.ts";
import type { Account } from "../../core/accounts/account.ts";
import type { Services } from "../../ports.ts";

export async function getDocument(services: Services, account: Account, id: string): Promise<StoredDocument> {
  const document = await services.documents.find(account.id, id);
  if (!document) throw documentNotFound();
  return document;
}

/** The document, if it has a file. */
export async function getDownload(services: Services, account: Account, id: string): Promise<CompletedDocument> {
  const document = await getDocument(services, account, id);
  if (document.status === "completed") return document;
  throw documentNotFound("The document has no file, because its render failed.");
}

/** The render stays counted, and row and file go, however the delete is interrupted. */
export async function deleteDocument(services: Services, account: Account, id: string): Promise<void> {
  const { fileKey, status } = await getDocument(services, account, id);
  await services.quota.beginDelete(account.id, { documentId: id, fileKey, status, leaseMs: services.settings.leaseMs });
  const isRemoved = await services.documents.remove(account.id, id);
  await services.files.remove(fileKey);
  if (!isRemoved) throw documentNotFound();
}
