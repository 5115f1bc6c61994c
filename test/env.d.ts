/// <reference types="@cloudflare/vitest-pool-workers/types" />
declare namespace Cloudflare {
  interface Env {
    MIGRATIONS: import("cloudflare:test").D1Migration[];
    /** Used by the fault tests. */
    FAULT_SEED?: string;
    FAULT_SEEDS?: string;
    /** Used by `test/network/storm.slow.test.ts`. */
    STORM_EVENTS?: string;
  }
}
