// Which service the operator's commands call, and how they report its failures. The client's tests cover the requests and the
// failures.
import { afterEach, expect, it, vi } from "vitest";
import { ColophonError } from "colophon-client/manage";
import { commandError, serviceApi } from "../../src/cli/service-api.ts";

afterEach(() => void vi.unstubAllGlobals());

type Failure = ConstructorParameters<typeof ColophonError>[1];

it.each<[what: string, failure: Failure, message: string]>([
  ["a refusal", { code: "ACCOUNT_NOT_FOUND", status: 404, requestId: "r1" }, "It failed."],
  ["a failure of the service", { code: "INTERNAL_ERROR", status: 500, requestId: "r1" }, "It failed. (request r1)"],
  ["a failure of a proxy", { code: "UNEXPECTED_RESPONSE", status: 502 }, "the service responded with 502"],
  ["a page", { code: "UNEXPECTED_RESPONSE", status: 200 }, "https://service.test does not respond as Colophon does"],
  ["no list", { code: "UNEXPECTED_RESPONSE" }, "https://service.test does not respond as Colophon does"],
  [
    "no connection",
    { code: "CONNECTION_FAILED" },
    "the service at https://service.test cannot be reached; is it running?",
  ],
  ["no response in time", { code: "TIMEOUT" }, "the service at https://service.test cannot be reached; is it running?"],
])("a failed request is reported in one line: %s", (_what, failure, message) => {
  const error = new ColophonError("It failed.", failure);

  expect(commandError(error, { url: "https://service.test" })).toMatchObject({ message });
});

it.each<NodeJS.ProcessEnv>([{}, { COLOPHON_URL: "https://service.test" }, { COLOPHON_OPERATOR_KEY: "key" }])(
  "a command with --remote is refused without an address and a key (%j)",
  async (env) => {
    await expect(serviceApi(env, true)).rejects.toThrow("set both COLOPHON_URL and COLOPHON_OPERATOR_KEY");
  },
);

it.each([{ COLOPHON_URL: "https://service.test" }, { COLOPHON_OPERATOR_KEY: "key" }])(
  "the local service's key is sent to no other service, and no other key to the local service (%j)",
  async (env) => {
    await expect(serviceApi(env, false)).rejects.toThrow("set both COLOPHON_URL and COLOPHON_OPERATOR_KEY");
  },
);

it("a command uses the address and the key that it is given", async () => {
  const sent: [url: string, headers: unknown][] = [];
  vi.stubGlobal("fetch", async (url: string, { headers }: RequestInit) => {
    sent.push([url, headers]);
    return Response.json({ success: true, data: { plans: [] } });
  });
  const api = await serviceApi({ COLOPHON_URL: "https://service.test/", COLOPHON_OPERATOR_KEY: "key" }, true);

  await api.call("GET /plans");

  const headers = expect.objectContaining({ Authorization: "Bearer key" });
  expect(sent).toEqual([["https://service.test/api/manage/v1/admin/plans", headers]]);
});
