// Removes objects of the private bucket that nothing refers to any more: contents of templates whose removal failed halfway, or whose
// push was interrupted, and the data of batches that are gone.
import { CodedError } from "colophon-base/loggable-error";
import pMap from "p-map";
import type { PhaseBatch, Repair, RepairOptions } from "../../core/maintenance/repair.ts";
import type { StoredContent } from "../../ports/maintenance.ts";
import type { MaintenanceServices } from "../../ports/services.ts";
import { maxRepairs } from "./repair-files.ts";

const contentsPerBatch = 500;
const looksAtOnce = 6;
/** An import stores contents before the rows that refer to them. */
const minAgeMs = 24 * 3_600_000;
const batchKey = /^([^/]+)\/batches\/([^/]+)\//;

export async function repairContents(
  services: MaintenanceServices,
  after: string,
  { isForced }: RepairOptions,
): Promise<PhaseBatch> {
  const { templates, now } = services;
  const { contents, isLast } = await templates.list(after, contentsPerBatch);
  const last = contents.at(-1)?.key ?? null;
  if (!isLast && last === null) throw new CodedError("the bucket listed no contents, but says that there are more");
  const old = contents.filter(({ storedAt }) => storedAt < now() - minAgeMs);
  const ofTemplates = await templates.unused(old.filter(({ key }) => !batchKey.test(key)));
  const unused = [...ofTemplates, ...(await withoutBatch(services, old))].map(({ key }) => key);
  const repairs = unused.map((contentKey): Repair => ({ kind: "unused_content", contentKey }));
  if (!isForced && repairs.length > maxRepairs) return { repairs: [], refused: repairs, after: isLast ? null : last };
  await templates.removeContents(unused);
  return { repairs, after: isLast ? null : last };
}

async function withoutBatch({ batches }: MaintenanceServices, contents: StoredContent[]): Promise<StoredContent[]> {
  const isGone = async ({ key }: StoredContent) => {
    const [, accountId = "", batchId = ""] = batchKey.exec(key) ?? [];
    return batchId !== "" && (await batches.find(accountId, batchId)) === null;
  };
  const gone = await pMap(contents, isGone, { concurrency: looksAtOnce });
  return contents.filter((_, index) => gone[index]);
}
