// Runs one seed: requests, faults and kills in random order, and then none until no work is due.
import { vi } from "vitest";
import { hasTables } from "../../../src/objects/runtime/ledger.ts";
import { createBatch, type BatchRequest } from "../../../src/operations/batches/create-batch.ts";
import { createLater } from "../../../src/operations/batches/create-later.ts";
import { deleteDocument } from "../../../src/operations/documents/stored-documents.ts";
import type { Services } from "../../../src/ports/services.ts";
import { problemsAtEnd } from "./fault-invariants.ts";
import { faultWorld, minuteMs, month, type FaultWorld } from "./fault-world.ts";
import type { Callee, Caller } from "./faulty-calls.ts";

export type Made = { batchId: string; names: string[]; key: string | null; isAccepted: boolean; isCanceled: boolean };
export type FaultRun = FaultWorld & { made: Made[]; clients: Caller[]; ends: { atMs: number; run(): void }[] };

const maxSteps = 30_000;
const calmMs = 180 * minuteMs;
const webhookUrl = "https://hooks.receiver.dev/";
/** Waits until everything has run that does not wait for a call. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

/** Returns the violations of the invariants. */
export async function runSeed(seed: number): Promise<string[]> {
  const world: FaultRun = { ...(await faultWorld(seed)), made: [], clients: [], ends: [] };
  const { faults, calls, problems } = world;
  const actions = actionsOf(world);
  let calmAt = Infinity;
  let steps = 0;
  for (; steps < maxSteps; steps++) {
    await settled();
    problems.push(...usageProblems(world, await world.quota.usage(month)));
    advance(world, Math.floor(faults.random() * 20));
    if (faults.random() < 0.05) calls.arrive();
    if (actions.length > 0 && faults.random() < 0.05) actions.shift()?.();
    else if (fireAlarms(world, 0.3) || calls.release()) continue;
    else if (actions.length > 0) actions.shift()?.();
    else if (fireAlarms(world, 1) || (faults.random() < 0.2 && calls.arrive())) continue;
    else {
      if (calmAt === Infinity) calmAt = world.state.nowMs;
      const next = await nextTime(world);
      if (next > calmAt + calmMs && calls.arrive()) continue;
      if (next > calmAt + calmMs) break;
      advance(world, next - world.state.nowMs);
    }
  }
  if (steps === maxSteps) problems.push("it did not end");
  problems.push(...(await problemsAtEnd(world)));
  return [...new Set(problems)].map((problem) => `seed ${seed}: ${problem}`);
}

function advance({ state, ends }: FaultRun, ms: number): void {
  state.nowMs += Math.max(0, ms);
  vi.setSystemTime(state.nowMs);
  for (const end of ends.filter(({ atMs }) => atMs <= state.nowMs)) end.run();
  ends.splice(0, ends.length, ...ends.filter(({ atMs }) => atMs > state.nowMs));
}

async function nextTime({ storage, quotaStorage, ends }: FaultRun): Promise<number> {
  const alarms = [await storage.getAlarm(), await quotaStorage.getAlarm()];
  return Math.min(...alarms.map((at) => at ?? Infinity), ...ends.map(({ atMs }) => atMs));
}

/** Fires an alarm that is due, with this probability. */
function fireAlarms(world: FaultRun, probability: number): boolean {
  const { faults, alarms } = world;
  if (faults.random() > probability) return false;
  return alarms.quota() || alarms.runner();
}

function actionsOf(world: FaultRun): (() => void)[] {
  const { faults } = world;
  const times = (max: number, action: () => void) =>
    Array.from({ length: Math.floor(faults.random() * (max + 1)) }, () => action);
  const down = (callee: Callee, minutes: number) => () => {
    world.calls.isDown.add(callee);
    const atMs = world.state.nowMs + faults.random() * minutes * minuteMs;
    world.ends.push({ atMs, run: () => void world.calls.isDown.delete(callee) });
  };
  const actions = [
    ...times(4, world.kill),
    ...times(1, () => void world.calls.end(faults.pick(world.clients))),
    ...times(2, () => void world.alarms.again()),
    ...times(1, down("d1", 10)),
    ...times(1, down("files", 60)),
    ...times(1, down("contents", 60)),
    ...times(1, down("renderer", 10)),
    ...times(3, () => cancel(world)),
    ...times(4, () => remove(world)),
    ...times(3, () => createQueued(world)),
    ...times(3, () => create(world)),
  ];
  const shuffled = actions
    .map((action) => ({ action, at: faults.random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ action }) => action);
  const calm = () => {
    const atMs = world.state.nowMs + (5 + faults.random() * 25) * minuteMs;
    world.ends.push({ atMs, run: () => void (faults.rate = 0) });
  };
  return [() => create(world), ...shuffled, calm];
}

/** A request, whatever its outcome. */
function request(world: FaultRun, work: (services: Services) => Promise<unknown>): void {
  const client = { isDead: false };
  world.clients.push(client);
  void work(world.servicesOf(client)).catch(
    (error: unknown) => void world.state.log.push({ level: "test", event: "request.failed", cause: error }),
  );
}

const kinds = ["poisoned", "impossible", "slow", "good", "good", "good", "good", "good"];

function create(world: FaultRun): void {
  const { faults, made } = world;
  const itemKinds = Array.from({ length: 1 + Math.floor(faults.random() * 9) }, () => faults.pick(kinds));
  const key = faults.random() < 0.7 ? `key ${made.length}` : null;
  /** A client repeats its request only with a key. */
  const attempt = async (services: Services, left: number): Promise<void> => {
    const one = madeOf(world, itemKinds, key);
    try {
      const { state } = await createBatch(
        { ...services, newId: () => one.batchId },
        world.account,
        requestOf(world, one),
      );
      for (const other of made) other.isAccepted ||= other.batchId === state.batch.id;
    } catch (error) {
      if (left === 0 || key === null) throw error;
      await attempt(services, left - 1);
    }
  };
  request(world, (services) => attempt(services, 2));
}

function madeOf({ made }: FaultRun, itemKinds: string[], key: string | null): Made {
  const batchId = `00000000-0000-4000-9000-${String(made.length).padStart(12, "0")}`;
  const names = itemKinds.map((kind, index) => `${batchId} item ${index} ${kind}`);
  const one = { batchId, names, key, isAccepted: false, isCanceled: false };
  made.push(one);
  return one;
}

function requestOf({ template, state }: FaultRun, { names, key }: Made): BatchRequest {
  const encoder = new TextEncoder();
  const items = names.map((name, index) => ({ customId: `c${index}`, data: { name } }));
  const lines = items.map((item) => ({ bytes: encoder.encode(`${JSON.stringify(item)}\n`), item }));
  return {
    templateId: template.id,
    options: { format: "pdf", deviceScaleFactor: 1, access: names.length % 2 === 0 ? "private" : "public" },
    output: ["documents"],
    webhookUrl,
    lines: (async function* () {
      yield* lines;
    })(),
    byteLength: lines.reduce((sum, { bytes }) => sum + bytes.length, 0),
    idempotency: async () => (key === null ? null : { key, bodyHash: "b" }),
    arrivedAt: state.nowMs,
  };
}

function createQueued(world: FaultRun): void {
  const { faults, account, template, state } = world;
  const name = `single ${faults.pick(kinds)} ${faults.random()}`;
  const input = { templateId: template.id, data: { name }, format: "pdf", deviceScaleFactor: 1, webhookUrl } as const;
  request(world, (services) =>
    createLater({ ...services, newId: () => crypto.randomUUID() }, account, {
      ...input,
      idempotency: null,
      arrivedAt: state.nowMs,
    }),
  );
}

function cancel(world: FaultRun): void {
  const one = world.faults.pick(world.made);
  one.isCanceled = true;
  request(world, ({ batches }) => batches.cancel(world.account.id, one.batchId));
}

/** Deletes a document, or cancels it if it is processing. */
function remove(world: FaultRun): void {
  const { account, faults, state } = world;
  const ids = [...state.documents.keys()];
  if (ids.length > 0) request(world, (services) => deleteDocument(services, account, faults.pick(ids)));
}

type CountRow = { total: number; completed: number; failed: number; canceled: number };

/** Returns what is held or counted wrongly at this moment, or exceeds its maximum. */
function usageProblems(world: FaultRun, { used, reserved }: { used: number; reserved: number }): string[] {
  const { storage, quotaStorage, state, truth } = world;
  const count = (query: string) => quotaStorage.sql.exec<{ n: number }>(query).one().n;
  const most = count("SELECT coalesce(sum(total), 0) AS n FROM batch_holds") + count("SELECT count(*) AS n FROM holds");
  const visible = "SELECT * FROM batches WHERE state IN ('processing', 'canceling', 'ended')";
  const rows = hasTables(storage) ? storage.sql.exec<CountRow>(visible).toArray() : [];
  const ofBatches = rows.reduce((sum, { total, failed, canceled }) => sum + total - failed - canceled, 0);
  const singles = [...state.documents.values()].filter(
    ({ batchId, status }) => batchId === null && status !== "failed",
  ).length;
  const least = Math.max(truth.completed.size, ofBatches + singles);
  const sum = used + reserved;
  return [
    ...(sum > most ? [`${sum} are used or reserved, but only ${most} were ever held`] : []),
    ...(sum < least ? [`${sum} are used or reserved, but ${least} have been or can be completed`] : []),
  ];
}
