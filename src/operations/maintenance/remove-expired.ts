// Removes documents whose retention has ended. The file is removed before the row: if the removal is interrupted in between,
// nothing public is left without a row, and the next run finds the row again. The render stays counted, as after a delete.
import type { PhaseBatch, RepairOptions } from "../../core/maintenance/repair.ts";
import type { TimePosition } from "../../ports/maintenance.ts";
import type { MaintenanceServices } from "../../ports/services.ts";

const documentsPerBatch = 200;

export async function removeExpired(
  { documents, files, now }: MaintenanceServices,
  after: string,
  { isDryRun }: Pick<RepairOptions, "isDryRun">,
): Promise<PhaseBatch> {
  const expired = await documents.expired(now(), parsePosition(after), documentsPerBatch);
  if (!isDryRun && expired.length > 0) {
    await files.remove(expired.map(({ fileKey }) => fileKey));
    await documents.remove(expired.map(({ id }) => id));
  }
  const last = expired.at(-1);
  return {
    mends: expired.map(({ accountId, id }) => ({ kind: "expired_document", accountId, documentId: id })),
    after:
      expired.length < documentsPerBatch || !last ? null : formatPosition({ at: last.expiresAt ?? 0, id: last.id }),
  };
}

/** Returns the position as text, e.g. `1764580000000 <id>`. */
export function formatPosition({ at, id }: TimePosition): string {
  return `${at} ${id}`;
}

/** Returns the position that `formatPosition` wrote; null for the empty text. */
export function parsePosition(text: string): TimePosition | null {
  const [at, id] = text.split(" ");
  return at && id ? { at: Number(at), id } : null;
}
