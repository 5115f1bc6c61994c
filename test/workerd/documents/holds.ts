// Helpers for tests of how an account's quota object settles holds. They reserve the holds directly, without HTTP.
import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import type { Hold, Reservation, ReserveRequest } from "../../../src/core/accounts/quota.ts";
import type { DocumentDraft } from "../../../src/core/documents/document.ts";
import type { AccountQuota } from "../../../src/objects/account-quota.ts";
import { documentDraft } from "../../fixtures/documents.ts";
import { newTenant, type Tenant } from "../../fixtures/tenant.ts";
import { quotaOf } from "../app.ts";

export type QuotaStub = DurableObjectStub<AccountQuota>;

export const month = "2026-11";

export function holdOf(
  { accountId, templateId }: Pick<Tenant, "accountId" | "templateId">,
  draft: Partial<DocumentDraft> = {},
  leaseMs = 60_000,
): Hold {
  const cdnUrl = "https://files.test/files";
  return { leaseMs, webhookUrl: null, cdnUrl, draft: documentDraft({ accountId, templateId, month, ...draft }) };
}

/** Reserves the hold. It allows 1,000 renders in flight unless `rest` sets a different limit. */
export function reserve(
  quota: QuotaStub,
  hold: Hold,
  limit: number,
  rest: Partial<ReserveRequest> = {},
): Promise<Reservation> {
  const request = { hold, limit, inFlightLimit: 1_000, idempotency: null, timeoutMs: 25_000, ...rest };
  return quota.reserve(JSON.stringify(request));
}

/** Creates a tenant with one hold. */
export async function tenantWithHold({ leaseMs = 60_000, webhookUrl = null as string | null } = {}) {
  const tenant = await newTenant(env);
  const hold = { ...holdOf(tenant, {}, leaseMs), webhookUrl };
  const quota = quotaOf(tenant);
  await reserve(quota, hold, 5);
  return { tenant, quota, hold };
}

/** Sets the end of every lease and the due time of every delete to `agoMs` before now, and runs the alarm. */
export async function expireAndSettle(account: Pick<Tenant, "accountId">, agoMs = 1): Promise<void> {
  const quota = quotaOf(account);
  await runInDurableObject(quota, (_, { storage }) => {
    storage.sql.exec("UPDATE holds SET lease_end = ?", Date.now() - agoMs);
    storage.sql.exec("UPDATE deletions SET due = ?", Date.now() - agoMs);
  });
  await runDurableObjectAlarm(quota);
}

export function alarmOf(quota: QuotaStub): Promise<number | null> {
  return runInDurableObject(quota, (_, { storage }) => storage.getAlarm());
}
