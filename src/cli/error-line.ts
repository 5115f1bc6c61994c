// The error of a command as one line for a terminal.

/** Returns the first line of the innermost cause. */
export function errorLine(error: unknown): string {
  let cause = error;
  while (cause instanceof Error && cause.cause instanceof Error) cause = cause.cause;
  return (cause instanceof Error ? cause.message : String(cause)).split("\n")[0] ?? "failed";
}
