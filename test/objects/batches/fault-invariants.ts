// Checks the invariants of an account's batches and documents when nothing is due any more.
import { isDeepStrictEqual } from "node:util";
import type { BatchState, ItemState } from "../../../src/core/batches/batch.ts";
import { accessOf } from "../../../src/core/documents/document.ts";
import type { FaultRun, Made } from "./fault-run.ts";
import { month } from "./fault-world.ts";

export async function problemsAtEnd(run: FaultRun): Promise<string[]> {
  const { made, state, truth, quota, items } = run;
  const problems: string[] = [];
  const { used, reserved } = await quota.usage(month);
  if (used !== truth.completed.size) problems.push(`${used} are used, but ${truth.completed.size} were completed`);
  if (reserved !== 0 || (await quota.unsettled()) !== 0) problems.push(`${reserved} are still reserved`);
  const states = new Map<string, BatchState>();
  for (const one of made) {
    const batch = await run.live().find(run.account.id, one.batchId);
    if (batch) states.set(one.batchId, batch);
    else if (one.isAccepted) problems.push(`${one.batchId} was accepted, but is unknown`);
    if (batch) problems.push(...(await batchProblems(run, one, batch)));
    else if (items.has(one.batchId)) problems.push(`the items of ${one.batchId} are still stored`);
  }
  const keys = made.flatMap(({ key, batchId }) => (key !== null && states.has(batchId) ? [key] : []));
  if (new Set(keys).size < keys.length) problems.push("a repeat of a request made another batch");
  const fileKeys = new Set<string>();
  for (const { id, status, fileKey, batchId } of state.documents.values()) {
    if (status === "processing") problems.push(`${id} is still processing`);
    if (status === "completed") fileKeys.add(fileKey);
    const batch = states.get(batchId ?? "")?.batch;
    if (batchId !== null && !batch) problems.push(`${id} belongs to ${batchId}, which is unknown`);
    if (batch && accessOf(fileKey) !== batch.options.access) problems.push(`${id} has the file ${fileKey}`);
  }
  for (const fileKey of state.files.keys()) if (!fileKeys.has(fileKey)) problems.push(`${fileKey} has no document`);
  return [...problems, ...fileProblems(run), ...eventProblems(run, states)];
}

function fileProblems({ state }: FaultRun): string[] {
  return [...state.documents.values()].flatMap((document) =>
    document.status === "completed" && state.files.get(document.fileKey)?.sha256 !== document.sha256
      ? [`${document.id} is completed without its file`]
      : [],
  );
}

async function batchProblems(
  run: FaultRun,
  { batchId, names, isCanceled }: Made,
  batch: BatchState,
): Promise<string[]> {
  const problems: string[] = [];
  const { counts, status } = batch;
  if (status !== "ended") problems.push(`${batchId} is ${status}`);
  const results: ItemState[] = [];
  for (let from = 0; from < names.length; from += 4)
    results.push(...((await run.live().results(run.account.id, batchId, from, 4)) ?? []));
  const count = (wanted: string) => results.filter(({ outcome }) => outcome.status === wanted).length;
  const real = {
    total: names.length,
    completed: count("completed"),
    failed: count("failed"),
    canceled: count("canceled"),
  };
  if (JSON.stringify(counts) !== JSON.stringify(real) || real.completed + real.failed + real.canceled !== real.total)
    problems.push(`${batchId} counts ${JSON.stringify(counts)}, but has ${JSON.stringify(real)}`);
  if (results.some(({ index, customId }, place) => index !== place || customId !== `c${place}`))
    problems.push(`the results of ${batchId} are out of order`);
  const mine = [...run.state.documents.values()].filter((document) => document.batchId === batchId);
  const known = new Set<string>();
  for (const { index, outcome } of results) {
    const name = names[index] ?? "";
    const isGood = name.endsWith("good");
    if (outcome.status === "failed" && isGood) problems.push(`${name} has failed: ${outcome.error.message}`);
    if (outcome.status === "completed" && !isGood) problems.push(`${name} was completed`);
    if (outcome.status === "canceled" && !isCanceled) problems.push(`${name} was canceled`);
    if (outcome.status !== "completed" && outcome.status !== "failed") continue;
    const id = outcome.documentId ?? "";
    known.add(id);
    const row = run.state.documents.get(id);
    if ((row?.status ?? "deleted") !== outcome.status && !run.state.deletedDocuments.has(id))
      problems.push(`${name} is ${outcome.status}, but its document is ${row?.status ?? "missing"}`);
  }
  for (const { id, status } of mine) if (!known.has(id)) problems.push(`${id} is ${status}, but no item has it`);
  return problems;
}

function eventProblems({ state }: FaultRun, batches: Map<string, BatchState>): string[] {
  const problems: string[] = [];
  for (const [batchId, { counts }] of batches) {
    const events = [...state.events.values()].filter(({ documentId }) => documentId === batchId);
    const sent = events.map(({ payload }) => JSON.parse(payload) as { type: string; data: { counts: object } });
    const [first, ...others] = sent;
    const isRight = others.length === 0 && first?.type === "batch.completed";
    if (!isRight || !isDeepStrictEqual(first.data.counts, { ...counts, processing: 0 }))
      problems.push(`${batchId} has ${sent.length} events: ${JSON.stringify(sent.map(({ data }) => data.counts))}`);
  }
  for (const { documentId, payload } of state.events.values()) {
    const row = state.documents.get(documentId);
    const { type } = JSON.parse(payload) as { type: string };
    if (row && type !== `document.${row.status}`)
      problems.push(`${documentId} is ${row.status}, but its event is ${type}`);
    if (row && row.batchId !== null) problems.push(`${documentId} of a batch has an event`);
    if (!row && !batches.has(documentId) && !state.deletedDocuments.has(documentId))
      problems.push(`${documentId} has an event, but is unknown`);
  }
  for (const { id, batchId } of state.documents.values())
    if (batchId === null && !state.events.has(`evt_${id.replaceAll("-", "")}`)) problems.push(`${id} has no event`);
  return problems;
}
