// The examples in docs/batches.md, run unchanged in a customer's project, and the operator's commands for the batches.
import { execFile, spawnSync } from "node:child_process";
import { createHmac } from "node:crypto";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { getDocumentProxy } from "unpdf";
import { afterAll, beforeAll, expect, it } from "vitest";
import { clientProject, type ClientProject } from "./client-project.ts";
import { newAccount, pushSample, startService, type Account, type RunningService } from "./service.ts";

const hasPython = spawnSync("python3", ["--version"]).status === 0;

let service: RunningService;
let account: Account;
let project: ClientProject;
let variables: Record<string, string>;
let text: string;

beforeAll(async () => {
  text = await readFile(new URL("../../docs/batches.md", import.meta.url).pathname, "utf8");
  [service, project] = await Promise.all([startService({ DEMO: "0" }), clientProject()]);
  account = await newAccount(service, "enterprise");
  const { templateId } = await pushSample(service, account, "templates/shipping-label");
  variables = { BASE_URL: service.baseUrl, API_KEY: account.key, TEMPLATE_ID: templateId };
}, 240_000);

afterAll(async () => {
  await service.stop();
  await project.remove();
});

it.skipIf(!hasPython).each([
  ["With curl", "bash", 20],
  ["Node", process.execPath, 20],
  ["Python", "python3", 20],
  ["One document later", "bash", 1],
])("the example in the section %s creates its documents", { timeout: 120_000 }, async (section, program, documents) => {
  const stdout = await outputOf(section, program, `example-${documents}.mjs`);

  expect(stdout.match(/\bcompleted\b.*http/g)).toHaveLength(documents);
});

/** Runs the example of a section. */
async function outputOf(section: string, program: string, name: string): Promise<string> {
  const [, code = ""] = new RegExp(`^## ${section}$[^]*?^\`\`\`\\w+$([^]*?)^\`\`\`$`, "m").exec(text) ?? [];
  await project.write(name, code);
  const env = { ...process.env, ...variables };
  return (await promisify(execFile)(program, [name], { cwd: project.folder, env })).stdout;
}

type Listed = { batches: { id: string; status: string; counts: object }[] };

it.skipIf(!hasPython)("the operator sees these batches and can cancel one", async () => {
  const of = ["--account", account.id];
  const { batches } = await service.cli<Listed>("batch", "list", ...of);

  expect(batches.map(({ counts }) => counts)).toEqual(Array(3).fill(expect.objectContaining({ completed: 20 })));
  const [newest] = batches;
  const id = ["--id", newest?.id ?? ""];
  expect(await service.cli("batch", "show", ...of, ...id)).toEqual(newest);
  expect(await service.cli("batch", "cancel", ...of, ...id)).toEqual(newest);
});

it("the example of a payroll creates 500 private files, each of which opens only with its password", async () => {
  const stdout = await outputOf("A password for each item", process.execPath, "payroll.mjs");

  const created = Array.from(stdout.matchAll(/^(\S+) completed (http\S+\/links\/\S+)$/gm), ([, id = "", url = ""]) => ({
    id,
    url,
  }));
  expect(new Set(created.map(({ url }) => url)).size).toBe(500);
  for (const { id, url } of created.slice(0, 20)) {
    const bytes = new Uint8Array(await (await fetch(url)).arrayBuffer());
    const password = createHmac("sha256", "only for trying this").update(id).digest("base64url").slice(0, 20);
    await expect(getDocumentProxy(bytes.slice(), { verbosity: 0 })).rejects.toThrow("No password given");
    expect((await getDocumentProxy(bytes, { password })).numPages).toBe(1);
  }
}, 700_000);
