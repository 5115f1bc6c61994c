import { afterEach, expect, it, vi } from "vitest";
import { jsonLog } from "../../src/platform/json-log.ts";

afterEach(() => void vi.restoreAllMocks());

/** Returns the line that the log writes, parsed. */
function logged(entry: { event: string; [detail: string]: unknown }): Record<string, unknown> {
  const write = vi.spyOn(console, "warn").mockImplementation(() => {});
  jsonLog("warn", entry);
  return JSON.parse(write.mock.lastCall?.[0] as string) as Record<string, unknown>;
}

it("a log entry is one JSON object with the level, the event and the details", () => {
  expect(logged({ event: "hold.expired", documentId: "d", renders: 3 })).toEqual({
    level: "warn",
    event: "hold.expired",
    documentId: "d",
    renders: 3,
  });
});

it.each([
  new Error("customer text"),
  "customer text",
  { text: "customer text" },
  new Error("x", { cause: new Error("customer text") }),
])("a log entry contains nothing of a cause that may be a caller's text (%#)", (cause) => {
  const { cause: written } = logged({ event: "request.failed", cause });

  expect(written).toMatch(/^(?:Error|a thrown \w+)/);
  expect(written).not.toContain("customer text");
});

it("a log entry is one line, whatever the values contain", () => {
  const lines = vi.spyOn(console, "error").mockImplementation(() => {});
  const hostile = 'a\n{"level":"error","event":"forged"}\r\u2028\u001b[31m';

  jsonLog("error", { event: "request.failed", requestId: hostile, cause: new Error(hostile) });

  expect(lines).toHaveBeenCalledTimes(1);
  const line = String(lines.mock.calls[0]?.[0]);
  for (const character of ["\n", "\r", "\u001b"]) expect(line).not.toContain(character);
  expect(JSON.parse(line)).toMatchObject({ level: "error", event: "request.failed", requestId: hostile });
});
