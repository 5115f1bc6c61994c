import { cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { deployedConfig } from "../../../src/cli/deploy/base-config.ts";
import { deploy } from "../../../src/cli/deploy/deploy.ts";
import { UsageError } from "../../../src/cli/deploy/deploy-options.ts";
import { DeployError } from "../../../src/cli/deploy/run-steps.ts";
import type { Wrangler } from "../../../src/cli/wrangler.ts";
import { accountId, emptyAccount, runCommand, type FakeAccount } from "./fake-account.ts";

const project = fileURLToPath(new URL("../../..", import.meta.url).href);
const zoneId = "b".repeat(32);
const first = ["--env", "production", "--domain", "pdf.example.com"];
const withFiles = [...first, "--files-domain", "files.example.com", "--zone-id", zoneId];

let root: string;
let account: FakeAccount;
let printed: string[];
let tested: string[];

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "colophon-test-"));
  await cp(join(project, "wrangler.toml"), join(root, "wrangler.toml"));
  account = emptyAccount();
  printed = [];
  tested = [];
});

afterEach(() => rm(root, { recursive: true }));

type Changes = { variables?: Record<string, string>; wrangler?: Wrangler; smokeProblem?: string };

function run(args: string[], { variables = {}, wrangler, smokeProblem }: Changes = {}): Promise<void> {
  return deploy(args, {
    root,
    wrangler: wrangler ?? (async (command) => runCommand(account, root, command)),
    variables,
    print: (line) => printed.push(line),
    smokeTest: async (baseUrl) => {
      tested.push(baseUrl);
      if (smokeProblem) throw new Error(smokeProblem);
    },
  });
}

const created = () => account.calls.filter((call) => / (create|add) /.test(call));

async function config(environment = "production"): Promise<Record<string, unknown>> {
  return JSON.parse(await readFile(join(root, `wrangler.${environment}.json`), "utf8")) as Record<string, unknown>;
}

/** What a production deployment with a domain for files makes in a Cloudflare account. */
const everythingMade = {
  databases: ["colophon-production"],
  buckets: ["colophon-files-production", "colophon-templates-production"],
  queues: ["colophon-webhooks-production", "colophon-webhooks-dead-production"],
  domains: ["colophon-files-production files.example.com"],
  migrated: ["colophon-production"],
  workers: { "colophon-production": {} },
};

describe("a first deployment", () => {
  it("makes everything that the Worker is bound to, and the dead-letter queue, in an empty account", async () => {
    await run(withFiles);

    expect(account).toMatchObject(everythingMade);
  });

  it("applies the migrations before it deploys the code, and both after everything else", async () => {
    await run(withFiles);

    const [migrations, code] = account.calls.slice(-2);
    expect(migrations).toMatch(/^d1 migrations apply DB --remote /);
    expect(code).toMatch(/^deploy /);
  });

  it("gives wrangler the addresses, the account and no workers.dev address", async () => {
    await run(withFiles);

    expect(await config()).toMatchObject({
      name: "colophon-production",
      account_id: accountId,
      workers_dev: false,
      routes: [{ pattern: "pdf.example.com", custom_domain: true }],
      vars: { BASE_URL: "https://pdf.example.com/api/v1", CDN_URL: "https://files.example.com", LEASE_SECONDS: "90" },
    });
  });

  it("lets the Worker serve the files if they have no domain", async () => {
    await run(first);

    expect(await config()).toMatchObject({ vars: { CDN_URL: "https://pdf.example.com/files" } });
    expect(account.domains).toEqual([]);
  });

  it("prints the base URL and the commands for an account and a key, and then runs the smoke test", async () => {
    await run(first);

    const output = printed.join("\n");
    expect(output).toContain("Base URL  https://pdf.example.com/api/v1\n");
    expect(output).toContain("account create --name NAME --plan pro --remote --env production\n");
    expect(output).toContain("key create --account ACCOUNT_ID --remote --env production\n");
    expect(tested).toEqual(["https://pdf.example.com/api/v1"]);
  });

  it("fails if the smoke test fails, after it has said how to return to the previous code", async () => {
    await expect(run(first, { smokeProblem: "no browser" })).rejects.toThrow("no browser");

    expect(printed.join("\n")).toContain("npx wrangler rollback --config wrangler.production.json");
  });

  it("takes every value from variables, too", async () => {
    const variables = {
      DEPLOY_ENV: "production",
      DEPLOY_DOMAIN: "pdf.example.com",
      DEPLOY_FILES_DOMAIN: "files.example.com",
      DEPLOY_ZONE_ID: zoneId,
      CLOUDFLARE_ACCOUNT_ID: accountId,
    };
    await run([], { variables });

    expect(account.domains).toEqual(["colophon-files-production files.example.com"]);
  });
});

describe("a later deployment", () => {
  it("needs no addresses, finds everything and creates nothing", async () => {
    await run(withFiles);
    const before = await config();
    const createdBefore = created();

    await run(["--env", "production"]);

    expect(created()).toEqual(createdBefore);
    expect(await config()).toEqual(before);
    expect(printed).toContain("[1/8] database colophon-production: found");
  });

  it("changes the domain if another one is given, and keeps the other values", async () => {
    await run(withFiles);

    await run(["--env", "production", "--domain", "new.example.com"]);

    const vars = { BASE_URL: "https://new.example.com/api/v1", CDN_URL: "https://files.example.com" };
    expect(await config()).toMatchObject({ vars });
  });

  it("leaves the other environment alone", async () => {
    await run(first);
    const production = await config();

    await run(["--env", "staging", "--domain", "colophon-staging.team.workers.dev"]);

    expect(await config()).toEqual(production);
    expect(await config("staging")).toMatchObject({ name: "colophon-staging", workers_dev: true });
    expect(account.databases).toEqual(["colophon-production", "colophon-staging"]);
    expect(Object.keys(account.workers)).toEqual(["colophon-production", "colophon-staging"]);
  });

  it("uses what somebody else has already made", async () => {
    account.databases.push("colophon-production");
    account.queues.push("colophon-webhooks-dead-production");

    await run(first);

    expect(account.databases).toEqual(["colophon-production"]);
    expect(account.workers).toHaveProperty("colophon-production");
  });
});

describe("after a failure", () => {
  const commands = 15;

  const failures = Array.from({ length: commands }, (_, call) => [
    { call, afterEffect: false },
    { call, afterEffect: true },
  ]).flat();

  it.each(failures)(
    "of command $call (after it took effect: $afterEffect), the same command completes the deployment",
    async (failure) => {
      account.failure = failure;
      const outcome = await run(withFiles).then(
        () => null,
        (error: unknown) => error,
      );
      account.failure = null;

      await run(outcome === null || failure.call === 0 ? withFiles : ["--env", "production"]);

      expect(outcome === null || outcome instanceof DeployError).toBe(true);
      expect(account).toMatchObject(everythingMade);
    },
  );

  it("covers every command of a first deployment", async () => {
    await run(withFiles);

    expect(account.calls).toHaveLength(commands);
  });

  it("names the step and the command, and shows what wrangler said", async () => {
    account.failure = { call: 2, afterEffect: false };

    await expect(run(first)).rejects.toThrow(
      /^This step failed: database colophon-production\n {2}wrangler d1 create colophon-production .*\n {4}✘ \[ERROR\] fetch failed$/,
    );
    expect(tested).toEqual([]);
  });
});

describe("the login", () => {
  it("is required before anything is made or written", async () => {
    account.accounts = null;

    await expect(run(first)).rejects.toThrow("You are not logged in. Run `npx wrangler login`");

    expect(account.calls).toEqual(["whoami --json"]);
    expect(await readdir(root)).toEqual(["wrangler.toml"]);
  });

  it("with several accounts requires a choice, and lists them", async () => {
    account.accounts?.push({ id: "c".repeat(32), name: "Another" });

    await expect(run(first)).rejects.toThrow(`--account-id:\n  ${accountId}  Colophon\n  ${"c".repeat(32)}  Another`);
    await run([...first, "--account-id", "c".repeat(32)]);

    expect(await config()).toMatchObject({ account_id: "c".repeat(32) });
  });

  it("must have access to the given account", async () => {
    await expect(run([...first, "--account-id", "d".repeat(32)])).rejects.toThrow("has no access to the account ddd");
  });

  it("cannot move an environment to another account by a variable that is meant for something else", async () => {
    await run(first);

    const move = run(["--env", "production"], { variables: { CLOUDFLARE_ACCOUNT_ID: "c".repeat(32) } });

    await expect(move).rejects.toThrow(`production was deployed to the account ${accountId}`);
  });
});

describe("wrong arguments", () => {
  it.each([
    [[], "Say which environment to deploy: --env staging or --env production."],
    [["--env", "prod"], "--env must be staging or production, not `prod`."],
    [["--env", "production"], "Give the host name of the API the first time"],
    [["--env", "production", "--host", "a.b"], "Unknown option '--host'"],
    [["--env", "production", "pdf.example.com"], "Unexpected argument 'pdf.example.com'"],
    [["--env", "production", "--domain", "https://pdf.example.com"], "--domain must be a host name in lower case"],
    [["--env", "production", "--domain", "localhost"], "--domain must be a host name"],
    [["--env", "production", "--domain", "pdf.example.com/x"], "--domain must be a host name"],
    [["--env", "production", "--domain", "1.2.3.4"], "--domain must be a host name"],
    [
      ["--env", "production", "--domain", "colophon-production.team.workers.dev"],
      "Production needs a --domain of your own",
    ],
    [["--env", "staging", "--domain", "other.team.workers.dev"], "is colophon-staging.YOUR-SUBDOMAIN.workers.dev"],
    [[...first, "--files-domain", "files.example.com"], "--files-domain also needs --zone-id"],
    [[...first, "--files-domain", "pdf.example.com", "--zone-id", zoneId], "must be different host names"],
    [[...first, "--files-domain", "f.t.workers.dev", "--zone-id", zoneId], "must be a domain of your own"],
    [[...first, "--zone-id", zoneId], "--zone-id is only for --files-domain"],
    [
      [...first, "--files-domain", "f.example.com", "--zone-id", "example.com"],
      "--zone-id must have 32 hexadecimal digits",
    ],
    [[...first, "--account-id", "me"], "--account-id must have 32 hexadecimal digits"],
  ])("%j are refused before wrangler runs", async (args, message) => {
    const refused = run(args);

    await expect(refused).rejects.toThrow(message);
    await expect(refused).rejects.toBeInstanceOf(UsageError);
    expect(account.calls).toEqual([]);
  });

  it.each([
    ["{", "deployments.json is not a JSON object"],
    ['{"production":[]}', "deployments.json: production must be an object"],
    ['{"production":{"domain":7}}', "deployments.json: production.domain must be a string"],
    ['{"production":{"domain":"A B"}}', "--domain must be a host name"],
  ])("in deployments.json are refused, too: %s", async (text, message) => {
    await writeFile(join(root, "deployments.json"), text);

    await expect(run(["--env", "production"])).rejects.toThrow(message);
    expect(account.calls).toEqual([]);
  });
});

describe("secrets", () => {
  const secret = "s".repeat(20);

  it("reach the Worker through a file that is removed afterwards, and never through an argument", async () => {
    await run(first, { variables: { HEALTH_SECRET: secret } });

    expect(account.workers).toEqual({ "colophon-production": { HEALTH_SECRET: secret } });
    expect(account.calls.join("\n")).not.toContain(secret);
    expect(printed.join("\n")).not.toContain(secret);
    const file = /--secrets-file (\S+)/.exec(account.calls.join("\n"))?.[1] ?? "";
    await expect(readFile(file)).rejects.toThrow("ENOENT");
  });

  it("include the key of webhook secrets, which must have the form that the Worker reads", async () => {
    const key = Buffer.alloc(32, 7).toString("base64");
    await run(first, { variables: { WEBHOOK_SECRETS_KEY: key } });

    expect(account.workers).toEqual({ "colophon-production": { WEBHOOK_SECRETS_KEY: key } });
    await expect(run(first, { variables: { WEBHOOK_SECRETS_KEY: "a password of mine" } })).rejects.toThrow(
      "The secret WEBHOOK_SECRETS_KEY must have 32 random bytes in base64 (`openssl rand -base64 32`).",
    );
  });

  it("stay as they are when a deployment does not give them", async () => {
    await run(first, { variables: { HEALTH_SECRET: secret } });

    await run(["--env", "production"]);

    expect(account.workers).toEqual({ "colophon-production": { HEALTH_SECRET: secret } });
  });

  it("that the Worker would refuse are refused before wrangler runs, without repeating them", async () => {
    await expect(run(first, { variables: { HEALTH_SECRET: "too short" } })).rejects.toThrow(
      "The secret HEALTH_SECRET must have at least 16 characters, all of them visible ASCII characters.",
    );

    expect(account.calls).toEqual([]);
  });
});

describe("the operator's commands for an environment", () => {
  const wrangler: Wrangler = async (command) => runCommand(account, root, command);

  it("find the database of that environment in the recorded account", async () => {
    await run(first);

    const found = await deployedConfig(root, "production", wrangler);

    expect(found).toMatchObject({
      account_id: accountId,
      d1_databases: [{ database_name: "colophon-production", database_id: "id-of-colophon-production" }],
    });
    expect(account.calls.at(-1)).toBe("d1 list --json --config wrangler.production.json");
  });

  it("refuse an environment that has not been deployed, and a database that is gone", async () => {
    await run(first);
    account.databases = [];

    await expect(deployedConfig(root, "staging", wrangler)).rejects.toThrow("no entry for staging");
    await expect(deployedConfig(root, "production", wrangler)).rejects.toThrow("has no database colophon-production");
  });
});
