// Checks the parts of the platform that the service depends on. Nothing is written, except that a browser is started if
// none is open.
import type { Health } from "../ports/health.ts";
import type { D1Client } from "./d1/d1-client.ts";
import { withDeadline } from "./deadline.ts";
import type { ObjectNamespace } from "./object-client.ts";
import { browserVersion, type PoolObject } from "./rendering/pool-client.ts";

export type CheckedParts = {
  d1: D1Client;
  files: R2Bucket;
  templates: R2Bucket;
  webhookQueue: Queue;
  browserPools: ObjectNamespace<PoolObject>;
};

const timeoutMs = 5_000;
/** The platform takes 2 to 4 seconds to start a browser. */
const browserTimeoutMs = 10_000;

/** No file has this key: keys of files are longer, and keys of template contents contain slashes. */
const missingKey = "health-check";

export function healthChecks({ d1, files, templates, webhookQueue, browserPools }: CheckedParts): Health {
  const checkBucket = async (bucket: R2Bucket) => {
    await withDeadline("R2 head", timeoutMs, bucket.head(missingKey));
  };
  return {
    parts: {
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
      browser: () => withDeadline("the browser", browserTimeoutMs, browserVersion(browserPools)),
    },
  };
}
