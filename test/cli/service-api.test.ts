// Tests the client of the management API on responses that the test gives.
import { afterEach, expect, it, vi } from "vitest";
import { apiAt, serviceApi } from "../../src/cli/service-api.ts";

afterEach(() => void vi.unstubAllGlobals());

/** Lets `fetch` give these responses, one after the other, and records its requests. */
function responding(...responses: (Response | Error)[]) {
  const requests: { url: string; init: RequestInit }[] = [];
  vi.stubGlobal("fetch", async (url: string, init: RequestInit) => {
    requests.push({ url, init });
    const response = responses[requests.length - 1] ?? expect.unreachable();
    if (response instanceof Error) throw response;
    return response;
  });
  return { api: apiAt("https://service.test/api/manage/v1/admin", "key"), requests };
}

const page = (ids: string[], nextCursor: string | null) =>
  Response.json({ data: { batches: ids, pagination: { nextCursor } } });

it("a list has the items of all its pages", async () => {
  const { api, requests } = responding(page(["3", "2"], "c1"), page(["1"], null));

  expect(await api.list("/batches?status=ended", "batches")).toEqual(["3", "2", "1"]);
  expect(requests.map(({ url }) => url.slice(url.indexOf("?")))).toEqual([
    "?status=ended&limit=100",
    "?status=ended&limit=100&cursor=c1",
  ]);
});

it("a call sends its body as JSON with the key, and returns the data", async () => {
  const { api, requests } = responding(Response.json({ data: { id: "a" } }, { status: 201 }));

  expect(await api.call("POST", "/accounts", { name: "Ada" })).toEqual({ id: "a" });
  expect(requests[0]?.init).toMatchObject({
    method: "POST",
    headers: { Authorization: "Bearer key", "Content-Type": "application/json" },
    body: '{"name":"Ada"}',
  });
});

it.each<[what: string, response: Response | Error, message: string]>([
  ["a refusal", failure(404, "There is no account with this id."), "There is no account with this id."],
  ["a failure of the service", failure(500, "It failed."), "It failed. (request r1)"],
  ["a response of something else", new Response("<html>", { status: 502 }), "the service responded with 502"],
  ["no connection", new TypeError("fetch failed"), "the service at https://service.test cannot be reached"],
])("%s is reported in one line", async (_what, response, message) => {
  const { api } = responding(response);

  await expect(api.call("GET", "/accounts/a")).rejects.toThrow(message);
});

it.each<NodeJS.ProcessEnv>([{}, { COLOPHON_URL: "https://service.test" }, { COLOPHON_OPERATOR_KEY: "key" }])(
  "a command with --remote is refused without an address and a key (%j)",
  async (env) => {
    await expect(serviceApi(env, true)).rejects.toThrow("set both COLOPHON_URL and COLOPHON_OPERATOR_KEY");
  },
);

it.each([{ COLOPHON_URL: "https://service.test" }, { COLOPHON_OPERATOR_KEY: "key" }])(
  "the key of the local service is sent to no other one, and no other key to it (%j)",
  async (env) => {
    await expect(serviceApi(env, false)).rejects.toThrow("set both COLOPHON_URL and COLOPHON_OPERATOR_KEY");
  },
);

it("a command with an address and a key uses them", async () => {
  const env = { COLOPHON_URL: "https://service.test/", COLOPHON_OPERATOR_KEY: "key" };

  expect(await serviceApi(env, true)).toMatchObject({ base: "https://service.test/api/manage/v1/admin", key: "key" });
});

function failure(status: number, message: string): Response {
  return Response.json({ error: { code: "CODE", message }, meta: { requestId: "r1" } }, { status });
}
