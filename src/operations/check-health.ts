// Checks all parts that the service depends on, for the operator.
import { hasSecret } from "../core/accounts/api-key.ts";
import { invalidHealthSecret } from "../core/errors.ts";
import type { Services } from "../ports/services.ts";
import { limitAttempts, type Attempt } from "./accounts/authenticate.ts";

/** The state of one part. `version` is the version of the Worker, the pool or the browser. Causes of failures are only logged. */
type PartHealth = { status: "ok"; version?: string } | { status: "failed" };

/**
 * Checks all parts at the same time and returns the state of each. Throws INVALID_HEALTH_SECRET before any check if the
 * attempt does not contain the secret, and TOO_MANY_REQUESTS after too many such attempts.
 */
export async function checkParts(services: Services, attempt: Attempt): Promise<Record<string, PartHealth>> {
  const { healthSecret } = services.settings;
  const isAllowed = await limitAttempts(services, attempt, () => hasSecret(healthSecret, attempt.authorization));
  if (!isAllowed) throw invalidHealthSecret();
  const checked = Object.entries(services.health.parts).map(async ([part, check]): Promise<[string, PartHealth]> => {
    try {
      const version = await check();
      return [part, version === undefined ? { status: "ok" } : { status: "ok", version }];
    } catch (cause) {
      services.log("error", { event: "health.part_failed", part, cause });
      return [part, { status: "failed" }];
    }
  });
  return Object.fromEntries(await Promise.all(checked));
}
