// Deletes a document, or cancels it if it is processing: once its row is gone, nobody can complete it. If the delete is interrupted, the render stays counted, and the alarm of the account's object removes
// the file unless the document still exists.
import type { Account } from "../../core/accounts/account.ts";
import type { StoredDocument } from "../../core/documents/document.ts";
import { documentNotFound } from "../../core/errors.ts";
import type { Services } from "../../ports/services.ts";
import { getDocument } from "./read-documents.ts";

/** Returns the document that was deleted. `id` is the text from the request. */
export async function deleteDocument(services: Services, account: Account, id: string): Promise<StoredDocument> {
  const document = await getDocument(services, account, id);
  if (document.status === "processing") {
    if (await services.documents.remove(account.id, document.id, "processing")) {
      await services.quota.release(account.id, document.id);
      return document;
    }
    // Its render has ended in the meantime.
    return deleteDocument(services, account, id);
  }
  const { id: documentId, fileKey, status } = document;
  await services.quota.beginDelete(account.id, { documentId, fileKey, status, leaseMs: services.settings.leaseMs });
  const isRemoved = await services.documents.remove(account.id, documentId);
  await services.files.remove(fileKey);
  if (!isRemoved) throw documentNotFound();
  return document;
}
