// Tests that every request gets a response within 26 seconds of its arrival, whichever port hangs. The clock is simulated.
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { field } from "colophon-test-kit/template-content";
import type { Overrides } from "../fakes/services.ts";
import { get, post } from "../fixtures/tenant.ts";
import { fakeApi } from "./fake-api.ts";

/** One entry for each call that hangs. */
const hangingCalls: number[] = [];

beforeEach(() => {
  hangingCalls.length = 0;
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
});
afterEach(() => void vi.useRealTimers());

const maxMs = 26_000;
const stepMs = 250;

/** Sends a request to a service with these ports, and returns the response and the time in ms until it arrived. */
async function responseTo(overrides: Overrides, method: string, path: (id: string) => string) {
  const api = await fakeApi(overrides, { fields: [field("photo", "image")] });
  const body = { templateId: api.templateId, data: { photo: "https://example.com/a.png" } };
  const responses: Response[] = [];
  let ms = 0;
  const responding =
    method === "POST"
      ? post(api, api, body, { "Idempotency-Key": "a" })
      : get(api, api, path(api.templateId), { method });
  void responding.then((response) => responses.push(response));
  // The clock stands still until the request hangs, because digests are computed outside the simulated time.
  while (hangingCalls.length + responses.length === 0) await new Promise((resolve) => setImmediate(resolve));
  for (; responses.length === 0 && ms <= maxMs; ms += stepMs) await vi.advanceTimersByTimeAsync(stepMs);
  return { response: responses[0], ms, services: api.services };
}

/** A port method that never settles. */
function hang(): Promise<never> {
  hangingCalls.push(hangingCalls.length);
  return new Promise(() => {});
}

const create = () => "/documents";

it("a create gets 500 when the lookup of the key hangs", async () => {
  const { response, ms } = await responseTo({ keys: { findCaller: hang } }, "POST", create);

  expect(response?.status).toBe(500);
  expect(await response?.json()).toMatchObject({ success: false, error: { code: "INTERNAL_ERROR" }, meta: {} });
  expect(ms).toBeLessThanOrEqual(maxMs);
});

it.each<[string, Overrides]>([
  ["the lookup of the template", { templates: { find: hang } }],
  ["the reservation", { quota: { reserve: hang } }],
  ["the template's content", { templates: { compiled: hang } }],
  ["the renderer", { renderer: { render: hang } }],
  ["the insert of the document", { documents: { insert: hang } }],
])("a create gets 504 when %s hangs", async (_what, overrides) => {
  const { response, ms } = await responseTo(overrides, "POST", create);

  expect(response?.status).toBe(504);
  expect(await response?.json()).toMatchObject({ success: false, error: { code: "RENDER_FAILED" }, meta: {} });
  expect(ms).toBeLessThanOrEqual(maxMs);
});

it("a create that has failed gets a response even if releasing its hold hangs", async () => {
  const render = async () => ({ status: "timed_out" }) as const;

  const { response, ms } = await responseTo({ quota: { release: hang }, renderer: { render } }, "POST", create);

  expect(response?.status).toBe(504);
  expect(ms).toBeLessThanOrEqual(maxMs);
});

it("a create is recorded with the stage that hangs", async () => {
  const { services, response } = await responseTo({ documents: { insert: hang } }, "POST", create);

  expect(response?.headers.get("Server-Timing")).toContain("record;dur=");
  expect(services.state.log).toContainEqual(
    expect.objectContaining({ event: "request.ended", status: 504, code: "RENDER_FAILED" }),
  );
});

it.each<[string, string, Overrides]>([
  ["GET", "/documents", { documents: { list: hang } }],
  ["GET", "/documents/ID", { documents: { find: hang } }],
  ["GET", "/templates", { templates: { list: hang } }],
  ["GET", "/templates/ID", { templates: { content: hang } }],
  ["GET", "/usage", { quota: { usage: hang } }],
])("the request %s %s gets 500 when the database, the buckets or the quota hang", async (method, path, overrides) => {
  const { response, ms } = await responseTo(overrides, method, (id) => path.replace("ID", id));

  expect(response?.status).toBe(500);
  expect(await response?.json()).toMatchObject({ success: false, error: { code: "INTERNAL_ERROR" }, meta: {} });
  expect(ms).toBeLessThanOrEqual(maxMs);
});

it("a request that ends in time leaves no timer behind", async () => {
  const { response } = await responseTo({}, "GET", () => "/usage");

  expect(response?.status).toBe(200);
  expect(vi.getTimerCount()).toBe(0);
});
