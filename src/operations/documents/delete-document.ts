// Deletes a document. If the delete is interrupted, the render stays counted, and the alarm of the account's object removes
// the file unless the document still exists.
import type { Account } from "../../core/accounts/account.ts";
import { documentNotFound } from "../../core/errors.ts";
import type { Services } from "../../ports/services.ts";
import { getDocument } from "./read-documents.ts";

export async function deleteDocument(services: Services, account: Account, id: string): Promise<void> {
  const { fileKey, status } = await getDocument(services, account, id);
  await services.quota.beginDelete(account.id, { documentId: id, fileKey, status, leaseMs: services.settings.leaseMs });
  const isRemoved = await services.documents.remove(account.id, id);
  await services.files.remove(fileKey);
  if (!isRemoved) throw documentNotFound();
}
