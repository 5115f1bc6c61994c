// Calls the objects of an account for maintenance.
import type { AccountObject, Repair } from "../../core/maintenance/repair.ts";
import type { AccountObjects } from "../../ports/maintenance.ts";
import { objectCall, type HomeRegionOf, type ObjectCall, type ObjectNamespace } from "../object-client.ts";

/** The methods for maintenance that all objects of an account have. */
export type MaintainedObject = {
  repair(accountId: string): Promise<Repair[]>;
  destroy(): Promise<void>;
};

/** The methods of an `AccountQuota` object that maintenance calls. */
export type MaintainedQuota = MaintainedObject & {
  unsettled(): Promise<number>;
};

/** Settling a hundred holds takes longer than any call of a request. */
const tryTimeoutMs = 20_000;

export function accountObjects(
  quotas: ObjectNamespace<MaintainedQuota>,
  senders: ObjectNamespace<MaintainedObject>,
  runners: ObjectNamespace<MaintainedObject>,
  homeOf: HomeRegionOf,
): AccountObjects {
  // The first call creates the object, so maintenance gives the same hint as a request.
  const calls = { tryTimeoutMs, homeOf };
  const callQuota = objectCall("AccountQuota", quotas, calls);
  const calling: Record<AccountObject, ObjectCall<MaintainedObject>> = {
    AccountQuota: callQuota,
    WebhookSender: objectCall("WebhookSender", senders, calls),
    BatchRunner: objectCall("BatchRunner", runners, calls),
  };
  return {
    repair: (accountId, object) => calling[object](accountId, (target) => target.repair(accountId)),
    stopBatches: (accountId) => calling.BatchRunner(accountId, (runner) => runner.destroy()),
    unsettled: (accountId) => callQuota(accountId, (quota) => quota.unsettled()),
    async destroy(accountId) {
      await calling.WebhookSender(accountId, (sender) => sender.destroy());
      await callQuota(accountId, (quota) => quota.destroy());
    },
  };
}
