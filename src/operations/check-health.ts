// Checks whether the service can work: only its database for everyone, or all parts that it depends on for the operator.
import { secretMatches } from "../core/accounts/api-key.ts";
import { bearerToken } from "../core/accounts/bearer-token.ts";
import { sha256Hex } from "../core/encoding.ts";
import { invalidHealthSecret } from "../core/errors.ts";
import type { HealthParts } from "../ports/health.ts";
import type { Services } from "../ports/services.ts";

export type PartName = keyof HealthParts;

/** The state of one part. `version` is present only for a browser that responds. Causes of failures are only logged. */
export type PartHealth = { status: "ok"; version?: string } | { status: "failed" };

/** Rejects when the database does not respond. */
export function checkHealth({ health }: Pick<Services, "health">): Promise<void> {
  return health.check();
}

/**
 * Checks all parts at the same time and returns the state of each. `authorization` is the header of the request. Throws
 * INVALID_HEALTH_SECRET before any check if it does not contain the secret.
 */
export async function checkParts(
  services: Pick<Services, "health" | "settings" | "log">,
  authorization: string | undefined,
): Promise<Record<PartName, PartHealth>> {
  await requireSecret(services.settings.healthSecret, authorization);
  const check = (part: PartName) => partHealth(services, part);
  const [database, files, templates, webhookQueue, browser] = await Promise.all([
    check("database"),
    check("files"),
    check("templates"),
    check("webhookQueue"),
    check("browser"),
  ]);
  return { database, files, templates, webhookQueue, browser };
}

async function requireSecret(secret: string | null, authorization: string | undefined): Promise<void> {
  const token = bearerToken(authorization);
  const isAllowed = secret !== null && token !== null && (await secretMatches(token, await sha256Hex(secret)));
  if (!isAllowed) throw invalidHealthSecret();
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
