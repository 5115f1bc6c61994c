// Removes an account that is marked as deleted, in bounded steps that may be repeated. The account's row is removed last, so
// that an interrupted removal is found and continued.
import { testAccountId } from "../../core/accounts/account.ts";
import { shardKnownMs } from "../../core/accounts/placement.ts";
import type { AccountRemoval, ShardArchives } from "../../ports/maintenance.ts";
import type { MaintenanceServices } from "../../ports/services.ts";

/** The time for which isolates cache a valid key, plus an allowance for the difference between clocks. */
const keysKnownMs = 10_000;
const clockDifferenceMs = 5_000;
const documentsPerStep = 200;
const eventsPerStep = 500;

/**
 * Performs the next step for an account that is marked as deleted. Data is removed only after all requests with its keys have
 * ended and all their holds and file removals are settled, so that a running create cannot store anything afterwards.
 */
export async function removeAccount(services: MaintenanceServices, id: string): Promise<AccountRemoval> {
  const deletedAt = await services.accounts.deletedAt(id);
  // The row is removed last, so nothing else is left.
  if (deletedAt === null) return { status: "removed" };
  const nowMs = services.now();
  const until = deletedAt + Math.max(keysKnownMs + services.settings.leaseMs, shardKnownMs + clockDifferenceMs);
  if (nowMs < until) return { status: "waiting", until };
  for (const part of [testAccountId(id), id]) {
    await services.objects.stopBatches(part);
    await services.objects.repair(part, "AccountQuota");
    if ((await services.objects.unsettled(part)) > 0)
      return { status: "waiting", until: nowMs + services.settings.leaseMs };
    const archives = await services.shardOf(part);
    if (await removeDocuments(services, archives, part)) return { status: "removing" };
    if (await removeEvents(archives, part)) return { status: "removing" };
    await services.templates.removeAll(part);
    await services.objects.destroy(part);
  }
  await services.accounts.remove(id);
  services.log("info", { event: "account.removed", accountId: id });
  return { status: "removed" };
}

/** Removes some of the account's documents, each file before its row. Returns false when there are none. */
async function removeDocuments(
  { files }: MaintenanceServices,
  { documents }: ShardArchives,
  accountId: string,
): Promise<boolean> {
  const rows = await documents.ofAccount(accountId, documentsPerStep);
  if (rows.length === 0) return false;
  await files.remove(rows.map(({ fileKey }) => fileKey));
  await documents.remove(rows.map(({ id }) => id));
  return true;
}

async function removeEvents({ events }: ShardArchives, accountId: string): Promise<boolean> {
  const found = await events.ofAccount(accountId, "", eventsPerStep);
  if (found.length === 0) return false;
  await events.remove(found);
  return true;
}
