import { afterEach, expect, it, vi } from "vitest";
import { accountCommands } from "../../../src/cli/commands/accounts.ts";
import { fakeServiceApi } from "../../fakes/service-api.ts";

afterEach(() => void vi.unstubAllGlobals());

function run(name: string, options: Record<string, string>, responses: Record<string, unknown> = {}) {
  const { api, requests } = fakeServiceApi(responses);
  return { requests, printed: accountCommands[name]?.run(api, options) };
}

it("`account create` sends the home region and prints the account", async () => {
  const account = { id: "a1", name: "Ada", plan: "pro", region: "weur" };
  const options = { name: "Ada", plan: "pro", region: "weur", "monthly-renders": "7" };

  const { requests, printed } = run("account create", options, { "POST /accounts": account });

  expect(await printed).toEqual({ account });
  expect(requests).toEqual([
    { request: "POST /accounts", body: { name: "Ada", plan: "pro", region: "weur", monthlyRenders: 7 } },
  ]);
});

it("`account create` leaves the home region open if none is given", async () => {
  const { requests, printed } = run("account create", { name: "Ada", plan: "pro" }, { "POST /accounts": {} });

  await printed;

  expect(JSON.stringify(requests[0]?.body)).toBe('{"name":"Ada","plan":"pro"}');
});

it.each<[name: string, options: Record<string, string>, message: string]>([
  ["account create", { name: "Ada", plan: "gold" }, "there is no plan gold; the plans are free, starter"],
  ["account set-limit", { account: "a", "monthly-renders": "-1" }, "--monthly-renders must be a whole number"],
  ["account set-retention", { account: "a", days: "0" }, "--days must be a whole number of days from 1 to 3650"],
  ["plan set", { plan: "pro" }, "give --api-access, --monthly-renders or --retention-days"],
  ["plan set", { plan: "pro", "api-access": "yes" }, "--api-access must be on or off"],
])("`%s` with %j is refused before any request", async (name, options, message) => {
  const { requests, printed } = run(name, options);

  await expect(printed).rejects.toThrow(message);
  expect(requests).toEqual([]);
});

it("`key revoke` finds the account of the key", async () => {
  const revoked = { id: "k1", revoked: true };
  const owners = [
    { kind: "document", accountId: "other" },
    { kind: "key", accountId: "a" },
  ];

  const { printed } = run(
    "key revoke",
    { id: "k1" },
    {
      "GET /owners?id=k1": { owners },
      "DELETE /accounts/a/keys/k1": revoked,
    },
  );

  expect(await printed).toEqual(revoked);
});

it("`key revoke` refuses an id that is not that of a key", async () => {
  const owners = [{ kind: "document", accountId: "a" }];

  const { printed } = run("key revoke", { id: "d1" }, { "GET /owners?id=d1": { owners } });

  await expect(printed).rejects.toThrow("there is no key d1");
});
