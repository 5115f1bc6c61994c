// Checks all parts that the service depends on, for the operator.
import { hasSecret } from "../core/accounts/api-key.ts";
import { invalidHealthSecret } from "../core/errors.ts";
import type { HealthParts, Services } from "../ports/services.ts";
import { limitAttempts, type Attempt } from "./accounts/authenticate.ts";

export type PartName = keyof HealthParts;

/** The state of one part. `version` is the version of the Worker, the pool or the browser. Causes of failures are only logged. */
export type PartHealth = { status: "ok"; version?: string } | { status: "failed" };

/**
 * Checks all parts at the same time and returns the state of each. Throws INVALID_HEALTH_SECRET before any check if the
 * attempt does not contain the secret, and TOO_MANY_REQUESTS after too many such attempts.
 */
export async function checkParts(
  services: Pick<Services, "health" | "settings" | "log" | "rateLimits">,
  attempt: Attempt,
): Promise<Record<PartName, PartHealth>> {
  const { healthSecret } = services.settings;
  const isAllowed = await limitAttempts(services, attempt, () => hasSecret(healthSecret, attempt.authorization));
  if (!isAllowed) throw invalidHealthSecret();
  const parts = Object.keys(services.health.parts) as PartName[];
  const checked = parts.map(async (part) => [part, await partHealth(services, part)] as const);
  return Object.fromEntries(await Promise.all(checked)) as Record<PartName, PartHealth>;
}

async function partHealth({ health, log }: Pick<Services, "health" | "log">, part: PartName): Promise<PartHealth> {
  try {
    const version = await health.parts[part]();
    return version === undefined ? { status: "ok" } : { status: "ok", version };
  } catch (cause) {
    log("error", { event: "health.part_failed", part, cause });
    return { status: "failed" };
  }
}
