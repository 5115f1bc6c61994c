// Does work in every shard. A shard that is down, or slow, does not stop the others.
import pMap from "p-map";
import type { MaintenanceServices, ShardServices } from "../../ports/services.ts";

/** The platform opens six connections at a time, which the work in these shards shares. */
export const shardsAtOnce = 3;

/**
 * Does the work in each shard. Returns the failures by the numbers of their shards. Each minute, a different shard comes first, because a
 * run may reach its limits before the last shard.
 */
export async function inShards(
  services: MaintenanceServices,
  work: (services: ShardServices) => Promise<void>,
): Promise<Map<number, unknown>> {
  const { shards, now } = services;
  const first = Math.floor(now() / 60_000) % shards.length;
  const failures = new Map<number, unknown>();
  const workIn = async (shard: (typeof shards)[number]) =>
    work({ ...services, ...shard }).catch((cause: unknown) => void failures.set(shard.number, cause));
  await pMap([...shards.slice(first), ...shards.slice(0, first)], workIn, { concurrency: shardsAtOnce });
  return failures;
}
