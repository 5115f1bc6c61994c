/// <reference types="@cloudflare/vitest-pool-workers/types" />

/** The variables of the Worker, which test/vitest.config.ts and tests set. */
type TestVariables = {
  [name in keyof typeof import("../src/settings.ts").variableDefaults | "BASE_URL" | "CDN_URL"]?: string | undefined;
};
interface Env extends TestVariables {}

declare namespace Cloudflare {
  interface Env extends TestVariables {
    WEBHOOK_SECRETS_KEY: string;
    MIGRATIONS: Record<"directory" | "shard", import("cloudflare:test").D1Migration[]>;
    /** If set, `test/workerd/openapi/examples.slow.test.ts` replaces the recorded examples. */
    RECORD_EXAMPLES?: string;
    /** The first seed of the fault tests; `FAULT_SEEDS` is the number of seeds. */
    FAULT_SEED?: string;
    FAULT_SEEDS?: string;
    /** The number of events that `test/network/storm.slow.test.ts` sends. */
    STORM_EVENTS?: string;
    /** The number of requests to each API that `test/workerd/openapi/generated-traffic.slow.test.ts` sends. */
    GENERATED_REQUESTS?: string;
  }
}
