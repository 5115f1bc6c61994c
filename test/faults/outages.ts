// Bindings that are down while a test says so. During an outage every call fails: immediately, by never settling, or after it
// has taken effect, alternating.
import { databasesOf } from "../fixtures/databases.ts";
import { faulty, faultyD1, type Fault, type FaultSource } from "./fault-injection.ts";

/** `shard` is shard 1. */
export type Outage = "D1" | "R2" | "queue" | "shard";

/** The origin of the webhook receiver, which tests reach by replacing `fetch`. */
export const receiverOrigin = "http://127.0.0.1:2";

const down = new Set<Outage>();

export function beginOutage(outage: Outage): void {
  down.add(outage);
}

export function endOutages(): void {
  down.clear();
}

/** The time limit of a create during an outage, in ms; otherwise null, for the real limit. */
export function budgetMs(): number | null {
  if (down.has("shard")) return 3_000; // The accounts in other shards are not to miss it.
  return down.size > 0 ? 300 : null;
}

/** The time limit of a call in ms: the real one, unless there is an outage, whose hanging calls would slow down tests. */
export function callTimeoutMs(): number {
  if (down.has("shard")) return 500;
  return down.size > 0 ? 30 : 5_000;
}

/** Returns the bindings, in which every call fails during an outage of its part. */
export function withOutages(env: Env): Env {
  const [d1, r2, queue, shard] = [outageOf("D1"), outageOf("R2"), outageOf("queue"), outageOf("shard")];
  const withD1 = (database: D1Database) => faultyD1(d1, null, database);
  const bucketMethods = ["put", "head", "get", "delete", "list"];
  return {
    ...env,
    ...databasesOf(env, (database, number) => withD1(number === 1 ? faultyD1(shard, null, database) : database)),
    FILES: faulty(r2, null, env.FILES, "FILES", bucketMethods),
    PRIVATE_FILES: faulty(r2, null, env.PRIVATE_FILES, "PRIVATE_FILES", bucketMethods),
    TEMPLATES: faulty(r2, null, env.TEMPLATES, "TEMPLATES", bucketMethods),
    WEBHOOKS: faulty(queue, null, env.WEBHOOKS, "WEBHOOKS", ["send"]),
  };
}

const kinds: Fault[] = ["before", "hang", "before", "after"];

function outageOf(outage: Outage): FaultSource {
  let calls = 0;
  return {
    random: () => 0,
    get rate() {
      return down.has(outage) ? 1 : 0;
    },
    pick: <T>(options: readonly T[]) => {
      const kind = kinds[calls++ % kinds.length];
      return options.find((option) => option === kind) ?? (options[0] as T);
    },
  };
}
