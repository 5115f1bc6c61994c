// Checks the parts of the platform that the service depends on. Nothing is written, except that a browser is started if
// none is open.
import type { Region } from "../core/region.ts";
import type { HealthParts } from "../ports/services.ts";
import type { D1Client } from "./d1/d1-client.ts";
import { withDeadline } from "colophon-base/deadline";
import type { ObjectNamespace } from "./object-client.ts";
import { firstPool, type PoolObject, type PoolPlan } from "./rendering/pool-client.ts";

export type CheckedParts = {
  d1: Pick<D1Client, "run">;
  files: R2Bucket;
  templates: R2Bucket;
  webhookQueue: Queue;
  version: Pick<WorkerVersionMetadata, "id">;
  browserPools: ObjectNamespace<PoolObject>;
  poolPlan: PoolPlan;
  /** Where the request came in. The check asks a pool of that region. */
  region: Region;
};

const timeoutMs = 5_000;
/** The platform takes 2 to 4 seconds to start a browser. */
const browserTimeoutMs = 10_000;

/** No file has this key: keys of files are longer, and keys of template contents contain slashes. */
const missingKey = "health-check";

export function healthChecks({ d1, files, templates, webhookQueue, version, ...pools }: CheckedParts): {
  parts: HealthParts;
} {
  const pool = () => firstPool(pools.browserPools, pools.poolPlan, pools.region);
  const checkBucket = async (bucket: R2Bucket) => {
    await withDeadline("R2 head", timeoutMs, bucket.head(missingKey));
  };
  return {
    parts: {
      worker: async () => version.id,
      pool: () => withDeadline("the browser pool", timeoutMs, pool().workerVersion()),
      async database() {
        await withDeadline(
          "D1",
          timeoutMs,
          d1.run((database) => database.run("SELECT 1")),
        );
      },
      files: () => checkBucket(files),
      templates: () => checkBucket(templates),
      async webhookQueue() {
        await withDeadline("the webhook queue", timeoutMs, webhookQueue.metrics());
      },
      browser: () => withDeadline("the browser", browserTimeoutMs, pool().browserVersion()),
    },
  };
}
