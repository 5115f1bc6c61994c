// The requests of the operator's commands that add nothing to them, and what two commands make of the responses.
import { afterEach, expect, it, vi } from "vitest";
import { accountCommands } from "../../../src/cli/commands/accounts.ts";
import { repairCommands } from "../../../src/cli/commands/repair.ts";
import { webhookCommands } from "../../../src/cli/commands/webhooks.ts";
import { fakeServiceApi, listOf } from "../../fakes/service-api.ts";

const commands = { ...accountCommands, ...repairCommands, ...webhookCommands };
const owners = { "GET /owners?id=x": { owners: [{ kind: "webhook", accountId: "a" }] } };

afterEach(() => void vi.unstubAllGlobals());

function run(name: string, options: Record<string, string>, responses: Record<string, unknown>) {
  const { api, requests } = fakeServiceApi({ ...owners, ...responses });
  return { requests, printed: commands[name]?.run(api, options) };
}

it.each<[name: string, options: Record<string, string>, request: string, body?: object]>([
  ["account set-plan", { account: "a", plan: "pro" }, "PATCH /accounts/a", { plan: "pro" }],
  ["account set-limit", { account: "a", "monthly-renders": "plan" }, "PATCH /accounts/a", { monthlyRenders: null }],
  ["account set-limit", { account: "a", "monthly-renders": "5" }, "PATCH /accounts/a", { monthlyRenders: 5 }],
  ["account set-retention", { account: "a", days: "plan" }, "PATCH /accounts/a", { retentionDays: "plan" }],
  ["account set-retention", { account: "a", days: "30" }, "PATCH /accounts/a", { retentionDays: 30 }],
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
  ["webhook-secret show", { account: "a" }, "GET /accounts/a/webhook-secrets"],
  ["webhook-secret rotate", { account: "a" }, "POST /accounts/a/webhook-secrets/rotate"],
  ["webhook redeliver", { id: "x" }, "POST /accounts/a/webhooks/x/redeliver"],
])("`%s` with %j sends one request: %s", async (name, options, request, body) => {
  const { requests, printed } = run(name, options, { [request]: {} });

  await printed;

  expect(requests.at(-1)).toEqual({ request, ...(body && { body }) });
});

it("`webhook list` prints the webhooks of a status, each with its last attempt", async () => {
  const history = [
    { status: 500, error: null },
    { status: null, error: "timeout" },
  ];
  const webhooks = [
    { id: "w", history },
    { id: "v", history: [] },
  ];

  const { printed } = run(
    "webhook list",
    { account: "a", status: "dead" },
    { "GET /accounts/a/webhooks?status=dead": listOf("webhooks", webhooks) },
  );

  expect(await printed).toEqual({
    webhooks: [
      { id: "w", history, lastStatus: 500, lastError: null },
      { id: "v", history: [], lastStatus: null, lastError: null },
    ],
  });
});

it("`key create` refuses a scope that keys do not have", async () => {
  const options = { account: "a", scopes: "documents,templates:write" };

  await expect(run("key create", options, {}).printed).rejects.toThrow("--scopes must be one of documents, ");
});

it("`webhook list` refuses a status that webhooks do not have", async () => {
  await expect(run("webhook list", { account: "a", status: "gone" }, {}).printed).rejects.toThrow("--status must be");
});

it("`webhook-secret re-encrypt` says how many secrets were encrypted again, and fails if some cannot be read", async () => {
  const reEncrypt = (reEncrypted: number, unreadable: number) =>
    run("webhook-secret re-encrypt", {}, { "POST /webhook-secrets/re-encrypt": { reEncrypted, unreadable } }).printed;

  expect(await reEncrypt(2, 0)).toEqual({ reEncrypted: 2 });
  await expect(reEncrypt(2, 1)).rejects.toThrow(
    "encrypted 2 webhook secrets again, but 1 webhook secret cannot be read with WEBHOOK_SECRETS_KEY",
  );
});

it("`repair` prints what was repaired, and fails if repairs were refused", async () => {
  const repair = (refused: object[]) =>
    run("repair", { force: "on" }, { "POST /repair": { repairs: [{ kind: "expired_hold" }], refused, next: null } });

  const { requests, printed } = repair([]);

  expect(await printed).toEqual({ repaired: [{ kind: "expired_hold" }] });
  expect(requests[0]?.body).toEqual({ isForced: true });
  await expect(repair([{ kind: "expired_hold" }, { kind: "expired_hold" }]).printed).rejects.toThrow(
    "there are too many for an accident: 2 x expired_hold.",
  );
});
