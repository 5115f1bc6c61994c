// One account with its real `BatchRunner` and `AccountQuota` objects, over the service's adapters and bindings in memory. Each
// alarm of the runner is an invocation with the platform's limits. Time is simulated: a call takes as long as its binding needs.
import { randomUUID } from "node:crypto";
import { vi } from "vitest";
import { sha256Hex } from "colophon-base/encoding";
import type { PoolJob } from "colophon-render/job-content";
import { noMeasurements } from "colophon-render/render-job";
import { assembled, chromiumPdf } from "../../../packages/pdf/test/inputs.ts";
import type { BatchState } from "../../../src/core/batches/batch.ts";
import type { ItemState } from "../../../src/core/batches/batch.ts";
import { AccountQuota } from "../../../src/objects/account-quota.ts";
import { BatchRunner } from "../../../src/objects/batch-runner.ts";
import { createBatch } from "../../../src/operations/batches/create-batch.ts";
import { putFileOnce } from "../../../src/platform/documents/file-store.ts";
import type { MeasuredOutcome } from "../../../src/platform/rendering/pool-client.ts";
import type { BatchServices, Services } from "../../../src/ports/services.ts";
import { batchServices } from "../../../src/services/object-services.ts";
import { requestServices } from "../../../src/services/request-services.ts";
import { memoryBucket, memoryD1 } from "../../fakes/bindings.ts";
import { objectStorage, storageOf } from "../../fakes/object-storage.ts";
import type { Around } from "../../fixtures/intercepted-bindings.ts";
import { newTenant, type TenantOptions } from "../../fixtures/tenant.ts";
import { drive, driveLimited, limitedBindings, newInvocation, stubFetch, type Invocation } from "./invocation.ts";

/** The platform repeats an alarm that has failed or was interrupted. */
const repeatMs = 2_000;

export type Alarm = Invocation["counts"] & { outcome: "done" | "failed" | "killed"; ms: number; cpuMs: number };

type WorldOptions = {
  tenant?: TenantOptions;
  /** The number of pages of a document, as reported to the service. */
  pageCount?: number;
  /** How long a render takes in a pool. */
  renderMs?: number;
  /** Where the next alarm is killed. */
  killAt?: (state: BatchState | null) => { call: number; hasEffect: boolean } | undefined;
  /** Responds to the request for an image after `imageMs`. */
  image?: (url: string) => Response;
  imageMs?: number;
  /** Changes the services of the runner. */
  change?: (services: BatchServices) => BatchServices;
  variables?: Record<string, string>;
  /** Whether processor time also advances the clock. */
  isTimed?: boolean;
};

/** Node has only a transform stream for this. */
class LengthStream extends TransformStream<Uint8Array, Uint8Array> {
  constructor(_length: number) {
    super();
  }
}

export type BatchWorld = Awaited<ReturnType<typeof batchWorld>>;

export async function batchWorld(options: WorldOptions = {}) {
  const { tenant, pageCount = 1, renderMs = 150, killAt, change, variables, isTimed } = options;
  const { image = () => new Response(null, { status: 404 }), imageMs = 0 } = options;
  vi.stubGlobal("FixedLengthStream", LengthStream);
  const { bucket: files, objects: stored } = memoryBucket();
  const storage = objectStorage();
  const alarms: Alarm[] = [];
  const queued: unknown[] = [];
  /** The number of renders in each pool. */
  const pools = new Map<string, number>();
  const bindings = {
    ...{
      DB: memoryD1(),
      FILES: files,
      PRIVATE_FILES: memoryBucket().bucket,
      TEMPLATES: memoryBucket().bucket,
      RATE_LIMITS: "off",
    },
    WEBHOOKS: { send: async (event: unknown) => void queued.push(event) },
    ASSETS: {},
    VERSION: { id: "v" },
    WEBHOOK_SECRETS_KEY: Buffer.alloc(32, "tests").toString("base64"),
    ACCOUNT_QUOTA: namespaceOf(() => quota),
    BATCH_RUNNER: namespaceOf(() => live()),
    BROWSER_POOL: namespaceOf((name) => ({ render: (job: PoolJob) => render(name, job) })),
    WEBHOOK_SENDER: namespaceOf(() => ({})),
    ...variables,
  } as unknown as Env;
  const quota = new AccountQuota({ storage: objectStorage() } as DurableObjectState, bindings);
  let current: Invocation | null = null;
  let instance: { runner: BatchRunner; isDead: boolean } | null = null;
  /** Nothing that an instance does after its end reaches a binding. */
  const limitedFor = (its: { isDead: boolean }) =>
    limitedBindings(bindings, (name, work, statements) => {
      if (its.isDead) return new Promise<never>(() => {});
      return current ? current.call(name, work, statements) : work();
    });

  /** Font files are irrelevant here. */
  const withoutFonts = (services: BatchServices): BatchServices => ({
    ...services,
    log: () => {},
    servicesFor: (origin) => ({ ...services.servicesFor(origin), fonts: { facesFor: async () => [] }, log: () => {} }),
  });

  const fetched: Around = (...args) => current?.call(...args) ?? Promise.reject(new Error("no invocation"));
  stubFetch(fetched, async (url) => {
    await new Promise((resolve) => setTimeout(resolve, imageMs));
    return image(url);
  });

  function live(): BatchRunner {
    if (instance && !instance.isDead) return instance.runner;
    const its = { isDead: false };
    const limited = limitedFor(its);
    const services = withoutFonts(batchServices(limited, (work) => void work.catch(() => {})));
    const context = { storage: storageOf(its, storage) } as DurableObjectState;
    const runner = new BatchRunner(context, limited, change?.(services) ?? services);
    instance = Object.assign(its, { runner });
    return runner;
  }

  const pdf = assembled(chromiumPdf()).bytes;
  const sha256 = await drive(sha256Hex(pdf));

  async function render(pool: string, job: PoolJob): Promise<MeasuredOutcome> {
    pools.set(pool, (pools.get(pool) ?? 0) + 1);
    await new Promise((resolve) => setTimeout(resolve, renderMs));
    const about = { fileSize: pdf.length, sha256, pageCount, warnings: [], imageSize: null, width: 794, height: 1123 };
    const metadata = await putFileOnce(files, job.fileKey, job.format, pdf, about);
    return { status: "rendered", ...metadata, measurements: noMeasurements(undefined) };
  }

  const { accountId, templateId } = await drive(newTenant(bindings, { plan: "enterprise", ...tenant }));
  const account = {
    ...({ id: accountId, name: "Test", retentionDays: "keep", access: "public", recordDownloads: false } as const),
    plan: { name: "enterprise" as const, monthlyRenders: 100_000, apiAccess: true, retentionDays: "keep" as const },
  };
  const services: Services = requestServices(bindings, (work) => void work.catch(() => {}));

  /** Creates a batch with merged output, and returns its id. Each item is named after its `customId`. */
  async function create(count: number, itemOf: (index: number) => object = (index) => ({ name: `c${index}` })) {
    const items = Array.from({ length: count }, (_, index) => ({ customId: `c${index}`, data: itemOf(index) }));
    const encoded = items.map((item) => ({ bytes: new TextEncoder().encode(`${JSON.stringify(item)}\n`), item }));
    const { state } = await drive(
      createBatch({ ...services, newId: () => randomUUID() }, account, {
        ...{ templateId, output: ["merged"], webhookUrl: "https://hooks.receiver.dev/", arrivedAt: Date.now() },
        options: { format: "pdf", deviceScaleFactor: 1 },
        lines: (async function* () {
          yield* encoded as never[];
        })(),
        byteLength: encoded.reduce((sum, { bytes }) => sum + bytes.length, 0),
        idempotency: async () => null,
      }),
    );
    return state.batch.id;
  }

  /** Fires the alarm that is due next, and returns whether there was one before `untilMs`. */
  async function fireAlarm(untilMs: number): Promise<boolean> {
    const at = await storage.getAlarm();
    if (at === null || at > untilMs) return false;
    if (at > Date.now()) vi.advanceTimersByTime(at - Date.now());
    await storage.deleteAlarm();
    const runner = live();
    const kill = killAt?.(await lastBatch());
    const invocation = newInvocation({ killAt: kill });
    current = invocation;
    const beganMs = Date.now();
    const outcome = await driveLimited(invocation, runner.alarm(), isTimed);
    alarms.push({ ...invocation.counts, outcome, ms: Date.now() - beganMs, cpuMs: invocation.cpuMs() });
    if (outcome !== "done" && instance) {
      instance.isDead = true;
      const next = await storage.getAlarm();
      await storage.setAlarm(Math.min(next ?? Infinity, Date.now() + repeatMs));
    }
    current = null;
    return true;
  }

  const batchIds: string[] = [];
  const lastBatch = async () => (batchIds.length > 0 ? find(batchIds.at(-1) ?? "") : null);
  const find = (batchId: string) => live().find(accountId, batchId);

  async function results(batchId: string): Promise<ItemState[]> {
    const all: ItemState[] = [];
    for (let from = 0; ; from += 500) {
      const page = (await live().results(accountId, batchId, from, 500)) ?? [];
      all.push(...page);
      if (page.length < 500) return all;
    }
  }

  return {
    ...{ accountId, alarms, pools, stored, queued, bindings, storage, find, results, fireAlarm },
    live,
    async create(...args: Parameters<typeof create>) {
      const id = await create(...args);
      vi.advanceTimersByTime(1); // Batches begin in the order of their creation.
      batchIds.push(id);
      return id;
    },
    /** Fires alarms until none is due within the given time. */
    async pass(ms: number): Promise<void> {
      const untilMs = Date.now() + ms;
      while (await fireAlarm(untilMs));
    },
    /** Fires alarms until the batch has ended. */
    async end(batchId: string): Promise<BatchState> {
      for (;;) {
        const state = await find(batchId);
        if (state?.status === "ended") return state;
        if (!(await fireAlarm(Infinity))) throw new Error("the batch has no alarm");
      }
    },
    usage: async (month: string) => quota.usage(month),
  };
}

export function namespaceOf(objectOf: (name: string) => object) {
  return { idFromName: (name: string) => name, get: (id: string) => objectOf(id) };
}
