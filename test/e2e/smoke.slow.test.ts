// The smoke test, run as an operator runs it, against a service on this machine.
import { execFile } from "node:child_process";
import { createServer } from "node:http";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newAccount, originOf, read, startService, type RunningService } from "./service.ts";

const healthSecret = "the-secret-of-the-operator";

let service: RunningService;
let key: string;

beforeAll(async () => {
  service = await startService({ HEALTH_SECRET: healthSecret });
  key = service.demoKey;
}, 120_000);

afterAll(() => service.stop());

type Outcome = { code: number; stdout: string; stderr: string };

async function smoke(args: string[], variables: Record<string, string> = {}): Promise<Outcome> {
  const { COLOPHON_KEY: _key, HEALTH_SECRET: _secret, ...env } = process.env;
  const run = promisify(execFile)(process.execPath, ["src/cli/smoke.ts", ...args], { env: { ...env, ...variables } });
  return run.then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: unknown) => error as Outcome,
  );
}

it("npm run smoke reports the result and the time of each step without the key and the secret, and leaves no document", async () => {
  const { code, stdout, stderr } = await smoke([service.origin], { COLOPHON_KEY: key, HEALTH_SECRET: healthSecret });

  expect(stderr).toBe("");
  expect(code).toBe(0);
  expect(stdout).toMatch(/^ok +\d+ ms {2}all parts work: worker \S+, pool \S+, browser (Headless)?Chrome\/\d+/m);
  expect(stdout).toMatch(/^ok +\d+ ms {2}a first PDF is rendered: 2 pages$/m);
  expect(stdout).toMatch(/^ok +\d+ ms {2}an image is rendered: 794 x \d{4} pixels$/m);
  expect(stdout).toMatch(/header and footer: "Invoice SMOKE-\w{8}", "Page 1 of 2"$/m);
  expect(stdout).toMatch(/^ok +\d+ ms {2}a private file opens by its link until its links are ended$/m);
  expect(stdout).toMatch(/\nThe service works\.\n$/);
  expect(stdout).not.toContain(key);
  expect(stdout).not.toContain(healthSecret);
  const { pagination } = await read<{ pagination: { total: number } }>(service, { key }, "/documents");
  expect(pagination.total).toBe(0);
});

it("npm run smoke names the steps that it skips without a key and the secret", async () => {
  const { code, stdout } = await smoke([service.origin]);

  expect(code).toBe(0);
  expect(stdout).toContain("set HEALTH_SECRET");
  expect(stdout).toContain("set COLOPHON_KEY to an API key");
  expect(stdout).toContain("Documents were not tested.");
});

it.each([
  ["the key is valid", { COLOPHON_KEY: "colophon_no_key" }],
  ["all parts work", { HEALTH_SECRET: "another-secret-than-that" }],
])("npm run smoke fails at the step “%s” if the response is 401", async (step, variables) => {
  const { code, stdout, stderr } = await smoke([service.origin], variables);

  expect(code).toBe(1);
  expect(stdout).toMatch(new RegExp(`^FAILED .*${step}$`, "m"));
  expect(stderr).toContain(`${step}: status 401`);
});

it("npm run smoke says how to push the template when the account does not have it", async () => {
  const account = await newAccount(service, "free");

  const { code, stderr } = await smoke([service.origin], { COLOPHON_KEY: account.key });

  expect(code).toBe(1);
  expect(stderr).toContain("the account has no template called Invoice; push templates/invoice");
});

describe("npm run smoke on something else", () => {
  const other = createServer((_request, response) => response.end("<h1>It works!</h1>"));
  let origin: string;

  beforeAll(async () => {
    origin = await originOf(other);
  });

  afterAll(() => other.close());

  it("npm run smoke fails if the responses do not come from the service, or if nothing responds", async () => {
    const [wrong, none] = [await smoke([origin]), await smoke(["http://127.0.0.1:9"])];

    expect([wrong.code, none.code]).toEqual([1, 1]);
    expect(wrong.stderr).toContain(`the response of ${origin}/healthz is not from this service`);
    expect(none.stderr).toContain("http://127.0.0.1:9/healthz does not respond");
  });

  // Refused addresses are tested in packages/base.
  it("npm run smoke refuses unknown arguments with the usage", async () => {
    const { code, stderr } = await smoke(["https://pdf.example.com", "more"]);

    expect(code).toBe(2);
    expect(stderr).toContain("usage: npm run smoke -- URL");
  });
});
