// Records who has downloaded documents, for accounts with the setting `recordDownloads`, and lists it.
import type { Account } from "../../core/accounts/account.ts";
import type { StoredDocument } from "../../core/documents/document.ts";
import type { Download } from "../../core/documents/download.ts";
import type { Listed, Page } from "../../core/pagination.ts";
import type { Services } from "../../ports/services.ts";
import { getDocument } from "./stored-documents.ts";

/** A response with bytes of a file. `isPart` if it is the response to a range. */
export type SentFile = Pick<Download, "country"> & { isPart: boolean };

/** Records the download after the response, which does not wait for it. `by` is null for a link. */
export function recordDownload(
  { downloads, now, newId, background }: Services,
  { accountId, id: documentId }: Pick<StoredDocument, "accountId" | "id">,
  by: { account: Account; keyId: string } | null,
  { isPart, country }: SentFile,
): void {
  if (by && !by.account.recordDownloads) return;
  const download = { id: newId(), accountId, documentId, createdAt: now(), keyId: by?.keyId ?? null, country };
  const record = async () => {
    if (by || (await downloads.isOn(accountId))) await downloads.record(download, { isPart });
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
