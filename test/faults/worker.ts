// The Worker under faults: the account's object gets faulty bindings of its own, so that settling suffers too.
import { AccountQuota as SoundAccountQuota } from "../../src/objects/account-quota.ts";
import { chaosOf, faulty, faultyD1, type Chaos } from "./chaos.ts";

export { BrowserPool } from "../../src/objects/browser-pool.ts";

/** The chaos in force inside objects; a test sets it before it begins. */
export const inObjects: { chaos: Chaos } = { chaos: chaosOf(0, 0) };

export class AccountQuota extends SoundAccountQuota {
  constructor(ctx: DurableObjectState, env: Env) {
    const chaos: Chaos = {
      random: () => inObjects.chaos.random(),
      pick: (options) => inObjects.chaos.pick(options),
      get rate() {
        return inObjects.chaos.rate;
      },
    };
    super(ctx, {
      ...env,
      DB: faultyD1(chaos, null, env.DB),
      FILES: faulty(chaos, null, env.FILES, "FILES", ["put", "head", "get", "delete"]),
    });
  }
}

export default { fetch: () => new Response(null, { status: 404 }) } satisfies ExportedHandler<Env>;
