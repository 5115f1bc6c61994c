// The scheduled run, once a minute: dispatches webhooks that are still in the outbox, removes expired data, continues the removal of
// deleted accounts, and continues the daily repair pass. Each part is bounded, and a failing part does not stop the others.
import { dayMs } from "colophon-base/calendar-day";
import { maxDatabaseBytes, warnedShare } from "../../core/accounts/placement.ts";
import type { Repair, RepairBatch, RepairPosition } from "../../core/maintenance/repair.ts";
import type { MaintenanceServices, ShardServices } from "../../ports/services.ts";
import { dispatchOverdueWebhooks } from "../webhooks/dispatch-webhooks.ts";
import { inShards } from "./in-shards.ts";
import { removeAccount } from "./remove-account.ts";
import { removalBudget, removeExpired, removeOldDownloads, removeOldEventsInTurn } from "./remove-expired.ts";
import { repairBatch } from "./repair.ts";

const passIntervalMs = dayMs;
/** How long a run removes expired data. The next run begins a minute after this one. */
const removalMs = 40_000;
const batchesPerRun = 5;
const accountsPerRun = 3;
const stepsPerAccount = 10;

const dailyStart: RepairPosition = { phase: "files", after: "" };

const scheduled = { isForced: false };

export async function runMaintenance(services: MaintenanceServices): Promise<void> {
  const endsAt = services.now() + removalMs;
  const failed = await partInShards(services, "outbox", async (shard) => void (await dispatchOverdueWebhooks(shard)));
  const removals = { expired: removeExpired, events: removeOldEventsInTurn, downloads: removeOldDownloads };
  await Promise.all(
    Object.entries(removals).map(async ([what, remove]) => {
      const budget = removalBudget(endsAt);
      let count = 0;
      await partInShards(services, what, async (shard) => {
        const { length } = await remove(shard, budget);
        count += length;
      });
      if (count > 0) services.log("info", { event: "retention.removed", what, count });
    }),
  );
  await part(services, "accounts", async () => {
    // Accounts in shards that are down come last, because each of them waits for its shard.
    for (const id of await services.accounts.deleted(accountsPerRun, failed))
      await part(services, "accounts", () => removeInSteps(services, id));
  });
  await part(services, "repair", () => continuePass(services));
}

/** Runs one part, and logs its failure. The next run does the part again. */
async function part({ log }: MaintenanceServices, name: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (cause) {
    log("error", { event: "maintenance.failed", part: name, cause });
  }
}

/** Runs one part in every shard, and logs where it has failed. Returns the numbers of these shards. */
async function partInShards(
  services: MaintenanceServices,
  part: string,
  work: (services: ShardServices) => Promise<void>,
): Promise<number[]> {
  const failures = await inShards(services, work);
  for (const [shard, cause] of failures) services.log("error", { event: "maintenance.failed", part, shard, cause });
  return [...failures.keys()];
}

async function removeInSteps(services: MaintenanceServices, accountId: string): Promise<void> {
  for (let step = 0; step < stepsPerAccount; step++) {
    if ((await removeAccount(services, accountId)).status !== "removing") break;
  }
}

/** Continues the current pass, or begins one when the last pass ended a day ago. */
async function continuePass(services: MaintenanceServices): Promise<void> {
  const { passes, now } = services;
  const { position, finishedAt } = await passes.read("scheduled");
  if (!position && finishedAt !== null && now() < finishedAt + passIntervalMs) return;
  if (!position) await partInShards(services, "size", logDatabaseSize);
  let next: RepairPosition | null = position ?? dailyStart;
  for (let batch = 0; batch < batchesPerRun && next; batch++) {
    const repaired: RepairBatch = await repairBatch(services, next, scheduled);
    logRepairs(services, repaired);
    next = repaired.next;
    await passes.save("scheduled", { position: next, finishedAt: next ? finishedAt : now() });
  }
}

function logRepairs({ log }: MaintenanceServices, { repairs, refused }: RepairBatch): void {
  for (const repair of repairs) log("warn", { event: "repair.made", ...withoutFileKey(repair) });
  for (const [kind, ofKind] of Map.groupBy(refused, ({ kind }) => kind)) {
    log("error", { event: "repair.refused", kind, count: ofKind.length });
  }
}

/** Removes the file's key, because anyone who knows the key can read the file. */
function withoutFileKey(repair: Repair): object {
  return repair.kind === "file_without_document" ? { kind: repair.kind } : repair;
}

async function logDatabaseSize({ number: shard, documents, log }: ShardServices): Promise<void> {
  const bytes = await documents.databaseBytes();
  const share = bytes / maxDatabaseBytes;
  log(share >= warnedShare ? "warn" : "info", {
    event: "database.size",
    shard,
    bytes,
    percent: Math.round(share * 100),
  });
}
