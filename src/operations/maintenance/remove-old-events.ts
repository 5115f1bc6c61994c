// Removes webhook events, together with their attempts, a month after their creation. Pending events stay: attempts end after
// four days at most, unless the operator has an event sent again.
import type { PhaseBatch, RepairOptions } from "../../core/maintenance/repair.ts";
import type { MaintenanceServices } from "../../ports/services.ts";
import { formatPosition, parsePosition } from "./remove-expired.ts";

const retentionMs = 30 * 24 * 3_600_000;
const eventsPerBatch = 500;

export async function removeOldEvents(
  { events, now }: MaintenanceServices,
  after: string,
  { isDryRun }: Pick<RepairOptions, "isDryRun">,
): Promise<PhaseBatch> {
  const old = await events.ended(now() - retentionMs, parsePosition(after), eventsPerBatch);
  if (!isDryRun && old.length > 0) await events.remove(old.map(({ id }) => id));
  const last = old.at(-1);
  return {
    mends: old.map(({ accountId, id }) => ({ kind: "old_event", accountId, eventId: id })),
    after: old.length < eventsPerBatch || !last ? null : formatPosition({ at: last.createdAt, id: last.id }),
  };
}
