// Finds the account of an API key, or recognises the operator's key, and checks that the account's plan includes API access.
import { bearerToken, hasSecret, parseApiKey } from "../../core/accounts/api-key.ts";
import { apiAccessDenied, invalidApiKey } from "../../core/errors.ts";
import type { Caller } from "../../core/accounts/account.ts";
import type { Services } from "../../ports/services.ts";
import { limitAttempts, type Attempt } from "./limit-attempts.ts";

/**
 * Returns the caller whose key is in the `Authorization` header. Throws INVALID_API_KEY, API_ACCESS_DENIED or
 * TOO_MANY_REQUESTS. If `isFresh`, a key that has just been revoked is refused at once.
 */
export async function authenticate(services: Services, attempt: Attempt, isFresh = false): Promise<Caller> {
  let ended: "expired" | "revoked" | undefined;
  const caller = await limitAttempts(services, attempt, async () => {
    const found = await findCaller(services, attempt.authorization, isFresh);
    if (typeof found !== "string") return found;
    ended = found;
    return null;
  });
  if (!caller) throw invalidApiKey(ended);
  if (!caller.account.plan.apiAccess) throw apiAccessDenied();
  services.background("record the use of a key", services.keys.recordUse(caller.key.id, services.now()));
  return caller;
}

async function findCaller(
  { keys, now }: Services,
  authorization: string | undefined,
  isFresh: boolean,
): Promise<Caller | "expired" | "revoked" | null> {
  const token = bearerToken(authorization);
  const key = token === null ? null : parseApiKey(token);
  return key && keys.findCaller(key, now(), isFresh);
}

/** Throws INVALID_API_KEY or TOO_MANY_REQUESTS unless the header has the operator's key. Without one, nobody is the operator. */
export async function authenticateOperator(services: Services, attempt: Attempt): Promise<void> {
  const { operatorKey } = services.settings;
  const isOperator = await limitAttempts(services, attempt, () => hasSecret(operatorKey, attempt.authorization));
  if (!isOperator) throw invalidApiKey();
}
