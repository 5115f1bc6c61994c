// Lets other requests run before work that keeps the processor for long.
import type { Account } from "../core/accounts/account.ts";
import type { Services } from "../ports/services.ts";

/** Resolves when the request has a slice. `arrivedAt` is when the request arrived, in ms since the epoch. */
export async function yieldToOthers(
  { slices, settings, background }: Services,
  account: Account,
  arrivedAt: number,
): Promise<void> {
  const deadline = arrivedAt + settings.renderBudgetMs;
  // A request whose body is refused ends right after its slice.
  await slices.pause({ accountId: account.id, deadline, keepAlive: (slice) => background("slice", slice) });
}
