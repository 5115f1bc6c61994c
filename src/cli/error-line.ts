// The error of a command as one line for a terminal.
import { stateDir } from "./paths.ts";

/** Returns the first line of the innermost cause. Says what to do if the local service has no database yet. */
export function errorLine(error: unknown): string {
  let cause = error;
  while (cause instanceof Error && cause.cause instanceof Error) cause = cause.cause;
  const message = (cause instanceof Error ? cause.message : String(cause)).split("\n")[0] ?? "failed";
  return /no such table/.test(message) ? `no service has run with STATE_DIR=${stateDir}; run npm start first` : message;
}
