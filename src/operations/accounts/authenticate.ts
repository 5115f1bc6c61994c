// Finds the account of an API key and checks that the account's plan includes API access.
import { bearerToken } from "../../core/accounts/bearer-token.ts";
import { parseApiKey } from "../../core/accounts/api-key.ts";
import { apiAccessDenied, invalidApiKey } from "../../core/errors.ts";
import type { Account } from "../../core/accounts/account.ts";
import type { Services } from "../../ports/services.ts";
import { limitAttempts, type Attempt } from "./limit-attempts.ts";

/**
 * Returns the account whose key is in the `Authorization` header. Throws INVALID_API_KEY, API_ACCESS_DENIED or
 * TOO_MANY_REQUESTS.
 */
export async function authenticate(services: Services, attempt: Attempt): Promise<Account> {
  const account = await limitAttempts(services, attempt, () => findAccount(services, attempt.authorization));
  if (!account) throw invalidApiKey();
  if (!account.plan.apiAccess) throw apiAccessDenied();
  return account;
}

async function findAccount({ keys }: Services, authorization: string | undefined): Promise<Account | null> {
  const token = bearerToken(authorization);
  const key = token === null ? null : parseApiKey(token);
  return key && keys.findAccount(key);
}
