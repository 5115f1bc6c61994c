// The Worker under faults: the account's objects get faulty bindings of their own, so that what they settle suffers too.
import { consumeCallbackMessages } from "../../src/jobs/callback-messages.ts";
import { AccountQuota as SoundAccountQuota } from "../../src/objects/account-quota.ts";
import { CallbackSender as SoundCallbackSender } from "../../src/objects/callback-sender.ts";
import { handOverServices } from "../../src/services.ts";
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
  CALLBACKS: faulty(chaos, null, env.CALLBACKS, "CALLBACKS", ["send"]),
});

export class AccountQuota extends SoundAccountQuota {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, faultyEnv(env));
  }
}

export class CallbackSender extends SoundCallbackSender {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, faultyEnv(env));
  }
}

export default {
  fetch: () => new Response(null, { status: 404 }),
  queue: (batch, env) => consumeCallbackMessages(handOverServices(env), batch),
} satisfies ExportedHandler<Env>;
