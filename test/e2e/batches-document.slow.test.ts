// The examples in docs/batches.md, run unchanged in a customer's project, and the operator's commands for the batches.
import { execFile, spawnSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
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
  const [, code = ""] = new RegExp(`^## ${section}$[^]*?^\`\`\`\\w+$([^]*?)^\`\`\`$`, "m").exec(text) ?? [];
  const name = `example-${documents}.mjs`;
  await project.write(name, code);

  const { stdout } = await promisify(execFile)(program, [name], {
    cwd: project.folder,
    env: { ...process.env, ...variables },
  });

  expect(stdout.match(/\bcompleted\b.*http/g)).toHaveLength(documents);
});

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
