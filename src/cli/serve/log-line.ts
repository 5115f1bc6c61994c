// The log of `npm run serve`: one JSON object on each line of stdout, like the Worker's own. `jsonLog` writes errors to stderr.

type Level = "info" | "warn" | "error";

const intervalMs = 60_000;

export function logLine(level: Level, event: string, message: string): string {
  return JSON.stringify({ level, event, message });
}

/** Returns a function that logs an event that callers can cause: at most once a minute, with the count since the last line. */
export function limitedLine(level: Level, event: string, message: string): () => void {
  let count = 0;
  let nextAt = 0;
  return () => {
    count++;
    if (Date.now() < nextAt) return;
    console.log(JSON.stringify({ level, event, count, message }));
    nextAt = Date.now() + intervalMs;
    count = 0;
  };
}
