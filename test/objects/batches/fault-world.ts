// One account with its real `BatchRunner` and `AccountQuota` objects, over calls that fail. Only one event happens at a time,
// chosen by the seed: a call takes effect, an alarm fires, a request arrives, an object ends, or a part of the service fails.
import { vi } from "vitest";
import type { RenderJob, RenderOutcome } from "colophon-render/render-job";
import { field, templateContent } from "colophon-test-kit/template-content";
import { keptTemplateId } from "../../../src/core/batches/batch.ts";
import { AccountQuota } from "../../../src/objects/account-quota.ts";
import { BatchRunner } from "../../../src/objects/batch-runner.ts";
import { quotaClient, type QuotaObject } from "../../../src/platform/accounts/quota-client.ts";
import { runnerClient } from "../../../src/platform/batches/runner-client.ts";
import type { ObjectNamespace } from "../../../src/platform/object-client.ts";
import type { BatchFiles, Batches } from "../../../src/ports/batches.ts";
import type { BatchServices, Services } from "../../../src/ports/services.ts";
import { objectStorage, storageOf } from "../../fakes/object-storage.ts";
import { putFile } from "../../fakes/renderer.ts";
import { fakeAccount, fakeServices, fakeTemplate } from "../../fakes/services.ts";
import { faultSource } from "../../faults/fault-injection.ts";
import { faultyCalls, type Callee, type Caller } from "./faulty-calls.ts";

export const month = "2026-11";
export const monthlyRenders = 40;
export const minuteMs = 60_000;
const settings = { batchLimits: { items: 100, openBatches: 3, waitingItems: 60 } };

/** An instance of the `BatchRunner`. Calls to it reject when it ends. */
type Instance = Caller & { runner: BatchRunner; ended: PromiseWithResolvers<never>; alarms: number };

export type FaultWorld = Awaited<ReturnType<typeof faultWorld>>;

export async function faultWorld(seed: number) {
  const faults = faultSource(seed, [0.04, 0.08, 0.15][seed % 3] ?? 0);
  const calls = faultyCalls(faults);
  const base = fakeServices({ settings });
  const { state } = base;
  vi.setSystemTime(state.nowMs);
  const { account } = await fakeAccount(base, { monthlyRenders });
  const content = templateContent({ fields: [field("name", "string")], page: "<p>name:{{ name }};</p>" });
  const template = fakeTemplate(base, account, content);
  const compiled = await base.templates.compiled(template);
  base.templates.compiled = async () => compiled;
  const problems: string[] = [];
  /** Documents that have ever been completed, and the maximum number of renders that have been held. */
  const truth = { completed: new Set<string>(), held: 0 };

  const { insert } = base.documents;
  base.documents.insert = async (document, event) => {
    const outcome = await insert(document, event);
    if (state.documents.get(document.id)?.status === "completed") truth.completed.add(document.id);
    return outcome;
  };
  /**
   * The documents in the browser, the documents whose browser was crashed by another document, and how many crashes other documents have
   * caused.
   */
  const rendering = new Map<string, Caller>();
  const crashing = new Set<string>();
  const crashes = new Map<string, number>();

  const items = new Map<string, string>();
  const stored = batchFiles(items, (batchId, isKept) => {
    const id = keptTemplateId(batchId);
    if (isKept) state.templates.set(id, { template: { ...template, id }, content, folder: id });
    else state.templates.delete(id);
  });

  const { storage, ...runnerAlarm } = storageWithAlarm();
  const { storage: quotaStorage, ...quotaAlarm } = storageWithAlarm();
  const quota = new AccountQuota({ storage: quotaStorage } as DurableObjectState, {} as Env, {
    ...portsOf({ isDead: false }),
    completedByMonth: async () => ({ [month]: truth.completed.size }),
  });
  let instance = newInstance();

  function portsOf(caller: Caller) {
    const wrapped = <T extends object>(callee: Callee, service: T) => calls.wrapped(caller, callee, service);
    return {
      ...base,
      documents: wrapped("d1", base.documents),
      files: wrapped("files", base.files),
      webhookQueue: wrapped("queue", base.webhookQueue),
      templates: { ...base.templates, compiled: wrapped("contents", { compiled: base.templates.compiled }).compiled },
      batchFiles: {
        ...wrapped("contents", stored),
        upload: (...args: Parameters<BatchFiles["upload"]>) => wrapped("contents", stored.upload(...args)),
      },
      quota: quotaClient(
        namespaceOf<QuotaObject>(caller, () => quota),
        { tryTimeoutMs: 1, homeOf: async () => null },
      ),
      renderer: {
        render: (job: RenderJob) => {
          const name = nameOf(job);
          rendering.set(name, caller);
          return calls.call(caller, "renderer", async () => (rendering.delete(name), render(name, caller, job)));
        },
      },
      background: (_what: string, work: Promise<unknown>) => void work.catch(() => {}),
    };
  }

  /** Services of a request. */
  function servicesOf(caller: Caller): Services {
    const runner = namespaceOf<Batches>(caller, live);
    return { ...portsOf(caller), batches: runnerClient(runner, { tryTimeoutMs: 1, homeOf: async () => null }) };
  }

  function namespaceOf<T extends object>(caller: Caller, object: () => T): ObjectNamespace<T> {
    // The object is chosen when the call arrives.
    const stub = new Proxy({} as T, {
      get:
        (_, name) =>
        (...args: unknown[]) =>
          calls.call(caller, "object", async () => {
            const target = object();
            const method = Reflect.get(target, name) as (...all: unknown[]) => Promise<unknown>;
            const work = method.apply(target, args);
            return Promise.race([work, ...(target === instance.runner ? [instance.ended.promise] : [])]);
          }),
    });
    return { idFromName: (id) => id as unknown as DurableObjectId, get: () => stub };
  }

  function live(): BatchRunner {
    if (instance.isDead) instance = newInstance();
    return instance.runner;
  }

  function newInstance(): Instance {
    const caller: Caller = { isDead: false };
    const { quota: batchQuota, ...ports } = portsOf(caller);
    const services: BatchServices = {
      ...ports,
      quota: batchQuota,
      mergedFiles: { put: async () => 0, exists: async () => false, remove: async () => {} },
      webhooks: calls.wrapped(caller, "d1", {
        insert: async (event) => void (state.events.has(event.id) || state.events.set(event.id, event)),
      } satisfies BatchServices["webhooks"]),
      rendersAtOnce: () => 3,
      servicesFor: () => ports,
    };
    const ended = Promise.withResolvers<never>();
    ended.promise.catch(() => {});
    const runner = new BatchRunner({ storage: storageOf(caller, storage) } as DurableObjectState, {} as Env, services);
    return Object.assign(caller, { runner, ended, alarms: 0 });
  }

  async function render(name: string, caller: Caller, job: RenderJob): Promise<RenderOutcome> {
    if (isOver(name)) problems.push(`${name} was rendered after its batch had ended`);
    if (crashing.delete(name)) return { status: "crashed", reason: "another document" };
    if (calls.isDown.has("files")) return { status: "crashed", reason: "the file could not be stored" };
    if (calls.isDown.has("renderer") || faults.random() < faults.rate)
      return { status: "no_capacity", retryAfterSeconds: 2 };
    if (name.includes("poisoned")) {
      for (const [other, its] of rendering) if (its === caller) crashing.add(other);
      return { status: "crashed", reason: "poison" };
    }
    if (name.includes("impossible")) return { status: "impossible", message: "no" };
    const made = await putFile(state, { ...job, html: `${job.html} ${faults.random()}` });
    if (name.includes("slow")) return { status: "timed_out" };
    const count = crashes.get(name) ?? 0;
    if (count >= 2 || faults.random() >= faults.rate) return { status: "rendered", ...made };
    crashes.set(name, count + 1);
    return { status: "crashed", reason: "at random" };
  }

  function isOver(name: string): boolean {
    const batchId = /^(\S+) item/.exec(name)?.[1] ?? "";
    const [row] = storage.sql.exec<{ state: string }>("SELECT state FROM batches WHERE id = ?", batchId).toArray();
    return row !== undefined && !["processing", "canceling"].includes(row.state);
  }

  function kill(): void {
    if (instance.isDead) return;
    calls.end(instance);
    rendering.clear();
    crashing.clear();
    // The platform repeats an alarm that was interrupted, but the object must not need that.
    if (instance.alarms > 0 && faults.random() < 0.5)
      void storage.setAlarm(Math.min(runnerAlarm.atMs() ?? Infinity, state.nowMs + 2_000));
    instance.ended.reject(new Error("The Durable Object was reset."));
  }

  /** Each method fires an alarm, and returns whether one was due. */
  const alarms = {
    quota() {
      if (!isDue(quotaAlarm)) return false;
      quotaAlarm.take();
      void quota.alarm().catch(() => {});
      return true;
    },
    runner() {
      if ((instance.alarms > 0 && !instance.isDead) || !isDue(runnerAlarm)) return false;
      runnerAlarm.take();
      alarms.again();
      return true;
    },
    /** Fires the alarm of the runner, whether it is due or not. */
    again() {
      const runner = live();
      const its = instance;
      its.alarms++;
      void runner.alarm().then(
        () => its.alarms--,
        () => its.alarms--,
      );
    },
  };

  function isDue(alarm: Alarm): boolean {
    return alarm.atMs() !== null && (alarm.atMs() ?? 0) <= state.nowMs;
  }

  return {
    alarms,
    documents: base.documents,
    ...{ seed, faults, calls, state, account, template, problems, truth, items, storage, quotaStorage, quota },
    ...{ servicesOf, live, kill, instance: () => instance },
  };
}

type Alarm = { atMs(): number | null; take(): void };

/** A storage whose alarm the test can read immediately. */
function storageWithAlarm(): Alarm & { storage: DurableObjectStorage } {
  let atMs: number | null = null;
  const storage = Object.assign(objectStorage(), {
    getAlarm: async () => atMs,
    setAlarm: async (at: number) => void (atMs = at),
    deleteAlarm: async () => void (atMs = null),
  });
  return { storage, atMs: () => atMs, take: () => void (atMs = null) };
}

function nameOf({ html }: RenderJob): string {
  return /name:(.*?);/.exec(html)?.[1] ?? "";
}

function batchFiles(items: Map<string, string>, keep: (batchId: string, isKept: boolean) => void): BatchFiles {
  return {
    upload(_accountId, batchId) {
      let text = "";
      return {
        write: async (bytes) => void (text += new TextDecoder().decode(bytes)),
        finish: async () => void items.set(batchId, text),
        abort: async () => {},
      };
    },
    async readItems(_accountId, batchId, { offset, length }) {
      const text = items.get(batchId);
      if (text === undefined) throw new Error("the items are missing");
      return text.slice(offset, offset + length);
    },
    keepTemplate: async (_accountId, batchId) => keep(batchId, true),
    async remove(_accountId, batchId) {
      items.delete(batchId);
      keep(batchId, false);
    },
  };
}
