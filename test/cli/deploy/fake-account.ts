// A Cloudflare account as wrangler's commands see it: what exists, which commands ran, and which one is to fail. It answers
// like wrangler 4.156.2, and refuses what the platform refuses, for example a deployment whose queues do not exist.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { WranglerResult } from "../../../src/cli/wrangler.ts";

export type FakeAccount = {
  /** Null if nobody is logged in. */
  accounts: { id: string; name: string }[] | null;
  databases: string[];
  /** The databases to which the migrations have been applied. */
  migrated: string[];
  buckets: string[];
  queues: string[];
  /** Custom domains of buckets, as `bucket domain`. */
  domains: string[];
  /** The secrets of each deployed Worker. */
  workers: Record<string, Record<string, string>>;
  /** Every command, with its arguments separated by spaces. */
  calls: string[];
  /** The number of the command that fails, counted from 0, and whether it fails after it took effect. */
  failure: { call: number; afterEffect: boolean } | null;
};

type Config = {
  name: string;
  d1_databases: { binding: string; database_name: string }[];
  r2_buckets: { bucket_name: string }[];
  queues: { producers: { queue: string }[]; consumers: { queue: string; dead_letter_queue?: string }[] };
};

export const accountId = "a".repeat(32);

export function emptyAccount(): FakeAccount {
  return {
    accounts: [{ id: accountId, name: "Colophon" }],
    databases: [],
    migrated: [],
    buckets: [],
    queues: [],
    domains: [],
    workers: {},
    calls: [],
    failure: null,
  };
}

const ok = (stdout = ""): WranglerResult => ({ status: 0, stdout, stderr: "" });
const failed = (message: string): WranglerResult => ({ status: 1, stdout: "", stderr: `✘ [ERROR] ${message}\n` });

/** Runs a command on the account, which it changes. Files are read relative to `folder`. */
export function runCommand(account: FakeAccount, folder: string, args: string[]): WranglerResult {
  const { failure } = account;
  const isFailing = failure?.call === account.calls.length;
  account.calls.push(args.join(" "));
  if (isFailing && !failure?.afterEffect) return failed("fetch failed");
  const result = answer(account, folder, args);
  return isFailing ? failed("The operation timed out") : result;
}

function answer(account: FakeAccount, folder: string, args: string[]): WranglerResult {
  const { words, options } = parse(args);
  const command = words.join(" ");
  if (command === "whoami") return whoAmI(account);
  if (account.accounts === null) return failed("Not logged in.");
  const config = options.has("config") ? readConfig(folder, options.get("config") ?? "") : null;
  const name = words.at(-1) ?? "";
  if (command === "d1 list") return ok(JSON.stringify(account.databases.map((database) => entryOf(database))));
  if (command === `d1 create ${name}`)
    return create(account.databases, name, "A database with that name already exists");
  if (command === `r2 bucket info ${name}`)
    return account.buckets.includes(name)
      ? ok(`name: ${name}`)
      : failed("The specified bucket does not exist. [code: 10006]");
  if (command === `r2 bucket create ${name}`)
    return create(account.buckets, name, "The bucket you tried to create already exists. [code: 10004]");
  if (command === `queues info ${name}`)
    return account.queues.includes(name) ? ok(`Queue Name: ${name}`) : failed(`Queue "${name}" does not exist.`);
  if (command === `queues create ${name}`)
    return create(account.queues, name, `Queue name '${name}' is already taken. [code: 11009]`);
  if (words.slice(0, 3).join(" ") === "r2 bucket domain") return bucketDomain(account, words, options);
  if (command === `d1 migrations apply ${name}` && config) return migrate(account, config, name);
  if (command === "deploy" && config) return deployWorker(account, config, options.get("secrets-file"));
  return failed(`Unknown arguments: ${args.join(" ")}`);
}

function parse(args: string[]): { words: string[]; options: Map<string, string> } {
  const words: string[] = [];
  const options = new Map<string, string>();
  const flags = ["json", "remote", "force"];
  for (let index = 0; index < args.length; index += 1) {
    const [name = "", value] = (args[index] ?? "").replace(/^--/, "").split("=");
    if (!args[index]?.startsWith("--")) words.push(args[index] ?? "");
    else if (value !== undefined || flags.includes(name)) options.set(name, value ?? "");
    else options.set(name, args[(index += 1)] ?? "");
  }
  return { words, options };
}

function whoAmI({ accounts }: FakeAccount): WranglerResult {
  if (accounts === null) return { status: 1, stdout: '{\n  "loggedIn": false\n}\n', stderr: "" };
  return ok(JSON.stringify({ loggedIn: true, authType: "OAuth Token", email: "a@example.com", accounts }));
}

function entryOf(name: string) {
  return { uuid: `id-of-${name}`, name, created_at: "2026-11-22T00:00:00.000Z", version: "production" };
}

function create(names: string[], name: string, problem: string): WranglerResult {
  if (names.includes(name)) return failed(problem);
  names.push(name);
  return ok(`Created ${name}`);
}

function bucketDomain(account: FakeAccount, words: string[], options: Map<string, string>): WranglerResult {
  const [, , , verb, bucket = ""] = words;
  const entry = `${bucket} ${options.get("domain")}`;
  if (verb === "get")
    return account.domains.includes(entry) ? ok(`domain: ${entry}`) : failed("The custom domain was not found.");
  if (!account.buckets.includes(bucket)) return failed("The specified bucket does not exist. [code: 10006]");
  if (!/^[0-9a-f]{32}$/.test(options.get("zone-id") ?? "")) return failed("Missing required argument: zone-id");
  return create(account.domains, entry, "The domain is already connected.");
}

function migrate(account: FakeAccount, config: Config, binding: string): WranglerResult {
  const database = config.d1_databases.find((candidate) => candidate.binding === binding)?.database_name ?? "";
  if (!account.databases.includes(database)) return failed(`Couldn't find a D1 DB named '${database}'`);
  if (!account.migrated.includes(database)) account.migrated.push(database);
  return ok("No migrations to apply!");
}

function deployWorker(account: FakeAccount, config: Config, secretsFile: string | undefined): WranglerResult {
  const { producers, consumers } = config.queues;
  const queues = [...producers, ...consumers].map(({ queue }) => queue);
  const deadLetters = consumers.flatMap(({ dead_letter_queue: queue }) => queue ?? []);
  const missing = [
    ...config.d1_databases.filter(({ database_name: name }) => !account.migrated.includes(name)),
    ...config.r2_buckets.filter(({ bucket_name: name }) => !account.buckets.includes(name)),
    ...[...queues, ...deadLetters].filter((name) => !account.queues.includes(name)),
  ];
  if (missing.length > 0) return failed(`Missing or not migrated: ${JSON.stringify(missing)}`);
  const secrets = secretsFile ? (JSON.parse(readFileSync(secretsFile, "utf8")) as Record<string, string>) : {};
  account.workers[config.name] = { ...account.workers[config.name], ...secrets };
  return ok(`Deployed ${config.name} triggers`);
}

function readConfig(folder: string, file: string): Config | null {
  const path = join(folder, file);
  return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as Config) : null;
}
