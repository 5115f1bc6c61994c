// Finds the counts of an account's quota that differ from D1, for example because one of them was restored.
import type { LedgerCounts } from "./quota-ledger.ts";

type WrongCount = { month: string; committed: number; completed: number };

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
