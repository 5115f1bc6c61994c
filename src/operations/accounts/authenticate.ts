// Finds the account of an API key, or recognises the operator's key, and checks that the account's plan includes API access. Refuses
// callers that fail to authenticate too many times, or send too many requests.
import type { Account, Caller } from "../../core/accounts/account.ts";
import { bearerToken, hasSecret, parseApiKey } from "../../core/accounts/api-key.ts";
import { tooManyRequests, apiAccessDenied, invalidApiKey } from "../../core/errors.ts";
import type { FoundCaller } from "../../ports/accounts.ts";
import type { Services } from "../../ports/services.ts";

/** Only failed attempts count, so a caller with a valid credential is never refused because of its own requests. */
export type Attempt = {
  /** The header `Authorization`. A request without it does not try a key, so it does not count as an attempt. */
  authorization: string | undefined;
  /** See `core/accounts/client.ts`. Null if the client is unknown; its attempts are then not counted. */
  client: string | null;
};

/** A refused caller may try again after the binding's period, in seconds. `wrangler.toml` sets the same numbers. */
export const failurePeriodSeconds = 60;
export const requestPeriodSeconds = 10;

/**
 * Returns the caller whose key is in the `Authorization` header. Throws INVALID_API_KEY, API_ACCESS_DENIED or
 * TOO_MANY_REQUESTS. If `isFresh`, a key that has just been revoked is refused immediately.
 */
export async function authenticate(services: Services, attempt: Attempt, { isFresh = false } = {}): Promise<Caller> {
  let refused: Exclude<FoundCaller["status"], "valid"> | undefined;
  const caller = await limitAttempts(services, attempt, async () => {
    const key = parseApiKey(bearerToken(attempt.authorization) ?? "");
    const found = key && (await services.keys.findCaller(key, services.now(), { isFresh }));
    if (found?.status === "valid") return found.caller;
    refused = found?.status;
    return null;
  });
  if (!caller) throw invalidApiKey(refused);
  if (!caller.account.plan.apiAccess) throw apiAccessDenied();
  services.background("record the use of a key", services.keys.recordUse(caller.key.id, services.now()));
  return caller;
}

/**
 * Throws INVALID_API_KEY or TOO_MANY_REQUESTS unless the header contains the operator's key. If no operator's key is set,
 * refuses every attempt.
 */
export async function authenticateOperator(services: Services, attempt: Attempt): Promise<void> {
  const { operatorKey } = services.settings;
  const isOperator = await limitAttempts(services, attempt, () => hasSecret(operatorKey, attempt.authorization));
  if (!isOperator) throw invalidApiKey();
}

/**
 * Returns the result of `authenticate`, which is null if the attempt fails. Throws TOO_MANY_REQUESTS if the client has
 * failed too many times; then `authenticate` is called only for the attempt that exceeds the limit.
 */
export async function limitAttempts<T>(
  { rateLimits, log }: Pick<Services, "rateLimits" | "log">,
  { authorization, client }: Attempt,
  authenticate: () => Promise<T | null>,
): Promise<T | null> {
  if (!rateLimits || authorization === undefined || client === null) return authenticate();
  const { failures } = rateLimits;
  if (await failures.refuses(client, authorization)) throw tooManyFailures();
  const result = await authenticate();
  if (result !== null) {
    await failures.recordSuccess(authorization);
    return result;
  }
  if (await failures.recordFailure(client, authorization)) return null;
  log("warn", { event: "authentication.client_refused" });
  throw tooManyFailures();
}

/** Counts a request of the account. Throws TOO_MANY_REQUESTS if it has sent too many. */
export async function limitRequests({ rateLimits }: Pick<Services, "rateLimits">, account: Account): Promise<void> {
  if (!rateLimits || (await rateLimits.requests.recordRequest(account.id))) return;
  throw tooManyRequests("The account is sending too many requests.", requestPeriodSeconds);
}

function tooManyFailures() {
  return tooManyRequests("Too many authentication attempts have failed.", failurePeriodSeconds);
}
