// Repairs the state after crashes and lost alarms, in batches. Each batch is bounded, and may be repeated or interrupted at any point:
// every repair is idempotent, and the next pass finds the repairs that were not made.
import {
  nextPosition,
  type Repair,
  type PhaseBatch,
  type RepairBatch,
  type RepairOptions,
  type RepairPhase,
  type RepairPosition,
} from "../../core/maintenance/repair.ts";
import type { Shard } from "../../ports/maintenance.ts";
import type { MaintenanceServices, ShardServices } from "../../ports/services.ts";
import { dispatchOverdueWebhooks } from "../webhooks/dispatch-webhooks.ts";
import { inShards } from "./in-shards.ts";
import { removalBudget, removeExpired, removeOldEvents } from "./remove-expired.ts";
import { repairContents, repairFiles } from "./repair-files.ts";

type Phase = (services: MaintenanceServices, after: string, options: RepairOptions) => Promise<PhaseBatch>;

const phases: Record<RepairPhase, Phase> = {
  outbox: repairOutbox,
  expired: repairExpired,
  events: repairEvents,
  files: repairFiles,
  contents: repairContents,
  accounts: repairAccounts,
};

const accountsPerBatch = 20;
/** How long a batch spends removing expired documents. */
const expiryMs = 5_000;

/** Repairs the batch at this position. */
export async function repairBatch(
  services: MaintenanceServices,
  position: RepairPosition,
  options: RepairOptions,
): Promise<RepairBatch> {
  const { repairs, refused = [], after } = await phases[position.phase](services, position.after, options);
  return { repairs, refused, next: nextPosition(position, after) };
}

async function repairOutbox(services: MaintenanceServices): Promise<PhaseBatch> {
  const repairs: Repair[] = [];
  await inEachShard(services, async (shard) => {
    for (const [accountId, eventIds] of await dispatchOverdueWebhooks(shard))
      for (const eventId of eventIds) repairs.push({ kind: "undispatched_event", accountId, eventId });
  });
  return { repairs, after: null };
}

/** Removes expired documents until none is left that can be removed. */
async function repairExpired(services: MaintenanceServices): Promise<PhaseBatch> {
  const budget = removalBudget(services.now() + expiryMs);
  const repairs: Repair[] = [];
  await inEachShard(services, async (shard) => void repairs.push(...(await removeExpired(shard, budget))));
  return { repairs, after: repairs.length > 0 ? "again" : null };
}

/** Works in all shards, and then rejects if one has failed. */
async function inEachShard(
  services: MaintenanceServices,
  work: (shard: ShardServices) => Promise<void>,
): Promise<void> {
  for (const [, cause] of await inShards(services, work)) throw cause;
}

/** Removes old events, in one shard after the other. `after` has the last row that was examined, and the number of its shard if not 0. */
async function repairEvents(services: MaintenanceServices, after: string): Promise<PhaseBatch> {
  const [row = "", number = "0"] = after.split(" ");
  const [shard, following] = services.shards.filter((each) => each.number >= Number(number));
  if (!shard) return { repairs: [], after: null };
  const { repairs, after: next } = await removeOldEvents({ ...services, ...shard }, row);
  const position = (last: string, { number: of }: Shard) => (of === 0 ? last : `${last} ${of}`);
  if (next !== null) return { repairs, after: position(next, shard) };
  return { repairs, after: following ? position("", following) : null };
}

/** Wakes the objects of the next accounts, so that they settle overdue holds and deletes. */
async function repairAccounts(services: MaintenanceServices, after: string): Promise<PhaseBatch> {
  const ids = await services.accounts.ids(after, accountsPerBatch);
  const repairs = await Promise.all(ids.map((id) => repairAccount(services, id)));
  return { repairs: repairs.flat(), after: ids.length < accountsPerBatch ? null : (ids.at(-1) ?? null) };
}

/** Repairs the objects of an account. If an object does not respond, logs that and continues with other accounts. */
async function repairAccount({ objects, log }: MaintenanceServices, accountId: string): Promise<Repair[]> {
  const repairs = (["AccountQuota", "WebhookSender", "BatchRunner"] as const).map(async (object) => {
    try {
      return await objects.repair(accountId, object);
    } catch (cause) {
      log("error", { event: "repair.object_failed", accountId, object, cause });
      return [];
    }
  });
  return (await Promise.all(repairs)).flat();
}
