import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { z } from "zod";
import type { HttpContext } from "../../src/http/context.ts";
import { readJsonBody } from "../../src/http/json-body.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("a JSON body that stops arriving is refused before the response is due", async () => {
  const body = new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode("{")) });
  // Node needs the last property, which the types of the Workers runtime lack.
  const init = { method: "POST", body, duplex: "half" };
  const raw = new Request("https://colophon.test/", init);
  const refused = expect(readJsonBody({ req: { raw } } as HttpContext, z.object({}))).rejects.toMatchObject({
    code: "VALIDATION_ERROR",
    message: "The body did not arrive within 20 s.",
  });

  await vi.advanceTimersByTimeAsync(20_000);

  await refused;
});
