// Writes structured logs, one JSON object per line. Entries must not contain the keys, data or URLs of callers.
import type { Log } from "../ports/services.ts";

export const jsonLog: Log = (level, entry) => {
  const line = JSON.stringify({ level, ...entry }, (_key, value: unknown) =>
    value instanceof Error ? causeChain(value) : value,
  );
  console[level](line);
};

function causeChain(error: Error): string {
  const chain: string[] = [];
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause)
    chain.push(cause.stack ?? cause.message);
  return chain.join("\ncaused by: ");
}
