import { afterEach, expect, it, vi } from "vitest";
import { jsonLog } from "../../src/platform/json-log.ts";

afterEach(() => vi.restoreAllMocks());

it("stays one line, whatever the values contain", () => {
  const lines = vi.spyOn(console, "error").mockImplementation(() => {});
  const hostile = 'a\n{"level":"error","event":"forged"}\r\u2028\u001b[31m';

  jsonLog("error", { event: "request.failed", requestId: hostile, cause: new Error(hostile) });

  expect(lines).toHaveBeenCalledTimes(1);
  const line = String(lines.mock.calls[0]?.[0]);
  for (const character of ["\n", "\r", "\u001b"]) expect(line).not.toContain(character);
  expect(JSON.parse(line)).toMatchObject({ level: "error", event: "request.failed", requestId: hostile });
});
