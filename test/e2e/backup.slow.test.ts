import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, it } from "vitest";
import { expectNothingLost, startLoad, type Load } from "./serve-load.ts";
import { createDocument, read, startService, type RunningService } from "./service.ts";

/** `npm run test:long` uses a thousand. */
const documents = Number(process.env["BACKUP_DOCUMENTS"] ?? 60);

let load: Load;
let restored: RunningService;
let folder: string;

afterAll(async () => {
  await load.stop();
  await restored.stop();
  for (const directory of [folder, load.service.stateDir]) await rm(directory, { recursive: true, force: true });
});

it("a backup that is made under load restores the account, its key, its count and its files", async () => {
  folder = await mkdtemp(join(tmpdir(), "colophon-backup-"));
  const [file, stateDir] = [join(folder, "backup.tar"), join(folder, "restored")];
  const run = (action: string, directory: string) =>
    promisify(execFile)(process.execPath, ["src/cli/backup.ts", action, file], {
      env: { ...process.env, STATE_DIR: directory },
    });
  load = await startLoad(4);

  const createdBefore = await load.during(async () => {
    await expect.poll(() => load.created.size, { timeout: 300_000 }).toBeGreaterThan(documents);
    const before = new Set(load.created);
    console.log((await run("write", load.service.stateDir)).stdout);
    return before;
  });
  await run("restore", stateDir);
  restored = await startService(
    { RATE_LIMITS: "off", LEASE_SECONDS: "8", RENDER_BUDGET_MS: "7000" },
    stateDir,
    "serve",
  );

  const found = await expectNothingLost(restored, load.account, createdBefore);
  expect(found).toBeGreaterThanOrEqual(createdBefore.size);
  expect([...load.statuses.keys()]).toEqual([201]);
  const { templates } = await read<{ templates: { id: string }[] }>(restored, load.account, "/templates");
  const { sampleData: data } = await read<{ sampleData: object }>(
    restored,
    load.account,
    `/templates/${templates[0]?.id}`,
  );
  expect((await createDocument(restored, load.account, { templateId: templates[0]?.id, data })).status).toBe(201);
}, 900_000);
