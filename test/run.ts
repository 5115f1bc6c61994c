// Prepares the browser and runs vitest. Arguments are passed to vitest, so `npm test -- packages/liquid/test` runs one folder.
//   npm test            types, lint and format, and every test except the slow files (*.slow.test.ts); with an argument, what it names
//   npm run test:slow   the slow files; CI runs them after `npm test`
//   npm run test:all    every test
//   npm run test:long   1,000 fault seeds, 10,000 webhook events, 60 kills, 20,000 generated requests, 10,000 damaged PDFs, 500
//                       payslips, and other *.long.test.ts, or the file that an argument names; not even CI runs these
//   npm run test:browser -- --chromium 127   the browser tests on another Chromium; CI runs them on 127, too
// Every command takes `--chromium`. If the Chromium of that major version is not there yet, it is downloaded from npm.
import { spawn, spawnSync } from "node:child_process";
import { globSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { prepareLocalBrowser } from "colophon-templates/browser";
import { buildAssets } from "../src/cli/assets/build-assets.ts";

const sizes = ["quick", "slow", "all", "long"] as const;
type Size = (typeof sizes)[number];

const pipes = ["pipe", "pipe"] as const;
const inherited = ["inherit", "inherit"] as const;

const longRun = {
  variables: {
    ...{ FAULT_SEEDS: "1000", STORM_EVENTS: "10000", GENERATED_REQUESTS: "20000" },
    ...{ KILLS: "60", BATCH_ITEMS: "2000", BACKUP_DOCUMENTS: "1000" },
    ...{ DAMAGED_FILES: "10000", PAYSLIPS: "500" },
  },
  files: [
    "test/workerd/openapi/generated-traffic.slow.test.ts",
    "test/faults/faults.slow.test.ts",
    "test/network/storm.slow.test.ts",
    "test/e2e/serve-kills.slow.test.ts",
    "test/e2e/backup.slow.test.ts",
    "test/e2e/payroll-document.slow.test.ts",
    "packages/pdf-conformance/test/damaged-files.test.ts",
    ".long.test.ts",
  ],
};

const { size, chromium, vitestArgs } = parse(process.argv.slice(2));
const vitest = join(dirname(createRequire(import.meta.url).resolve("vitest/package.json")), "vitest.mjs");
if (size === "quick" && vitestArgs.length === 0) check();
await buildAssets(fileURLToPath(new URL("..", import.meta.url).href));
// Tests start services, which also read CHROMIUM_VERSION, so all use the same browser.
const chosen = { ...process.env, ...(chromium === undefined ? {} : { CHROMIUM_VERSION: chromium }) };
const env = {
  ...chosen,
  ...(await prepareLocalBrowser(chosen).catch(fail)),
  ...(size === "long" ? longRun.variables : {}),
  WRANGLER_SEND_METRICS: "false",
  TEST_SIZE: size,
};
const filesOfSize = size === "long" ? longRun.files : size === "slow" ? [".slow.test.ts"] : [];
const files = namesFiles(vitestArgs) ? [] : filesOfSize;
// Tests with processes mostly wait, as do those with outages, and leave processor time for the others.
const waiting = ["e2e", "faults"];
const parts =
  vitestArgs.length === 0
    ? [
        waiting.map((name) => `--project=!${name}`),
        ...waiting.map((name) => [`--project=${name}`, "--passWithNoTests"]),
      ]
    : [[]];
const ended = await Promise.all(parts.map((part, index) => runVitest([...files, ...part, ...vitestArgs], index > 0)));
for (const { code, output } of ended) if (code !== 0) process.stdout.write(output);
process.exitCode = Math.max(...ended.map(({ code }) => code));
if (!namesFiles(vitestArgs)) reportLeftOut(size);

/**
 * If `isQuiet`, the output is printed when the run has ended, so that it does not mix with other output, or returned if the run
 * has failed, so that it can be printed last.
 */
function runVitest(args: string[], isQuiet: boolean): Promise<{ code: number; output: Buffer }> {
  const { promise, resolve } = Promise.withResolvers<{ code: number; output: Buffer }>();
  const all = [vitest, "run", "--config", "test/vitest.config.ts", ...args];
  const chunks: Buffer[] = [];
  const child = spawn(process.execPath, all, { stdio: ["ignore", ...(isQuiet ? pipes : inherited)], env });
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk: Buffer) => chunks.push(chunk));
  child.on("close", (code) => {
    const output = Buffer.concat(chunks);
    if (code === 0) process.stdout.write(output);
    resolve({ code: code ?? 1, output });
  });
  return promise;
}

/** Runs the checks that read the sources and execute nothing. If one of them fails, no test runs. */
function check(): void {
  const { status } = spawnSync("npm", ["run", "--silent", "check"], { stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}

function namesFiles(args: string[]): boolean {
  return args.some((arg) => /^(test|packages)\//.test(arg));
}

type Options = { size: Size; chromium: string | undefined; vitestArgs: string[] };

function parse(args: string[]): Options {
  const { chromium, rest } = takeChromium(args);
  const chosen = sizes.find((name) => rest.includes(`--${name}`)) ?? "quick";
  const vitestArgs = rest.filter((arg) => arg !== `--${chosen}`);
  const namesSlowFile = vitestArgs.some((arg) => arg.includes(".slow"));
  return { size: chosen === "quick" && namesSlowFile ? "all" : chosen, chromium, vitestArgs };
}

/** Returns the value of `--chromium`, written as one argument or two, and the other arguments. */
function takeChromium(args: string[]): { chromium: string | undefined; rest: string[] } {
  const at = args.findIndex((arg) => arg === "--chromium" || arg.startsWith("--chromium="));
  const option = args[at];
  if (option === undefined) return { chromium: undefined, rest: args };
  const isOneArgument = option.includes("=");
  const chromium = isOneArgument ? option.slice("--chromium=".length) : (args[at + 1] ?? "");
  return { chromium, rest: args.toSpliced(at, isOneArgument ? 1 : 2) };
}

function fail(error: unknown): never {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}

/** Prints how many files were skipped, and which command runs them. */
function reportLeftOut(size: Size): void {
  const count = (suffix: string) => globSync(`{test,packages/*/test}/**/*.${suffix}.test.ts`).length;
  const [slow, long] = [count("slow"), count("long")];
  if (size === "quick" && slow > 0)
    console.log(`Left out ${slow} slow test files (*.slow.test.ts): npm run test:all runs every test.`);
  if (size !== "long" && long > 0)
    console.log(`Left out ${long} long test files (*.long.test.ts): npm run test:long runs them.`);
}
