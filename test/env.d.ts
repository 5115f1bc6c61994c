/// <reference types="@cloudflare/vitest-pool-workers/types" />
declare namespace Cloudflare {
  interface Env {
    MIGRATIONS: import("cloudflare:test").D1Migration[];
    /** Of the fault harness. */
    FAULT_SEED?: string;
    FAULT_SEEDS?: string;
    /** Of the webhook storm. */
    STORM_EVENTS?: string;
  }
}
