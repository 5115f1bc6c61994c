// Implements the limits on callers with the platform's rate-limit bindings. A binding counts approximately and per location,
// and every query of it counts. Each isolate remembers clients that failed too many times for a while, so that they are
// refused without looking up their credential.
import { agedSet } from "colophon-base/aged-cache";
import { withDeadline } from "colophon-base/deadline";
import { sha256Hex } from "colophon-base/encoding";
import type { Log } from "colophon-base/log";
import type { RateLimits } from "../../ports/accounts.ts";

/** The bindings, which `wrangler.toml` configures. */
export type RateLimitBindings = { failures: RateLimit; requests: RateLimit };

/** The platform responds from the machine's memory. A longer wait means that the binding does not work. */
const timeoutMs = 200;

/**
 * Clients that failed too many times. They are remembered for much less than the binding's period, because the binding
 * decides when a client may try again: afterwards, a single failure is enough for the next refusal.
 */
const refusedClients = agedSet({ maxEntries: 10_000, maxAgeMs: 10_000 });

/**
 * Digests of accepted credentials. Their callers are not refused when another caller with the same address fails too many
 * times.
 */
const acceptedCredentials = agedSet({ maxEntries: 10_000, maxAgeMs: 3_600_000 });

export function rateLimits({ failures, requests }: RateLimitBindings, log: Log): RateLimits {
  return {
    failures: {
      async refuses(client, credential) {
        if (!refusedClients.has(client)) return false;
        return !acceptedCredentials.has(await sha256Hex(credential));
      },
      async recordSuccess(credential) {
        acceptedCredentials.add(await sha256Hex(credential));
      },
      async recordFailure(client, credential) {
        acceptedCredentials.delete(await sha256Hex(credential));
        const isAllowed = await counted("FAILED_AUTHENTICATION_LIMIT", failures, client, log);
        if (!isAllowed) refusedClients.add(client);
        return isAllowed;
      },
    },
    requests: { recordRequest: (accountId) => counted("REQUEST_LIMIT", requests, accountId, log) },
  };
}

/**
 * Counts one event, and returns whether it is within the limit. Returns true if the binding fails or does not respond in time: the limits
 * only protect against floods, so a failing limit must not stop the service. The cause is not logged in full, because it may contain a
 * client's address.
 */
async function counted(name: string, binding: RateLimit, key: string, log: Log): Promise<boolean> {
  try {
    const { success } = await withDeadline(name, timeoutMs, binding.limit({ key }));
    return success;
  } catch (error) {
    const kind = error instanceof Error ? error.name : typeof error;
    log("warn", { event: "rate_limit.failed", binding: name, error: kind });
    return true;
  }
}
