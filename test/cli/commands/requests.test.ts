// The requests of the operator's commands, and how some commands use the responses.
import { afterEach, expect, it, vi } from "vitest";
import { accountCommands } from "../../../src/cli/commands/accounts.ts";
import { batchCommands } from "../../../src/cli/commands/batches.ts";
import { repairCommands } from "../../../src/cli/commands/repair.ts";
import { webhookCommands } from "../../../src/cli/commands/webhooks.ts";
import { fakeServiceApi, listOf } from "../../fakes/service-api.ts";

const commands = { ...accountCommands, ...batchCommands, ...repairCommands, ...webhookCommands };
const ownersOf = (...kinds: string[]) => ({ owners: kinds.map((kind) => ({ kind, accountId: "a" })) });
const owners = {
  "GET /owners?id=k": ownersOf("document", "key"),
  "GET /owners?id=d": ownersOf("document"),
  "GET /owners?id=w": ownersOf("webhook"),
};

afterEach(() => void vi.unstubAllGlobals());

function run(name: string, options: Record<string, string>, responses: Record<string, unknown> = {}) {
  const { api, requests } = fakeServiceApi({ ...owners, ...responses });
  return { requests, printed: commands[name]?.run(api, options) };
}

it.each<[name: string, options: Record<string, string>, request: string, body?: object]>([
  ["account create", { name: "Ada", plan: "pro" }, "POST /accounts", { name: "Ada", plan: "pro" }],
  [
    "account create",
    { name: "Ada", plan: "pro", region: "weur", "monthly-renders": "7", shard: "2" },
    "POST /accounts",
    { name: "Ada", plan: "pro", region: "weur", monthlyRenders: 7, shard: 2 },
  ],
  ["account set-plan", { account: "a", plan: "pro" }, "PATCH /accounts/a", { plan: "pro" }],
  ["account set-limit", { account: "a", "monthly-renders": "plan" }, "PATCH /accounts/a", { monthlyRenders: null }],
  ["account set-limit", { account: "a", "monthly-renders": "5" }, "PATCH /accounts/a", { monthlyRenders: 5 }],
  ["account set-retention", { account: "a", days: "plan" }, "PATCH /accounts/a", { retentionDays: "plan" }],
  ["account set-retention", { account: "a", days: "30" }, "PATCH /accounts/a", { retentionDays: 30 }],
  ["account set-access", { account: "a", access: "private" }, "PATCH /accounts/a", { access: "private" }],
  ["account set-downloads", { account: "a", record: "on" }, "PATCH /accounts/a", { recordDownloads: true }],
  ["account set-downloads", { account: "a", record: "off" }, "PATCH /accounts/a", { recordDownloads: false }],
  ["plan list", {}, "GET /plans"],
  ["plan set", { plan: "pro", "api-access": "off" }, "PATCH /plans/pro", { apiAccess: false }],
  ["plan set", { plan: "pro", "retention-days": "30" }, "PATCH /plans/pro", { retentionDays: 30 }],
  ["key create", { account: "a" }, "POST /accounts/a/keys", { name: "default", isTest: false }],
  [
    "key create",
    { account: "a", name: "n", scopes: "documents,keys", test: "on" },
    "POST /accounts/a/keys",
    { name: "n", scopes: ["documents", "keys"], isTest: true },
  ],
  ["key revoke", { id: "k" }, "DELETE /accounts/a/keys/k"],
  ["batch show", { account: "a", id: "b/" }, "GET /accounts/a/batches/b%2F"],
  ["batch cancel", { account: "a", id: "b/" }, "POST /accounts/a/batches/b%2F/cancel"],
  ["webhook-secret show", { account: "a" }, "GET /accounts/a/webhook-secrets"],
  ["webhook-secret rotate", { account: "a" }, "POST /accounts/a/webhook-secrets/rotate"],
  ["webhook redeliver", { id: "w" }, "POST /accounts/a/webhooks/w/redeliver"],
])("the command `%s` with %j sends the request %s, and prints the response", async (name, options, request, body) => {
  const { requests, printed } = run(name, options, { [request]: { id: "x" } });

  expect(JSON.stringify(await printed)).toContain('{"id":"x"}');
  expect(requests.at(-1)).toEqual({ request, ...(body && { body }) });
});

it.each<[name: string, options: Record<string, string>, message: string]>([
  ["account create", { name: "Ada", plan: "pro", shard: "DB_1" }, "--shard must be the number of a database"],
  ["account create", { name: "Ada", plan: "gold" }, "--plan must be one of free, starter"],
  ["account set-limit", { account: "a", "monthly-renders": "-1" }, "--monthly-renders must be a whole number"],
  ["account set-retention", { account: "a", days: "0" }, "--days must be a whole number of days from 1 to 3650"],
  ["account set-access", { account: "a", access: "secret" }, "--access must be one of public, private"],
  ["account set-downloads", { account: "a", record: "yes" }, "--record must be one of on, off"],
  ["plan set", { plan: "pro" }, "give --api-access, --monthly-renders or --retention-days"],
  ["plan set", { plan: "pro", "api-access": "yes" }, "--api-access must be on or off"],
  ["key create", { account: "a", scopes: "documents,templates:write" }, "--scopes must be one of documents, "],
  ["webhook list", { account: "a", status: "gone" }, "--status must be"],
])("the command `%s` with %j is refused before any request", async (name, options, message) => {
  const { requests, printed } = run(name, options);

  await expect(printed).rejects.toThrow(message);
  expect(requests).toEqual([]);
});

it("`key revoke` refuses an id that does not belong to a key", async () => {
  await expect(run("key revoke", { id: "d" }).printed).rejects.toThrow("there is no key d");
});

it("`batch list` prints the account's batches as the API returns them", async () => {
  const batches = [{ id: "b", status: "processing", counts: { total: 10, processing: 6 } }];

  const { printed } = run("batch list", { account: "a" }, { "GET /accounts/a/batches": listOf("batches", batches) });

  expect(await printed).toEqual({ batches });
});

it("`webhook list` prints the webhooks with a given status, each with its last attempt", async () => {
  const history = [
    { status: 500, error: null },
    { status: null, error: "timeout" },
  ];
  const listed = listOf("webhooks", [
    { id: "w", history },
    { id: "v", history: [] },
  ]);

  const options = { account: "a", status: "dead" };
  const { printed } = run("webhook list", options, { "GET /accounts/a/webhooks?status=dead": listed });

  expect(await printed).toEqual({
    webhooks: [
      { id: "w", history, lastStatus: 500, lastError: null },
      { id: "v", history: [], lastStatus: null, lastError: null },
    ],
  });
});

it("`webhook-secret re-encrypt` prints how many secrets were re-encrypted, and fails if some cannot be read", async () => {
  const reEncrypt = (reEncrypted: number, unreadable: number) =>
    run("webhook-secret re-encrypt", {}, { "POST /webhook-secrets/re-encrypt": { reEncrypted, unreadable } }).printed;

  expect(await reEncrypt(2, 0)).toEqual({ reEncrypted: 2 });
  await expect(reEncrypt(2, 1)).rejects.toThrow(
    "re-encrypted 2 webhook secrets, but 1 webhook secret cannot be read with WEBHOOK_SECRETS_KEY",
  );
});

it("`repair` prints what was repaired, and fails if repairs were refused", async () => {
  const repair = (refused: object[]) =>
    run("repair", { force: "on" }, { "POST /repair": { repairs: [{ kind: "expired_hold" }], refused, next: null } });

  const { requests, printed } = repair([]);

  expect(await printed).toEqual({ repaired: [{ kind: "expired_hold" }] });
  expect(requests[0]?.body).toEqual({ isForced: true });
  await expect(repair([{ kind: "expired_hold" }, { kind: "expired_hold" }]).printed).rejects.toThrow(
    "there are suspiciously many: 2 x expired_hold.",
  );
});
