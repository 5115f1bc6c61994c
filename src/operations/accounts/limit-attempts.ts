// Refuses callers that fail to authenticate too often, or that send too many requests.
import type { Account } from "../../core/accounts/account.ts";
import { tooManyRequests } from "../../core/errors.ts";
import type { Services } from "../../ports/services.ts";

/** Only failed attempts count, so a caller with a valid credential is never refused for what it sends itself. */
export type Attempt = {
  /** The header `Authorization`. A request without it guesses nothing, so it does not count as an attempt. */
  authorization: string | undefined;
  /** See `core/accounts/client.ts`. Null if the client is unknown; its attempts do not count then. */
  client: string | null;
};

/** A refused caller may try again after the period of the binding, in seconds. `wrangler.toml` has the same numbers. */
export const failurePeriodSeconds = 60;
export const requestPeriodSeconds = 10;

/**
 * Returns the result of `authenticate`, which is null if the attempt fails. Throws TOO_MANY_REQUESTS if the client has
 * failed too often. In that case `authenticate` is not called, except by the attempt that exceeds the limit.
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
  throw tooManyRequests("The account sends too many requests.", requestPeriodSeconds);
}

function tooManyFailures() {
  return tooManyRequests("Too many attempts to authenticate have failed.", failurePeriodSeconds);
}
