// The type of a log.

/**
 * One entry of the log. `event` is a stable name such as `hold.expired`. Details are ids and numbers, never a caller's
 * keys, data or URLs.
 */
export type LogEntry = { event: string; [detail: string]: unknown };

/** Writes one structured line. Of an `Error`, it writes what `loggable-error.ts` allows, with all causes. */
export type Log = (level: "info" | "warn" | "error", entry: LogEntry) => void;
