// Lets other requests run before work that keeps the processor for long.
import type { Account } from "../../core/accounts/account.ts";
import type { Services } from "../../ports/services.ts";

/** Resolves when it is the request's turn. `arrivedAt` is when the request arrived, in ms since the epoch. */
export async function nextTurn({ slices, settings }: Services, account: Account, arrivedAt: number): Promise<void> {
  await slices.pause({ accountId: account.id, deadline: arrivedAt + settings.renderBudgetMs }, 1);
}
