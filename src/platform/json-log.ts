// Writes structured logs, one JSON object per line. Entries must not contain the keys, data or URLs of callers. Errors may contain them, so
// only the parts that `loggable-error.ts` allows are logged.
import type { Log } from "colophon-base/log";
import { loggableChain } from "colophon-base/loggable-error";

export const jsonLog: Log = (level, entry) => {
  // A cause may be a value of any type, because any value can be thrown.
  const line = JSON.stringify({ level, ...entry }, (name, value: unknown) =>
    name === "cause" || value instanceof Error ? loggableChain(value) : value,
  );
  console[level](line);
};

/** Waits for work that nobody else awaits, and logs its failure. */
export function logFailure(what: string, work: Promise<unknown>): Promise<unknown> {
  return work.catch((cause: unknown) => jsonLog("error", { event: "background.failed", what, cause }));
}
