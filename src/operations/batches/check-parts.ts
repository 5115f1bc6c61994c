// Finds out whether the fault of one render is an outage of the parts that all renders need.
import type { BatchServices } from "../../ports/services.ts";

/** Each part is asked several times, because a part may fail only now and then. */
const rounds = 4;

/** Whether the database and both buckets carry out writes. Each is asked to remove something that does not exist. */
export async function respondsToAll({
  documents,
  files,
  batchFiles,
}: Pick<BatchServices, "documents" | "files" | "batchFiles">): Promise<boolean> {
  const unused = crypto.randomUUID();
  for (let round = 0; round < rounds; round++) {
    const removals = [documents.remove(unused, unused), files.remove(unused), batchFiles.remove(unused, unused)];
    const settled = await Promise.allSettled(removals);
    if (settled.some(({ status }) => status === "rejected")) return false;
  }
  return true;
}
