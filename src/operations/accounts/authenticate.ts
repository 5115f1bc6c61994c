// Finds the account of an API key and checks that the account's plan includes API access.
import { bearerToken } from "../../core/accounts/bearer-token.ts";
import { parseApiKey } from "../../core/accounts/api-key.ts";
import { apiAccessDenied, invalidApiKey } from "../../core/errors.ts";
import type { Account } from "../../core/accounts/account.ts";
import type { Services } from "../../ports/services.ts";

/** Returns the account whose key is in the `Authorization` header. Throws INVALID_API_KEY or API_ACCESS_DENIED. */
export async function authenticate(services: Services, authorization: string | undefined): Promise<Account> {
  const token = bearerToken(authorization);
  const key = token === null ? null : parseApiKey(token);
  const account = key && (await services.keys.findAccount(key));
  if (!account) throw invalidApiKey();
  if (!account.plan.apiAccess) throw apiAccessDenied();
  return account;
}
