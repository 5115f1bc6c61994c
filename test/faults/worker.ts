// A Worker whose Durable Objects use bindings with injected faults and outages, so that settlements and deliveries can fail as
// well as requests.
import { AccountQuota as RealAccountQuota } from "../../src/objects/account-quota.ts";
import { WebhookSender as RealWebhookSender } from "../../src/objects/webhook-sender.ts";
import { consumeWebhookMessages } from "../../src/operations/webhooks/dispatch-webhooks.ts";
import { dispatchServices } from "../../src/services/maintenance-services.ts";
import { databasesOf } from "../fixtures/databases.ts";
import { faultSource, faulty, faultyD1, type FaultSource } from "./fault-injection.ts";
import { receiverOrigin, withOutages } from "./outages.ts";

export { BatchRunner } from "../../src/objects/batch-runner.ts";
export { BrowserPool } from "../../src/objects/browser-pool.ts";

/** The source of faults inside Durable Objects. Every run replaces this source before its first operation. */
export const inObjects: { faults: FaultSource } = { faults: faultSource(0, 0) };

const faults: FaultSource = {
  random: () => inObjects.faults.random(),
  pick: (options) => inObjects.faults.pick(options),
  get rate() {
    return inObjects.faults.rate;
  },
};

const faultyEnv = (env: Env): Env => {
  const bindings = withOutages(env);
  return {
    ...bindings,
    ...databasesOf(bindings, (database) => faultyD1(faults, null, database)),
    FILES: faulty(faults, null, bindings.FILES, "FILES", ["put", "head", "get", "delete"]),
    PRIVATE_FILES: faulty(faults, null, bindings.PRIVATE_FILES, "PRIVATE_FILES", ["put", "head", "get", "delete"]),
    WEBHOOKS: faulty(faults, null, bindings.WEBHOOKS, "WEBHOOKS", ["send"]),
    WEBHOOK_ALLOWED_ORIGINS: receiverOrigin,
  };
};

export class AccountQuota extends RealAccountQuota {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, faultyEnv(env));
  }
}

export class WebhookSender extends RealWebhookSender {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, faultyEnv(env));
  }
}

export default {
  fetch: () => new Response(null, { status: 404 }),
  queue: (batch, env) => consumeWebhookMessages(dispatchServices(withOutages(env)), batch.messages),
} satisfies ExportedHandler<Env>;
