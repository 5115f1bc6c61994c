// Checks a STATE_DIR before anything in it is changed. A directory is refused if another version of the service has
// written it with a different storage layout. A file in the directory records the steps that built its databases. The
// steps of this version must begin with the recorded steps.
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { quotaStorageSteps } from "../../objects/accounts/quota-storage.ts";
import { deliveryStorageSteps } from "../../objects/webhooks/delivery-storage.ts";
import { projectRoot } from "../bindings.ts";

/**
 * The steps that build each database, in order. Each step is recorded as a digest of its text. For a migration, the
 * name of the file precedes the digest.
 */
export type Layout = Record<string, string[]>;

const layoutFile = "layout.json";
/**
 * Files and folders in STATE_DIR. A service that has run leaves at least one of them. The operator's commands leave
 * none.
 */
const tracesOfService = ["demo.json", "running.json", "v3/do"];

/**
 * Checks that no service has used the directory yet, or that the layout recorded there is the beginning of the current
 * layout. Then records the current layout. Throws if the check fails.
 */
export async function checkStateDirectory(directory: string, layout?: Layout): Promise<void> {
  const current = layout ?? (await currentLayout());
  const recorded = await recordedLayout(directory);
  if (recorded === null || !isContinuedBy(recorded, current)) {
    throw new Error(
      `${directory} holds data from another version of this service. Delete that directory, or set STATE_DIR to another directory.`,
    );
  }
  await writeFile(join(directory, layoutFile), `${JSON.stringify(current, null, 2)}\n`);
}

/**
 * Returns the recorded layout. Returns an empty layout for a new directory, and null if a service has used the
 * directory but left no readable record.
 */
async function recordedLayout(directory: string): Promise<Layout | null> {
  const file = join(directory, layoutFile);
  if (!existsSync(file)) return tracesOfService.some((name) => existsSync(join(directory, name))) ? null : {};
  try {
    return JSON.parse(await readFile(file, "utf8")) as Layout;
  } catch {
    return null;
  }
}

/** Returns true if the current steps of each recorded database begin with the recorded steps. */
function isContinuedBy(recorded: Layout, current: Layout): boolean {
  return Object.entries(recorded).every(
    ([database, steps]) => Array.isArray(steps) && steps.every((step, index) => current[database]?.[index] === step),
  );
}

async function currentLayout(): Promise<Layout> {
  const folder = join(projectRoot, "migrations");
  const names = (await readdir(folder)).filter((name) => name.endsWith(".sql")).sort();
  const migrations = names.map(async (name) => `${name} ${digest(await readFile(join(folder, name), "utf8"))}`);
  return {
    D1: await Promise.all(migrations),
    AccountQuota: quotaStorageSteps.map(digest),
    WebhookSender: deliveryStorageSteps.map(digest),
  };
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}
