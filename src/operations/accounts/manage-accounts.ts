// Creates and changes accounts and their keys, and rotates their webhook secrets.
import { dayMs } from "colophon-base/calendar-day";
import {
  accountOn,
  type Account,
  type AccountSummary,
  type ApiKey,
  type KeyRights,
  liveAccountId,
  testAccountOf,
} from "../../core/accounts/account.ts";
import { newApiKey } from "../../core/accounts/api-key.ts";
import { chooseShard } from "../../core/accounts/placement.ts";
import type { PlanName } from "../../core/accounts/plans.ts";
import { includesScope, scopes as allScopes, type Scope } from "../../core/accounts/scopes.ts";
import { accountNotFound, keyNotFound, validationError } from "../../core/errors.ts";
import type { Region } from "../../core/region.ts";
import { newWebhookSecret } from "../../core/webhooks/webhook-signature.ts";
import type { AccountChange, AccountStore, AuditEvent } from "../../ports/accounts.ts";
import type { WebhookSecretStore } from "../../ports/webhooks.ts";

type Clock = { now(): number; newId(): string };
type AccountServices = Clock & { accounts: AccountStore };

/** The actor of the operator's changes. */
export const operator = "operator";

/** The time for which the previous secret stays valid, so that receivers can switch to the new one. */
const rotationOverlapMs = dayMs;

/** Returns the audit event of a change that happens now. */
export function auditEvent({ now, newId }: Clock, event: Omit<AuditEvent, "id" | "createdAt">): AuditEvent {
  return { id: newId(), createdAt: now(), ...event };
}

/** By default, the service chooses the shard. */
type NewAccount = Omit<AccountChange, "plan"> & {
  name: string;
  plan: PlanName;
  region?: Region | null | undefined;
  shard?: number | undefined;
};

export async function createAccount(
  services: AccountServices,
  { name, plan, region = null, monthlyRenders = null, retentionDays = "plan", ...input }: NewAccount,
): Promise<AccountSummary> {
  const { access = "public", recordDownloads = false } = input;
  const shard = await placeAccount(services.accounts, region, input.shard);
  const id = services.newId();
  const audit = auditEvent(services, { accountId: id, actor: operator, action: "account.created", subject: id });
  const settings = { monthlyRenders, retentionDays, access, recordDownloads };
  const account = { id, name, plan, region, shard, ...settings, createdAt: audit.createdAt };
  await services.accounts.insertAccount({ ...account, webhookSecret: newWebhookSecret() }, audit);
  return account;
}

/** Returns the shard for a new account. Throws VALIDATION_ERROR if there is no shard with the wanted number. */
export async function placeAccount(
  accounts: Pick<AccountStore, "shards">,
  region: Region | null,
  wanted?: number,
): Promise<number> {
  const shards = await accounts.shards();
  if (wanted === undefined) return chooseShard(shards, region);
  const numbers = shards.map(({ number }) => number);
  if (numbers.includes(wanted)) return wanted;
  throw validationError([{ path: "shard", message: `\`shard\` must be one of ${numbers.join(", ")}.` }]);
}

/** Returns an account with the limits of its requests. The id may also belong to its test documents. Throws ACCOUNT_NOT_FOUND. */
export async function findAnyAccount({ accounts }: { accounts: AccountStore }, id: string): Promise<Account> {
  const liveId = liveAccountId(id);
  const [found, plans] = await Promise.all([accounts.findAccount(liveId), accounts.listPlans()]);
  const plan = plans.find(({ name }) => name === found?.plan);
  if (!found || !plan) throw accountNotFound();
  const account = accountOn(plan, found);
  return id === liveId ? account : testAccountOf(account);
}

/**
 * Changes the given properties. Writes only those that differ, so that each change of the access has an event even if two requests
 * arrive at the same time. Throws ACCOUNT_NOT_FOUND.
 */
export async function updateAccount(
  services: AccountServices,
  id: string,
  change: AccountChange,
  actor = operator,
): Promise<AccountSummary> {
  const existing = await services.accounts.findAccount(id);
  if (!existing) throw accountNotFound();
  const changed = differences(existing, change);
  const { access, ...others } = changed;
  const actions = access === undefined ? [] : [`account.made_${access}`];
  if (Object.keys(others).length > 0) actions.push("account.updated");
  if (actions.length === 0) return existing;
  const audits = actions.map((action) => auditEvent(services, { accountId: id, actor, action, subject: id }));
  const updated = await services.accounts.updateAccount(id, changed, audits);
  if (!updated) throw accountNotFound();
  return updated;
}

function differences(existing: AccountSummary, change: AccountChange): AccountChange {
  const changed = { ...change };
  for (const name of Object.keys(change) as (keyof AccountChange)[])
    if (change[name] === undefined || change[name] === existing[name]) delete changed[name];
  return changed;
}

export type KeyInput = {
  name: string;
  /** The default is the scopes of the creating key, or all scopes. */
  scopes?: Scope[] | undefined;
  expiresAt?: number | null | undefined;
  isTest?: boolean | undefined;
};

/**
 * Creates a key and returns it in full; only a hash of its secret is stored. Returns null if there is no such account. `by` is the
 * creating key, or null for the operator. Throws VALIDATION_ERROR if that key has fewer rights.
 */
export async function createKey(
  services: AccountServices,
  accountId: string,
  { name, expiresAt = null, isTest = false, ...input }: KeyInput,
  by: KeyRights | null = null,
): Promise<{ key: string; created: ApiKey } | null> {
  const scopes = [...new Set(input.scopes ?? by?.scopes ?? allScopes)];
  const lacking = scopes.filter((scope) => by && !includesScope(by.scopes, scope));
  if (lacking.length > 0) {
    const message = `A key can only give scopes that it has itself; this key lacks ${lacking.join(", ")}.`;
    throw validationError([{ path: "scopes", message }]);
  }
  if (by && by.expiresAt !== null && (expiresAt === null || expiresAt > by.expiresAt)) {
    const end = new Date(by.expiresAt).toISOString();
    const message = `\`expiresAt\` is required and must not be later than ${end}, when the creating key expires.`;
    throw validationError([{ path: "expiresAt", message }]);
  }
  if (!(await services.accounts.findAccount(accountId))) return null;
  const { id, key, secretHash } = await newApiKey(await services.accounts.checksumSecret(), { isTest });
  const actor = by?.id ?? operator;
  const audit = auditEvent(services, { accountId, actor, action: "key.created", subject: id });
  const rights = { id, name, scopes, expiresAt, isTest, createdAt: audit.createdAt };
  await services.accounts.insertKey({ ...rights, accountId, secretHash }, audit);
  return { key, created: { ...rights, revokedAt: null, lastUsedAt: null } };
}

/** Throws KEY_NOT_FOUND. A key that is already revoked does not change. */
export async function revokeKey(
  services: AccountServices,
  { id: accountId }: Pick<Account, "id">,
  id: string,
  actor = operator,
): Promise<void> {
  const key = await services.accounts.findKey(accountId, id);
  if (!key) throw keyNotFound();
  if (key.revokedAt !== null) return;
  const audit = auditEvent(services, { accountId, actor, action: "key.revoked", subject: id });
  await services.accounts.revokeKey(accountId, id, audit);
}

/**
 * Creates a new webhook secret, and returns the valid secrets, newest first. For a day, webhooks are also signed with
 * the previous secret.
 */
export async function rotateWebhookSecret(
  services: Clock & { secrets: WebhookSecretStore },
  accountId: string,
  actor = operator,
): Promise<string[]> {
  const audit = auditEvent(services, { accountId, actor, action: "webhook_secret.rotated", subject: accountId });
  const nowMs = audit.createdAt;
  await services.secrets.rotate(accountId, newWebhookSecret(), nowMs + rotationOverlapMs, audit);
  return services.secrets.valid(accountId, nowMs);
}
