// The type of a log.

/**
 * One entry of the log. `event` is a stable name such as `hold.expired`. Details are ids and numbers, never a caller's
 * keys, data or URLs.
 */
export type LogEntry = { event: string; [detail: string]: unknown };

/**
 * Writes one structured line. Of an `Error` and its causes, only the parts that `loggable-error.ts` allows are written.
 */
export type Log = (level: "info" | "warn" | "error", entry: LogEntry) => void;
