// Waits while the running service removes the data of an account that is marked as deleted.
import type { OperatorServices } from "../ports/services.ts";

/** How long a command waits. Most of the time is needed by an account with many documents. */
export const removalTimeoutMs = 30 * 60_000;
const longestPauseMs = 5_000;

/** Returns true when everything has been removed, and false when that takes too long. */
export async function waitForRemoval({ service, now }: OperatorServices, accountId: string): Promise<boolean> {
  const timeoutAt = now() + removalTimeoutMs;
  let hasSaidSo = false;
  while (now() < timeoutAt) {
    const removal = await service.removeAccount(accountId);
    if (removal.status === "removed") return true;
    if (removal.status === "removing") continue;
    if (!hasSaidSo) console.error("waiting until the account's requests have ended, which takes up to two minutes");
    hasSaidSo = true;
    const pauseMs = Math.min(Math.max(removal.until - now(), 100), longestPauseMs);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  return false;
}
