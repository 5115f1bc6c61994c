// The log of `npm run serve`: one JSON object on each line, like the Worker's own.

export type Level = "info" | "warn" | "error";

export function logLine(level: Level, event: string, message: string): string {
  return JSON.stringify({ level, event, message });
}
