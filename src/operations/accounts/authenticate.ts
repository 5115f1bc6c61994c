// Finds the account of an API key and checks that the account's plan includes API access.
import { parseApiKey, secretMatches } from "../../core/accounts/api-key.ts";
import { apiAccessDenied, invalidApiKey } from "../../core/errors.ts";
import type { Account } from "../../core/accounts/account.ts";
import type { Services } from "../../ports/services.ts";

/** Returns the account whose key is in the `Authorization` header. Throws INVALID_API_KEY or API_ACCESS_DENIED. */
export async function authenticate(services: Services, authorization: string | undefined): Promise<Account> {
  const token = /^Bearer +([!-~]+) *$/i.exec(authorization ?? "")?.[1];
  const key = token === undefined ? null : parseApiKey(token);
  const known = key && (await services.keys.find(key.id));
  if (!known || !(await secretMatches(key.secret, known.secretHash))) throw invalidApiKey();
  if (!known.account.plan.apiAccess) throw apiAccessDenied();
  return known.account;
}
