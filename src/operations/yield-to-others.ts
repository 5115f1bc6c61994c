// Lets other requests run before long computations.
import type { Account } from "../core/accounts/account.ts";
import type { Services } from "../ports/services.ts";

/** Resolves when the request gets a slice. `arrivedAt` is when the request arrived, in ms since the epoch. */
export async function yieldToOthers(services: Services, account: Account, arrivedAt: number): Promise<void> {
  const { slices, settings, background } = services;
  const deadline = arrivedAt + settings.renderBudgetMs;
  // If its body is refused, the request ends right after its slice.
  await slices.pause({ accountId: account.id, deadline, keepAlive: (slice) => background("slice", slice) });
}
