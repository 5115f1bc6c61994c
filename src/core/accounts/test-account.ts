// What test keys create is kept apart from the live documents by a second account id: lists, counts, the quota and webhooks of one
// never see the other's. Templates, webhook secrets and the region are shared with the live account.
import type { Account } from "./account.ts";

const suffix = "-test";

/** Test renders per UTC day. */
const dailyRenders = 100;

/** Returns the account that a test key acts for. Its documents are removed after a day. */
export function testAccountOf({ id, name, plan }: Account): Account {
  return { id: testAccountId(id), name, plan: { ...plan, monthlyRenders: dailyRenders }, retentionDays: 1 };
}

export function testAccountId(accountId: string): string {
  return accountId + suffix;
}

export function isTestAccountId(accountId: string): boolean {
  return accountId.endsWith(suffix);
}

/** Returns the id of the account that has the templates and secrets. */
export function liveAccountId(accountId: string): string {
  return isTestAccountId(accountId) ? accountId.slice(0, -suffix.length) : accountId;
}
