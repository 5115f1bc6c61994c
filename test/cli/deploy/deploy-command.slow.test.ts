// The deployment as a process with the real wrangler, which has no login here, and with an executable that stands in for
// wrangler.
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { deploy } from "../../../src/cli/deploy/deploy.ts";
import { wranglerIn } from "../../../src/cli/wrangler.ts";
import { emptyAccount, type FakeAccount } from "./fake-account.ts";

type Outcome = { code: number; stdout: string; stderr: string };

let home: string;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "colophon-test-"));
});

afterAll(() => rm(home, { recursive: true }));

async function runCommand(args: string[]): Promise<Outcome> {
  const { PATH } = process.env;
  const env = { PATH, HOME: home, XDG_CONFIG_HOME: home } as unknown as NodeJS.ProcessEnv;
  const run = promisify(execFile)(process.execPath, ["src/cli/deploy.ts", ...args], { env });
  return run.then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: unknown) => error as Outcome,
  );
}

describe("npm run deploy", () => {
  it("without a login exits with 1, says how to log in, and writes nothing", async () => {
    const { code, stderr } = await runCommand(["--env", "staging", "--domain", "colophon-staging.team.workers.dev"]);

    expect(stderr).toContain("You are not logged in. Run `npx wrangler login`, or set CLOUDFLARE_API_TOKEN.");
    expect(code).toBe(1);
    expect(existsSync("deployments.json")).toBe(false);
    expect(existsSync("wrangler.staging.json")).toBe(false);
  });

  it("with wrong arguments exits with 2 and prints the usage", async () => {
    const { code, stderr } = await runCommand(["--env", "prod"]);

    expect(stderr).toMatch(/^--env must be staging or production, not `prod`\.\nusage: npm run deploy -- --env/);
    expect(code).toBe(2);
  });
});

describe("a deployment with wrangler as a process", () => {
  it("runs wrangler in the project's folder, and passes on its output", async () => {
    const root = join(home, "project");
    await cp("wrangler.toml", join(root, "wrangler.toml"));
    await writeFile(join(root, "fake-account.json"), JSON.stringify(emptyAccount()));
    const printed: string[] = [];

    await deploy(["--env", "production", "--domain", "pdf.example.com"], {
      root,
      wrangler: wranglerIn(root, { script: join(process.cwd(), "test/cli/deploy/fake-wrangler.ts") }),
      variables: {},
      print: (line) => printed.push(line),
      smokeTest: async () => {},
    });

    const account = JSON.parse(await readFile(join(root, "fake-account.json"), "utf8")) as FakeAccount;
    expect(account.workers).toHaveProperty("colophon-production");
    expect(printed.join("\n")).toContain("    Deployed colophon-production triggers");
  });

  it("ends a command that does not end by itself, and reports it as failed", async () => {
    const script = join(home, "hangs.mjs");
    await writeFile(script, "setInterval(() => {}, 1000);");

    const { status, stderr } = await wranglerIn(home, { script, timeoutMs: 300 })(["deploy"]);

    expect(status).not.toBe(0);
    expect(stderr).toContain("wrangler was ended (SIGTERM). A command may take 0.3 s.");
  });
});
