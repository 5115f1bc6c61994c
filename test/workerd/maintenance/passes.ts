// Runs repair passes, and loses what a crash of the platform can lose.
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { passStart, type Repair, type RepairPosition } from "../../../src/core/maintenance/repair.ts";
import { repairBatch } from "../../../src/operations/maintenance/repair.ts";
import type { MaintenanceServices } from "../../../src/ports/services.ts";
import { maintenanceServices } from "../../../src/services/maintenance-services.ts";
import type { Tenant } from "../../fixtures/tenant.ts";
import { quotaOf } from "../app.ts";

export type Pass = { repairs: Repair[]; refused: Repair[] };

/** Files are left alone until they are older than two leases and a minute. */
export const laterMs = 600_000;

/** Returns the services of the scheduled run, with a clock that is ten minutes ahead. */
export function laterServices(change: Partial<MaintenanceServices> = {}): MaintenanceServices {
  return { ...maintenanceServices(env), now: () => Date.now() + laterMs, log: () => {}, ...change };
}

export async function runPass(
  services: MaintenanceServices,
  { isDryRun = false, isForced = false, from = passStart() } = {},
): Promise<Pass> {
  const pass: Pass = { repairs: [], refused: [] };
  for (let position: RepairPosition | null = from; position;) {
    const batch = await repairBatch(services, position, { isDryRun, isForced });
    pass.repairs.push(...batch.repairs);
    pass.refused.push(...batch.refused);
    position = batch.next;
  }
  return pass;
}

/** Repairs everything that is left from earlier tests, however much it is. */
export async function repairEverything(): Promise<void> {
  await runPass(laterServices(), { isForced: true });
}

/** Returns the kinds of repairs that a dry run finds. */
export async function kindsFound(services = laterServices()): Promise<string[]> {
  const { repairs } = await runPass(services, { isDryRun: true });
  return repairs.map(({ kind }) => kind).toSorted();
}

/** Ends all leases of the account's quota, and drops its alarm, as the platform does with an alarm that failed too often. */
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

/** Returns everything that is stored, to compare it before and after a dry run. */
export async function storedState(tenant: Pick<Tenant, "accountId">): Promise<object> {
  const ofDocuments = ["documents", "document_counts", "deleted_documents"];
  const tables = ["accounts", "api_keys", ...ofDocuments, "webhook_events"];
  const rows = await env.DB.batch([
    ...tables.map((table) => env.DB.prepare(`SELECT * FROM ${table} ORDER BY 1, 2`)),
    env.DB.prepare("SELECT * FROM repair_passes"),
  ]);
  const files = await env.FILES.list();
  return {
    rows: rows.map(({ results }) => results),
    files: files.objects.map(({ key }) => key),
    quota: await runInDurableObject(quotaOf(tenant), async (_, { storage }) => {
      const created = storage.sql
        .exec<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB '_cf*'")
        .toArray();
      const contents = created.map(({ name }) => [name, storage.sql.exec(`SELECT * FROM ${name}`).toArray()]);
      return { contents, alarm: await storage.getAlarm() };
    }),
  };
}
