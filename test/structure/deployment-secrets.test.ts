// Runs the commands in docs/operations.md that create the secrets of a deployment, except wrangler's.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readEncryptionKeys } from "../../src/services/encryption-keys.ts";
import { readSettings } from "../../src/settings.ts";

const text = readFileSync(new URL("../../docs/operations.md", import.meta.url).pathname, "utf8");
const [, step = ""] = /^6\. Set the \[secrets\].*?\n(.*?)^7\. /ms.exec(text) ?? [];
const commands = step.split("\n").filter((line) => /^ {7}/.test(line) && !line.includes("npx"));

it("the first deployment creates a file of secrets that the service accepts and only its owner can read", () => {
  const home = mkdtempSync(join(tmpdir(), "colophon-secrets-"));

  const { status } = spawnSync("sh", ["-ec", commands.join("\n")], { env: { ...process.env, HOME: home } });

  const file = join(home, "colophon-secrets.json");
  const secrets = JSON.parse(readFileSync(file, "utf8")) as Record<string, string>;
  expect(status).toBe(0);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(step).toContain("npx wrangler secret bulk ~/colophon-secrets.json");
  expect(Object.keys(secrets)).toEqual(["WEBHOOK_SECRETS_KEY", "HEALTH_SECRET", "OPERATOR_KEY"]);
  expect(readEncryptionKeys(secrets).current).toHaveLength(32);
  expect(readSettings(secrets as never, "https://pdf.example.com")).toMatchObject({
    healthSecret: secrets["HEALTH_SECRET"],
    operatorKey: secrets["OPERATOR_KEY"],
  });
  rmSync(home, { recursive: true });
});
