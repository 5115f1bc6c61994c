// Accounts and their keys, made by the operator.
import { newApiKey } from "../core/api-key.ts";
import type { PlanName } from "../core/plans.ts";
import type { AccountRow, AccountStore } from "../ports.ts";

type AccountServices = { accounts: AccountStore; now(): number; newId(): string };

export async function createAccount(services: AccountServices, name: string, plan: PlanName): Promise<AccountRow> {
  const account = { id: services.newId(), name, plan };
  await services.accounts.insertAccount({ ...account, createdAt: services.now() });
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
