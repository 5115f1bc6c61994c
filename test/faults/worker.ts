// The Worker under faults: the account's objects get faulty bindings of their own, so that what they settle suffers too.
import { consumeWebhookMessages } from "../../src/jobs/webhook-messages.ts";
import { AccountQuota as SoundAccountQuota } from "../../src/objects/account-quota.ts";
import { WebhookSender as SoundWebhookSender } from "../../src/objects/webhook-sender.ts";
import { dispatchServices } from "../../src/services.ts";
import { chaosOf, faulty, faultyD1, type Chaos } from "./chaos.ts";

export { BrowserPool } from "../../src/objects/browser-pool.ts";

/** The chaos in force inside objects; a test sets it before it begins. */
export const inObjects: { chaos: Chaos } = { chaos: chaosOf(0, 0) };

const chaos: Chaos = {
  random: () => inObjects.chaos.random(),
  pick: (options) => inObjects.chaos.pick(options),
  get rate() {
    return inObjects.chaos.rate;
  },
};

const faultyEnv = (env: Env): Env => ({
  ...env,
  DB: faultyD1(chaos, null, env.DB),
  FILES: faulty(chaos, null, env.FILES, "FILES", ["put", "head", "get", "delete"]),
  WEBHOOKS: faulty(chaos, null, env.WEBHOOKS, "WEBHOOKS", ["send"]),
});

export class AccountQuota extends SoundAccountQuota {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, faultyEnv(env));
  }
}

export class WebhookSender extends SoundWebhookSender {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, faultyEnv(env));
  }
}

export default {
  fetch: () => new Response(null, { status: 404 }),
  queue: (batch, env) => consumeWebhookMessages(dispatchServices(env), batch),
} satisfies ExportedHandler<Env>;
