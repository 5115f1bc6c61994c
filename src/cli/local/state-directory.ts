// Refuses a STATE_DIR that was written with a different storage layout, and does so before anything in the directory is
// changed. A file in the directory records the steps that built its databases; the steps of this version must begin
// with the recorded ones.
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { quotaStorageSteps } from "../../objects/accounts/quota-storage.ts";
import { deliveryStorageSteps } from "../../objects/webhooks/delivery-storage.ts";
import { projectRoot } from "../bindings.ts";

/** The steps that build each database, in order. A step is the digest of its text, preceded by its name if it has one. */
export type Layout = Record<string, string[]>;

const layoutFile = "layout.json";
/** A service that has run leaves at least one of these. The operator's command alone leaves none. */
const tracesOfService = ["demo.json", "running.json", "v3/do"];

/**
 * Checks the directory and records the current layout in it. Throws if a service has run there, unless the recorded
 * layout is the beginning of the current one.
 */
export async function checkStateDirectory(directory: string, layout?: Layout): Promise<void> {
  const current = layout ?? (await currentLayout());
  const recorded = await recordedLayout(directory);
  if (recorded === null || !isContinuedBy(recorded, current)) {
    throw new Error(
      `${directory} holds data from another version of this service: delete that directory, or set STATE_DIR to another one.`,
    );
  }
  await writeFile(join(directory, layoutFile), `${JSON.stringify(current, null, 2)}\n`);
}

/** Null when the directory has data but no readable record. */
async function recordedLayout(directory: string): Promise<Layout | null> {
  const file = join(directory, layoutFile);
  if (!existsSync(file)) return tracesOfService.some((name) => existsSync(join(directory, name))) ? null : {};
  try {
    return JSON.parse(await readFile(file, "utf8")) as Layout;
  } catch {
    return null;
  }
}

/** True when, for each recorded database, `current` has the same steps, possibly followed by new ones. */
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
