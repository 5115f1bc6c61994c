// Finds out whether the fault of one render is an outage of storage that all renders need.
import type { BatchServices } from "../../ports/services.ts";

/** Each kind of storage is tried several times, because a fault may occur only in some calls. */
const rounds = 4;

/** Returns whether the account's database and both buckets accept writes. Each is asked to remove something that does not exist. */
export async function isStorageAvailable(
  { documents, files, batchFiles }: Pick<BatchServices, "documents" | "files" | "batchFiles">,
  accountId: string,
): Promise<boolean> {
  const unused = crypto.randomUUID();
  for (let round = 0; round < rounds; round++) {
    const removals = [documents.remove(accountId, unused), files.remove(unused), batchFiles.remove(accountId, unused)];
    const settled = await Promise.allSettled(removals);
    if (settled.some(({ status }) => status === "rejected")) return false;
  }
  return true;
}
