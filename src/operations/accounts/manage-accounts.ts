// Creates accounts and their keys, and rotates their webhook secrets, for the operator.
import { newApiKey } from "../../core/accounts/api-key.ts";
import { newWebhookSecret } from "../../core/webhooks/webhook-signature.ts";
import type { Region } from "../../core/region.ts";
import type { PlanName } from "../../core/accounts/plans.ts";
import type { AccountSummary } from "../../core/accounts/account.ts";
import type { AccountStore } from "../../ports/accounts.ts";
import type { WebhookSecretStore } from "../../ports/webhooks.ts";

type AccountServices = { accounts: AccountStore; now(): number; newId(): string };

/** The time for which the previous secret stays valid, so that receivers can switch to the new one. */
const rotationOverlapMs = 24 * 3_600_000;

export async function createAccount(
  services: AccountServices,
  name: string,
  plan: PlanName,
  region: Region | null = null,
): Promise<AccountSummary> {
  const account = { id: services.newId(), name, plan, region };
  await services.accounts.insertAccount({
    ...account,
    createdAt: services.now(),
    webhookSecret: newWebhookSecret(),
  });
  return { ...account, retentionDays: "plan" };
}

/** Creates a key and returns it in full; only a hash of its secret is stored. Null when there is no such account. */
export async function createKey(
  services: AccountServices,
  accountId: string,
  name: string,
): Promise<{ id: string; key: string } | null> {
  if (!(await services.accounts.findAccount(accountId))) return null;
  const { id, key, secretHash } = await newApiKey(await services.accounts.checksumSecret());
  await services.accounts.insertKey({ id, accountId, name, secretHash, createdAt: services.now() });
  return { id, key };
}

/**
 * Creates a new webhook secret, and returns the valid secrets, newest first. For a day, webhooks are signed with the
 * previous secret too.
 */
export async function rotateWebhookSecret(
  services: { secrets: WebhookSecretStore; now(): number },
  accountId: string,
): Promise<string[]> {
  const nowMs = services.now();
  await services.secrets.rotate(accountId, newWebhookSecret(), { nowMs, overlapEnd: nowMs + rotationOverlapMs });
  return services.secrets.valid(accountId, nowMs);
}
