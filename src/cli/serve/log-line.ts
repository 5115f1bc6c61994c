// The log of `npm run serve`: one JSON object on each line of stdout, like the Worker's own. `jsonLog` writes errors to stderr.

type Level = "info" | "warn" | "error";

export function logLine(level: Level, event: string, message: string): string {
  return JSON.stringify({ level, event, message });
}
