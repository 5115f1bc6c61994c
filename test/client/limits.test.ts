// The maximum time and number of retries of requests: the options of a client and of a request.
import { afterEach, expect, it, vi } from "vitest";
import type { Client, RequestOptions } from "../../packages/client/src/client.ts";
import { failure, serve, silent, success, temporary } from "./scripted-server.ts";

afterEach(() => void vi.restoreAllMocks());

const mistakes: [string, unknown][] = [
  ["timeoutMs", 0],
  ["timeoutMs", NaN],
  ["timeoutMs", "30"],
  ["totalTimeoutMs", 0],
  ["maxRetries", -1],
  ["maxRetries", 1.5],
];

it.each(mistakes)("the option %s cannot be %j", async (name, value) => {
  const options: RequestOptions = { [name]: value };
  const { client, server } = await serve(success({}));

  expect(() => server.client(options)).toThrow(new RegExp(`^\`${name}\` must be a`));
  await expect(client.usage.get(options)).rejects.toThrow(TypeError);
  await expect(client.documents.download("d1", options)).rejects.toThrow(TypeError);
  expect(server.requests).toEqual([]);
});

const document = { templateId: "t1", data: {} };
const first = async (items: AsyncIterable<unknown>) => items[Symbol.asyncIterator]().next();

it.each([
  ["documents.create", ({ documents }, options) => documents.create(document, options)],
  ["documents.createFile", ({ documents }, options) => documents.createFile(document, options)],
  ["documents.list", ({ documents }, options) => first(documents.list({}, options))],
  ["documents.listPage", ({ documents }, options) => documents.listPage({}, options)],
  ["documents.get", ({ documents }, options) => documents.get("d1", options)],
  ["documents.download", ({ documents }, options) => documents.download("d1", options)],
  ["documents.delete", ({ documents }, options) => documents.delete("d1", options)],
  ["templates.list", ({ templates }, options) => first(templates.list({}, options))],
  ["templates.listPage", ({ templates }, options) => templates.listPage({}, options)],
  ["templates.get", ({ templates }, options) => templates.get("t1", options)],
  ["usage.get", ({ usage }, options) => usage.get(options)],
] satisfies [string, (client: Client, options: RequestOptions) => Promise<unknown>][])(
  "%s observes its options",
  async (_name, call) => {
    const { client, server } = await serve(temporary);

    await expect(call(client, { maxRetries: 0 })).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" });
    await expect(call(client, { signal: AbortSignal.abort(new Error("the user left")) })).rejects.toThrow("user left");
    expect(server.requests).toHaveLength(1);
  },
);

it("an undefined option does not override the client's option", async () => {
  const { server } = await serve(temporary);
  const client = server.client({ maxRetries: 0 });

  await expect(client.usage.get({ maxRetries: undefined } as unknown as RequestOptions)).rejects.toThrow();

  expect(server.requests).toHaveLength(1);
});

it.each([
  ["of a request", {}, { totalTimeoutMs: 50 }],
  ["of a client", { totalTimeoutMs: 50 }, {}],
])("the total time %s also limits a single attempt", async (_whose, ofClient, ofRequest) => {
  const { server } = await serve(silent);

  const request = server.client({ timeoutMs: 600_000, ...ofClient }).usage.get(ofRequest);

  await expect(request).rejects.toMatchObject({ code: "TIMEOUT" });
});

it("the time of an attempt and the total time can be infinite", async () => {
  const { client } = await serve(
    (response, request) => void setTimeout(() => success({ id: "x" })(response, request), 50),
  );

  expect(await client.usage.get({ timeoutMs: Infinity, totalTimeoutMs: Infinity, maxRetries: 0 })).toEqual({
    id: "x",
  });
});

it("a wait of many days is not skipped if the total time is infinite", async () => {
  const controller = new AbortController();
  const tooEarly = vi.fn(success({}));
  const { client } = await serve((response, request) => {
    failure(503, "SERVICE_UNAVAILABLE", { headers: { "Retry-After": "999999999" } })(response, request);
    setTimeout(() => controller.abort(new Error("the user left")), 200);
  }, tooEarly);

  const request = client.usage.get({ totalTimeoutMs: Infinity, signal: controller.signal });

  await expect(request).rejects.toThrow("the user left");
  expect(tooEarly).not.toHaveBeenCalled();
});
