import { afterEach, expect, it, vi } from "vitest";
import { accountCommands } from "../../../src/cli/commands/accounts.ts";
import { serviceAt } from "../../../src/cli/service-api.ts";

const requestedAt: number[] = [];

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** Runs `account delete` against a service that gives these responses and repeats the last one. */
async function deleteWith(...responses: [status: number, body: object][]): Promise<unknown> {
  vi.spyOn(console, "error").mockImplementation(() => {});
  vi.stubGlobal("fetch", async () => {
    requestedAt.push(Date.now());
    const [status, body] = (responses.length > 1 ? responses.shift() : responses[0]) ?? [500, {}];
    return Response.json({ success: status < 300, ...body, meta: { requestId: "r" } }, { status });
  });
  return accountCommands["account delete"]?.run(serviceAt("https://service.test", "key"), {
    account: "a",
    confirm: "a",
  });
}

const waiting: [number, object] = [200, { data: { id: "a", status: "waiting", until: 0 } }];
const gone: [number, object] = [
  404,
  { error: { code: "ACCOUNT_NOT_FOUND", message: "There is no account with this id." } },
];

it("`account delete` succeeds if the service removes the account between two of its requests", async () => {
  expect(await deleteWith(waiting, gone)).toEqual({ id: "a", status: "deleted" });
});

it("`account delete` asks again when the account's requests have ended, or after five seconds", async () => {
  vi.useFakeTimers({ now: 0 });
  requestedAt.length = 0;
  const waitingUntil = (until: number): [number, object] => [200, { data: { id: "a", status: "waiting", until } }];

  const deleted = deleteWith(waitingUntil(3_000), waitingUntil(60_000), gone);
  await vi.runAllTimersAsync();

  expect(await deleted).toEqual({ id: "a", status: "deleted" });
  expect(requestedAt).toEqual([0, 3_000, 8_000]);
});

it("`account delete` fails for an account that does not exist", async () => {
  await expect(deleteWith(gone)).rejects.toMatchObject({ code: "ACCOUNT_NOT_FOUND" });
});
