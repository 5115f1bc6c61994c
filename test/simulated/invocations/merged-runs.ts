import { readPdf } from "colophon-test-kit/pdf-reader";
// Runs batches with merged output while killing their alarms, and checks the merged files.
import type { MergedFile } from "../../../src/core/batches/batch.ts";
import { faultSource } from "../../faults/fault-injection.ts";
import { batchWorld, type BatchWorld } from "./batch-world.ts";

/** Returns the bookmarks of a merged file, in order. */
export function titlesOf({ stored }: BatchWorld, { fileKey }: MergedFile): string[] {
  const { objects } = readPdf(stored.get(fileKey)?.bytes ?? new Uint8Array());
  return [...objects.values()].flatMap((source) => /\/Title \((c\d+)\)/.exec(source)?.[1] ?? []);
}

/** Returns the event of the batch's webhook. */
export async function eventOf({ bindings }: BatchWorld, batchId: string): Promise<unknown> {
  const select = bindings.DB.prepare("SELECT payload FROM webhook_events WHERE document_id = ?").bind(batchId);
  const { results } = await select.all<{ payload: string }>();
  return results.length === 1 ? JSON.parse(results[0]?.payload ?? "") : results;
}

/** The maximum number of additional alarms, because a slice was full or a kill ended it. */
const spareAlarms = 15;
const tasksOfSlice = 250;

type Run = { seed: number; count: number; pageCount: number };

/**
 * Renders a batch. While it is rendered, each alarm is killed at its fiftieth call. While it is merged, every third alarm is killed at a
 * random multiple of fifty calls, because a file of 2,000 documents takes more than fifty. Returns the problems at the end.
 */
export async function killedRun({ seed, count, pageCount }: Run): Promise<string[]> {
  const faults = faultSource(seed, 0);
  const killAt: NonNullable<Parameters<typeof batchWorld>[0]>["killAt"] = (state) => {
    const hasEffect = faults.random() < 0.5;
    const isRendering = state !== null && state.counts.completed < count;
    if (isRendering) return { call: 50, hasEffect };
    return faults.random() < 1 / 3 ? { call: 50 * (1 + Math.floor(faults.random() * 40)), hasEffect } : undefined;
  };
  const world = await batchWorld({ pageCount, killAt });
  const id = await world.create(count);
  const { counts, files, warnings, batch } = await world.end(id);
  const problems: string[] = [];
  if (counts.completed !== count) problems.push(`the counts are ${JSON.stringify(counts)}`);
  const titles = files.flatMap((file) => titlesOf(world, file));
  if (titles.join() !== Array.from({ length: count }, (_, index) => `c${index}`).join())
    problems.push(
      `${titles.length} documents are in ${files.length} merged files, or not in their order: ${warnings.join()}`,
    );
  const documentsOfFile = 2_000 / pageCount;
  if (files.length !== Math.ceil(count / documentsOfFile)) problems.push(`there are ${files.length} merged files`);
  const { used, reserved } = await world.usage(batch.month);
  if (used !== count || reserved !== 0) problems.push(`${used} are used, and ${reserved} reserved`);
  const rows = await world.bindings.DB.prepare("SELECT count(*) AS n FROM documents WHERE status = 'completed'").all();
  if (rows.results[0]?.["n"] !== count) problems.push(`the database has ${JSON.stringify(rows.results)} documents`);
  const event = (await eventOf(world, id)) as { type?: string };
  if (event.type !== "batch.completed") problems.push(`the event is ${JSON.stringify(event)}`);
  const killed = world.alarms.filter(({ outcome }) => outcome === "killed").length;
  if (world.alarms.some(({ outcome }) => outcome === "failed")) problems.push("an alarm has failed");
  const needed = killed + Math.ceil(count / tasksOfSlice) + files.length;
  if (world.alarms.length > needed + spareAlarms)
    problems.push(`${world.alarms.length} alarms for ${needed} that were needed`);
  return problems.map((problem) => `seed ${seed}: ${problem}`);
}
