// Sends requests that are killed at a chosen step: before or after a chosen call to D1, R2, the queue or the account's object.
import type { RenderOutcome } from "colophon-render/render-job";
import type { Access } from "colophon-template-model/template";
import { newInvocation, underFaults, type Fault, type FaultSource } from "../../faults/fault-injection.ts";
import { faultyServices, webhookUrl } from "../../faults/faulty-services.ts";
import { describedApp } from "../../fixtures/described-app.ts";
import { baseUrl, type Tenant } from "../../fixtures/tenant.ts";

/** Whether the request dies before or after the call takes effect. */
export type Kill = Extract<Fault, "crash" | "crash-after">;

export type KilledRequest = {
  /** Null if the request was killed before its response. */
  response: Response | null;
  wasKilled: boolean;
  fileKeys: Set<string>;
};

/** A lease that does not end during a test, so that no alarm settles anything by itself. */
const longLeaseMs = 600_000;

/** Kills the request at call number `step`, counted from 1. */
function killAt(step: number, kill: Kill): FaultSource {
  let calls = 0;
  return {
    random: () => 0.5,
    pick: (options) => options.find((option) => option === kill) ?? (options[0] as (typeof options)[number]),
    // The rate is read once for each call.
    get rate() {
      return ++calls === step ? 1 : 0;
    },
  };
}

/** Sends a request that is killed at this step. Resolves when the request and its background work have ended. */
export async function killedRequest(
  { step, kill, outcome, access = "public" }: { step: number; kill: Kill; outcome?: RenderOutcome; access?: Access },
  tenant: Tenant,
  [method, path]: [method: string, path: string],
): Promise<KilledRequest> {
  const invocation = newInvocation();
  const run = { faults: killAt(step, kill), fileKeys: new Set<string>() };
  const background: Promise<unknown>[] = [];
  const services = faultyServices(run, invocation);
  const app = describedApp({
    servicesOf: () => ({
      ...services,
      settings: { ...services.settings, leaseMs: longLeaseMs, renderBudgetMs: 25_000 },
      ...(outcome ? { renderer: { render: async () => outcome } } : {}),
      // Every message is lost, so that events reach their sender only through the outbox.
      webhookQueue: { send: () => underFaults(run.faults, invocation, "WEBHOOKS.send", async () => {}) },
      background: (_what, work) => void background.push(work.catch(() => {})),
    }),
    log: () => {},
  });
  const headers = { Authorization: `Bearer ${tenant.key}`, "Content-Type": "application/json" };
  const sent = { templateId: tenant.templateId, data: {}, webhookUrl, access };
  const body = method === "POST" ? JSON.stringify(sent) : null;
  const context = { waitUntil: () => {}, passThroughOnException: () => {}, props: {} } as unknown as ExecutionContext;
  const request = new Request(`${baseUrl}${path}`, { method, headers, body });
  const killed = invocation.over.then(() => null);
  const response = await Promise.race([app.fetch(request, {}, context), killed]);
  await Promise.race([Promise.all(background), killed]);
  return { response, wasKilled: invocation.isOver, fileKeys: run.fileKeys };
}
