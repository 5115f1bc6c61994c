// Removes webhook events, together with their attempts, a month after their creation. Pending events stay: attempts end after
// four days at most, unless the operator has an event sent again.
import type { PhaseBatch } from "../../core/maintenance/repair.ts";
import type { MaintenanceServices } from "../../ports/services.ts";

const retentionMs = 30 * 24 * 3_600_000;
const eventsPerBatch = 500;

/** `after` is the row that the batch before has examined last, in decimal. */
export async function removeOldEvents({ events, now }: MaintenanceServices, after: string): Promise<PhaseBatch> {
  const { events: old, next } = await events.ended(now() - retentionMs, Number(after), eventsPerBatch);
  if (old.length > 0) await events.remove(old);
  return {
    repairs: old.map(({ accountId, id }) => ({ kind: "old_event", accountId, eventId: id })),
    after: next === null ? null : String(next),
  };
}
