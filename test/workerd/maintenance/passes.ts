// Runs repair passes, and drops data that a crash of the platform can lose.
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { passStart, type Repair, type RepairPosition } from "../../../src/core/maintenance/repair.ts";
import { repairBatch } from "../../../src/operations/maintenance/repair.ts";
import type { MaintenanceServices } from "../../../src/ports/services.ts";
import { maintenanceServices } from "../../../src/services/maintenance-services.ts";
import type { Tenant } from "../../fixtures/tenant.ts";
import { quotaOf } from "../app.ts";

export type Pass = { repairs: Repair[]; refused: Repair[] };

/** Files are skipped until they are older than two leases and a minute. */
export const laterMs = 600_000;

/** Returns the services of the scheduled run, with a clock that is ten minutes ahead. */
export function laterServices(change: Partial<MaintenanceServices> = {}): MaintenanceServices {
  return { ...maintenanceServices(env), now: () => Date.now() + laterMs, log: () => {}, ...change };
}

export async function runPass(
  services: MaintenanceServices,
  { isForced = false, from = passStart() } = {},
): Promise<Pass> {
  const pass: Pass = { repairs: [], refused: [] };
  for (let position: RepairPosition | null = from; position;) {
    const batch = await repairBatch(services, position, { isForced });
    pass.repairs.push(...batch.repairs);
    pass.refused.push(...batch.refused);
    position = batch.next;
  }
  return pass;
}

/** Repairs everything that earlier tests have left, however much it is. */
export async function repairEverything(): Promise<void> {
  await runPass(laterServices(), { isForced: true });
}

/**
 * Ends all leases of the account's quota, and drops its alarm, as the platform does after an alarm has failed too many times.
 */
export async function loseAlarm(tenant: Pick<Tenant, "accountId">): Promise<void> {
  await runInDurableObject(quotaOf(tenant), async (_, { storage }) => {
    const tables = storage.sql
      .exec<{ n: number }>("SELECT count(*) AS n FROM sqlite_master WHERE name = 'holds'")
      .one();
    if (tables.n > 0) {
      storage.sql.exec("UPDATE holds SET lease_end = ?", Date.now() - 1);
      storage.sql.exec("UPDATE deletions SET due = ?", Date.now() - 1);
    }
    await storage.deleteAlarm();
  });
}
