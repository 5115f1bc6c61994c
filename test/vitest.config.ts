// Three layers: pure code and fakes in Node; real bindings in workerd; the real browser, in workerd too.
import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-pool-workers";
import { createServer, type AddressInfo } from "node:net";
import { defineConfig } from "vitest/config";

const root = new URL("..", import.meta.url).pathname;
const migrations = await readD1Migrations(`${root}migrations`);

const inWorkerd = (bindings: Record<string, string>, main?: string) =>
  cloudflareTest({
    ...(main ? { main } : {}),
    wrangler: { configPath: `${root}wrangler.toml` },
    miniflare: { bindings: { ...bindings, MIGRATIONS: migrations } },
  });

/** A port that is free now, for a receiver that the Worker has to be told of before it listens. Read more than once. */
const receiverPort = (process.env["RECEIVER_PORT"] ??= await freePort());
const receiver = `http://127.0.0.1:${receiverPort}`;
const toReceiver = {
  WEBHOOK_ALLOWED_ORIGINS: receiver,
  IMAGE_ALLOWED_ORIGINS: receiver,
  WEBHOOK_TIMEOUT_MS: "1500",
};
const stormSize = { STORM_EVENTS: process.env["STORM_EVENTS"] ?? "300" };

const faultSeeds = { FAULT_SEED: process.env["FAULT_SEED"] ?? "1", FAULT_SEEDS: process.env["FAULT_SEEDS"] ?? "4" };
const shortDeadlines = { CALL_TIMEOUT_MS: "30", IN_FLIGHT_WAIT_MS: "20" };

export default defineConfig({
  root,
  test: {
    projects: [
      {
        test: {
          name: "node",
          root,
          include: ["test/{core,operations,http,cli,structure}/**/*.test.ts"],
          environment: "node",
          testTimeout: 30_000,
        },
      },
      {
        test: {
          name: "e2e",
          root,
          include: ["test/e2e/**/*.test.ts"],
          environment: "node",
          testTimeout: 120_000,
          hookTimeout: 120_000,
          maxWorkers: 1,
        },
      },
      {
        plugins: [inWorkerd({ CDN_URL: "https://files.test/files", BASE_URL: "https://colophon.test/api/v1" })],
        test: {
          name: "workerd",
          root,
          include: ["test/workerd/**/*.test.ts"],
          setupFiles: ["test/migrate.ts"],
          testTimeout: 30_000,
        },
      },
      {
        plugins: [inWorkerd({ ...faultSeeds, ...shortDeadlines }, `${root}test/faults/worker.ts`)],
        test: { name: "faults", root, include: ["test/faults/**/*.test.ts"], setupFiles: ["test/migrate.ts"] },
      },
      {
        plugins: [
          inWorkerd({
            CDN_URL: "https://files.test/files",
            BASE_URL: "https://colophon.test/api/v1",
            ...toReceiver,
            ...stormSize,
          }),
        ],
        test: {
          name: "network",
          root,
          include: ["test/network/**/*.test.ts"],
          globalSetup: ["test/network/receiver.ts"],
          setupFiles: ["test/migrate.ts"],
          testTimeout: 30_000,
        },
      },
      {
        plugins: [
          inWorkerd({
            CDN_URL: "https://colophon.test/files",
            BASE_URL: "https://colophon.test/api/v1",
            BROWSER_POOLS: "1",
          }),
        ],
        test: {
          name: "browser",
          root,
          include: ["test/browser/**/*.test.ts"],
          globalSetup: ["test/browser/fixtures/trap.ts", "test/browser/fixtures/noto.ts"],
          setupFiles: ["test/migrate.ts"],
          testTimeout: 60_000,
          maxWorkers: 1,
        },
      },
    ],
  },
});

function freePort(): Promise<string> {
  const server = createServer();
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(String(port)));
    });
  });
}
