// Finds what a lost alarm or a restored database has left in an account's quota object.
import type { Repair } from "../../core/maintenance/repair.ts";
import type { LedgerCounts, QuotaLedger } from "./quota-ledger.ts";

/** Returns what an alarm would settle at `nowMs`. Its time has passed, so the alarm was lost or keeps failing. */
export function overdueRepairs(ledger: QuotaLedger, accountId: string, nowMs: number): Repair[] {
  const holds = ledger.expired(nowMs);
  const deletions = ledger.overdueDeletions(nowMs);
  return [
    ...holds.map(({ documentId }): Repair => ({ kind: "expired_hold", accountId, documentId })),
    ...deletions.map(({ documentId }): Repair => ({ kind: "overdue_file_removal", accountId, documentId })),
  ];
}

export type WrongCount = { month: string; committed: number; completed: number };

/**
 * Returns the months in which D1 has another number of completed documents than the ledger. `counts` must have been read before
 * `completed`. Months with holds are left out, because D1 may already have the documents of those.
 */
export function wrongCounts(
  { committed, monthsWithHolds }: LedgerCounts,
  completed: Record<string, number>,
): WrongCount[] {
  const months = new Set([...Object.keys(committed), ...Object.keys(completed)]);
  return [...months]
    .filter((month) => !monthsWithHolds.includes(month))
    .map((month) => ({ month, committed: committed[month] ?? 0, completed: completed[month] ?? 0 }))
    .filter((count) => count.committed !== count.completed);
}
