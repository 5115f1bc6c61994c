// Checks the parts of the platform that the service depends on. Nothing is written, except that a browser is started if
// none is open.
import { withDeadline } from "colophon-base/deadline";
import type { Region } from "../core/region.ts";
import type { HealthParts } from "../ports/services.ts";
import type { D1Client } from "./d1/d1-client.ts";
import type { Databases } from "./d1/databases.ts";
import type { ObjectNamespace } from "./object-client.ts";
import type { PoolPlan } from "./rendering/pool-choice.ts";
import { firstPool, type PoolObject } from "./rendering/pool-client.ts";

export type CheckedParts = {
  databases: Pick<Databases, "shards">;
  files: R2Bucket;
  privateFiles: R2Bucket;
  templates: R2Bucket;
  webhookQueue: Queue;
  version: Pick<WorkerVersionMetadata, "id">;
  browserPools: ObjectNamespace<PoolObject>;
  poolPlan: PoolPlan;
  /** The region of the request. The check calls a pool of that region. */
  region: Region;
};

const timeoutMs = 5_000;
/** The platform takes 2 to 4 seconds to start a browser. */
const browserTimeoutMs = 10_000;

/** No file has this key: file keys are longer, and keys of template contents contain slashes. */
const missingKey = "health-check";

export function healthChecks({
  databases,
  files,
  privateFiles,
  templates,
  webhookQueue,
  version,
  ...pools
}: CheckedParts): {
  parts: HealthParts;
} {
  const pool = () => firstPool(pools.browserPools, pools.poolPlan, pools.region);
  const query = (shard: D1Client) => shard.run((database) => database.run("SELECT 1"));
  const shards = [...databases.shards].map(([number, shard]) => {
    return [number === 0 ? "database" : `database_${number}`, () => works("D1", query(shard))] as const;
  });
  const works = async (what: string, call: Promise<unknown>) => void (await withDeadline(what, timeoutMs, call));
  return {
    parts: {
      worker: async () => version.id,
      pool: () => withDeadline("the browser pool", timeoutMs, pool().workerVersion()),
      ...(Object.fromEntries(shards) as Pick<HealthParts, "database">),
      files: () => works("R2 head", files.head(missingKey)),
      privateFiles: () => works("R2 head", privateFiles.head(missingKey)),
      templates: () => works("R2 head", templates.head(missingKey)),
      webhookQueue: () => works("the webhook queue", webhookQueue.metrics()),
      browser: () => withDeadline("the browser", browserTimeoutMs, pool().browserVersion()),
    },
  };
}
