// Sets how long the documents of an account are kept. New documents follow at once; existing ones only if the operator asks for it,
// because their callers have been told when they expire.
import { effectiveRetention, type AccountRetention, type Retention } from "../../core/accounts/retention.ts";
import type { OperatorServices } from "../../ports/services.ts";
import type { TimePosition } from "../../ports/maintenance.ts";

const documentsPerBatch = 1_000;

/** Returns the number of existing documents that got another expiry, or null when there is no such account. */
export async function setRetention(
  services: Pick<OperatorServices, "accounts" | "archive">,
  accountId: string,
  { retention, includesExisting }: { retention: AccountRetention; includesExisting: boolean },
): Promise<number | null> {
  if (!(await services.accounts.setAccountRetention(accountId, retention))) return null;
  if (!includesExisting) return 0;
  const days = effectiveRetention(retention, await planRetention(services, accountId));
  let changed = 0;
  for (let after: TimePosition | null = null; ;) {
    const batch = await services.archive.documents.setExpiry(accountId, days, after, documentsPerBatch);
    changed += batch.changed;
    after = batch.last;
    if (!after) return changed;
  }
}

async function planRetention({ accounts }: Pick<OperatorServices, "accounts">, accountId: string): Promise<Retention> {
  const account = await accounts.findAccount(accountId);
  const plans = await accounts.listPlans();
  return plans.find(({ name }) => name === account?.plan)?.retentionDays ?? "keep";
}
