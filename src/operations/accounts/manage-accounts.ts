// Accounts and their keys, made by the operator.
import { newApiKey } from "../../core/accounts/api-key.ts";
import { newWebhookSecret } from "../../core/webhooks/webhook-signature.ts";
import type { PlanName } from "../../core/accounts/plans.ts";
import type { AccountSummary } from "../../core/accounts/account.ts";
import type { AccountStore, WebhookSecretStore } from "../../ports.ts";

type AccountServices = { accounts: AccountStore; now(): number; newId(): string };

/** How long the secret before the newest stays valid: time for receivers to take the new one, ms. */
const rotationOverlapMs = 24 * 3_600_000;

export async function createAccount(services: AccountServices, name: string, plan: PlanName): Promise<AccountSummary> {
  const account = { id: services.newId(), name, plan };
  await services.accounts.insertAccount({
    ...account,
    createdAt: services.now(),
    webhookSecret: newWebhookSecret(),
  });
  return account;
}

/** `key` is the secret: it is returned here and nowhere kept. Null when there is no such account. */
export async function createKey(
  services: AccountServices,
  accountId: string,
  name: string,
): Promise<{ id: string; key: string } | null> {
  if (!(await services.accounts.findAccount(accountId))) return null;
  const { id, key, secretHash } = await newApiKey();
  await services.accounts.insertKey({ id, accountId, name, secretHash, createdAt: services.now() });
  return { id, key };
}

/** A new webhook secret; webhooks are signed with it and, for a day, with the one before. Returns those valid, newest first. */
export async function rotateWebhookSecret(
  services: { secrets: WebhookSecretStore; now(): number },
  accountId: string,
): Promise<string[]> {
  const nowMs = services.now();
  await services.secrets.rotate(accountId, newWebhookSecret(), { nowMs, overlapEnd: nowMs + rotationOverlapMs });
  return services.secrets.valid(accountId, nowMs);
}
