// Defines the test projects. Each folder of `test/` that contains tests belongs to one project.
//
//   name      runs in                           tests
//   node      Node                              everything that runs without a Worker, with fakes of external systems
//   workerd   the Workers runtime               adapters and the whole API with real D1, R2, queues and Durable Objects
//   network   the Workers runtime               webhooks and images, over HTTP to a receiver in the runner's process
//   faults    the Workers runtime               invariants under injected failures, from numbered seeds
//   browser   the Workers runtime and Chromium  rendering, isolation of accounts, failures of the browser
//   simulated the Workers runtime and Chromium  the service behind a simulator of the platform's browser; `invocations` in Node,
//             under the limits of the platform
//   e2e       processes                         the service as `npm start` runs it, and the operator's command
//
// `npm test` runs `*.slow.test.ts` files only when an argument names one. Only `npm run test:long` runs `*.long.test.ts` files.
// `run.ts` passes the size of the run in `TEST_SIZE`.
import { createServer, type AddressInfo } from "node:net";
import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-pool-workers";
import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";

const root = new URL("..", import.meta.url).pathname;
const migrations = {
  directory: await readD1Migrations(`${root}migrations/directory`),
  shard: await readD1Migrations(`${root}migrations/shard`),
};

const size = process.env["TEST_SIZE"] ?? "all";
const exclude = [
  "**/node_modules/**",
  ...(size === "quick" ? ["**/*.slow.test.ts"] : []),
  ...(size === "long" ? [] : ["**/*.long.test.ts"]),
];

/** Free ports for the receivers. They are chosen before the receivers start, because the Worker's bindings contain them. */
const receiverPort = (process.env["RECEIVER_PORT"] ??= await freePort());
const hostilePort = (process.env["HOSTILE_PORT"] ??= await freePort());
const receivers = [receiverPort, hostilePort].map((port) => `http://127.0.0.1:${port}`).join();

/** The key that encrypts webhook secrets. Limits on callers are off, because tests send many requests. */
const common = {
  RATE_LIMITS: "off",
  WEBHOOK_SECRETS_KEY: Buffer.alloc(32, "tests").toString("base64"),
  OPERATOR_KEY: "colophon_operator_of_the_tests",
};

type ProjectConfig = NonNullable<TestProjectInlineConfiguration["test"]>;

/** A project with the tests in these folders of `test/`. Its test files share one runtime, which saves seconds per file. */
function project(name: string, folders: string[], rest: ProjectConfig): TestProjectInlineConfiguration {
  const include = folders.map((folder) => `${folder.includes("/") ? "" : "test/"}${folder}/**/*.test.ts`);
  // A machine under load may need longer than the default of one second.
  const expect = { poll: { timeout: 10_000 } };
  return { test: { name, root, include, exclude, isolate: false, testTimeout: 30_000, expect, ...rest } };
}

type WorkerdOptions = {
  /** Variables of the Worker. They override those in `wrangler.toml`. */
  bindings: Record<string, string>;
  /** The entry point of a different Worker, which runs instead of the service. */
  main?: string;
  /** Whether the Worker may send requests. By default, its requests do not leave the machine. */
  hasNetwork?: boolean;
};

/** Responds to every request of a Worker that is tested without a network. */
const noNetwork = () => new Response("There is no network in this test.", { status: 502 });

/** Like `project`, but in the Workers runtime, with three shards to which all migrations are applied. */
function workerdProject(
  name: string,
  folders: string[],
  { bindings, main, hasNetwork = false }: WorkerdOptions,
  rest: ProjectConfig = {},
): TestProjectInlineConfiguration {
  const plugin = cloudflareTest({
    ...(main ? { main } : {}),
    wrangler: { configPath: `${root}wrangler.toml` },
    miniflare: {
      bindings: { ...common, ...bindings, MIGRATIONS: migrations },
      d1Databases: ["DB_1", "DB_2"],
      ...(hasNetwork ? {} : { outboundService: noNetwork }),
    },
  });
  return { plugins: [plugin], ...project(name, folders, { setupFiles: ["test/migrate.ts"], ...rest }) };
}

const urls = { CDN_URL: "https://files.test/files", BASE_URL: "https://colophon.test/api/v1" };
/** All renders use one pool, and the Worker serves their files. */
const onePool = { ...urls, CDN_URL: "https://colophon.test/files", BROWSER_POOL_REGIONS: "enam", BROWSER_POOLS: "1" };

export default defineConfig({
  root,
  test: {
    projects: [
      project(
        "node",
        "packages/*/test core operations platform objects http cli client structure test/simulated/invocations".split(
          " ",
        ),
        { maxWorkers: 2, sequence: { groupOrder: 2 } },
      ),
      // Vitest requires a separate group for a project with another number of workers, and by default takes one on two cores.
      workerdProject(
        "workerd",
        ["workerd"],
        {
          main: `${root}test/workerd/worker.ts`,
          bindings: {
            ...urls,
            RECORD_EXAMPLES: process.env["RECORD_EXAMPLES"] ?? "",
            GENERATED_REQUESTS: process.env["GENERATED_REQUESTS"] ?? "",
          },
        },
        { maxWorkers: 2, sequence: { groupOrder: 1 } },
      ),
      workerdProject(
        "network",
        ["network"],
        {
          bindings: {
            ...urls,
            WEBHOOK_ALLOWED_ORIGINS: receivers,
            IMAGE_ALLOWED_ORIGINS: receivers,
            WEBHOOK_TIMEOUT_MS: "1500",
            STORM_EVENTS: process.env["STORM_EVENTS"] ?? "300",
          },
          hasNetwork: true,
        },
        { globalSetup: ["test/network/receiver.ts"] },
      ),
      workerdProject("faults", ["faults"], {
        main: `${root}test/faults/worker.ts`,
        bindings: {
          FAULT_SEED: process.env["FAULT_SEED"] ?? "1",
          FAULT_SEEDS: process.env["FAULT_SEEDS"] ?? "4",
          CALL_TIMEOUT_MS: "30",
        },
      }),
      workerdProject(
        "browser",
        ["browser"],
        {
          bindings: onePool,
          hasNetwork: true,
        },
        {
          globalSetup: ["trap", "font-files", "cdp-browser"].map((name) => `test/browser/fixtures/${name}.ts`),
          testTimeout: 60_000,
          maxWorkers: 1,
        },
      ),
      workerdProject(
        "simulated",
        ["simulated"],
        {
          main: `${root}test/simulated/worker.ts`,
          bindings: onePool,
          hasNetwork: true,
        },
        {
          testTimeout: 60_000,
          maxWorkers: 1,
          isolate: true,
          exclude: [...exclude, "test/simulated/invocations/**"],
        },
      ),
      // Each file has its own services, and mostly waits for them.
      project("e2e", ["e2e"], {
        globalSetup: ["test/e2e/build-worker.ts"],
        testTimeout: 120_000,
        hookTimeout: 120_000,
        maxWorkers: 2,
        sequence: { groupOrder: 3 },
      }),
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
