// Refuses a STATE_DIR that a newer version of the service has written, before anything in it is changed. A file in the directory
// records the steps that built its databases. This version's steps must begin with the same steps; the remaining ones are then
// applied.
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { quotaStorageSteps } from "../../objects/accounts/quota-storage.ts";
import { batchStorageSteps } from "../../objects/batches/batch-storage.ts";
import { deliveryStorageSteps } from "../../objects/webhooks/delivery-storage.ts";
import { projectRoot } from "../paths.ts";

/** A folder in STATE_DIR that exists until a restore has ended. */
export const restoringName = "restoring";

/** The steps that build each database, in order: the name of each migration, and a digest of each step's content. */
export type Layout = Record<string, string[]>;

/** Records the layout in the directory. Throws if the recorded steps are not the first steps of this layout. */
export async function checkStateDirectory(directory: string, layout?: Layout): Promise<void> {
  const current = layout ?? (await currentLayout());
  if (existsSync(join(directory, restoringName)))
    throw new Error(
      `a restore into ${directory} is running or was interrupted. If it was, empty the directory and restore again.`,
    );
  const file = join(directory, "layout.json");
  const recorded = JSON.parse(await readFile(file, "utf8").catch(() => "{}")) as Layout;
  if (!isContinuedBy(recorded, current)) {
    throw new Error(
      `${directory} holds data of a newer version of this service. Update the service, or set STATE_DIR to a different directory.`,
    );
  }
  await writeFile(file, `${JSON.stringify(current, null, 2)}\n`);
}

/** Returns true if the current steps of each recorded database begin with the recorded steps. */
function isContinuedBy(recorded: Layout, current: Layout): boolean {
  return Object.entries(recorded).every(([database, steps]) =>
    steps.every((step, index) => current[database]?.[index] === step),
  );
}

async function currentLayout(): Promise<Layout> {
  return {
    D1: await migrationsOf("directory"),
    "D1 shard": await migrationsOf("shard"),
    AccountQuota: quotaStorageSteps.map(digest),
    BatchRunner: batchStorageSteps.map(digest),
    WebhookSender: deliveryStorageSteps.map(digest),
  };
}

async function migrationsOf(kind: string): Promise<string[]> {
  const folder = join(projectRoot, "migrations", kind);
  const names = (await readdir(folder)).filter((name) => name.endsWith(".sql")).sort();
  return Promise.all(names.map(async (name) => `${name} ${digest(await readFile(join(folder, name), "utf8"))}`));
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}
