// The settings of an account that its keys can change: the access of its documents, and whether downloads are recorded.
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { newTenant } from "../../fixtures/tenant.ts";
import { callerOf, callerWith, operatorKey } from "./manage.ts";

type Account = Record<string, unknown> & { id: string };

const operator = callerWith(operatorKey);
const defaults = { access: "public", recordDownloads: false };
const changed = { access: "private", recordDownloads: true };

it("a key with the scope `account` changes the settings of its account, and the events name the key", async () => {
  const tenant = await newTenant(env);
  const live = callerOf(tenant);
  const { key, id } = await live.ok<{ key: string; id: string }>(
    "POST",
    "/keys",
    { name: "a", scopes: ["account"] },
    201,
  );
  const caller = callerWith(key);

  const before = await caller.ok<object>("GET", "/settings");
  const after = await caller.ok<object>("PATCH", "/settings", changed);
  const one = await caller.ok<object>("PATCH", "/settings", { recordDownloads: false });
  const none = await caller.ok<object>("PATCH", "/settings", {});
  const { events } = await caller.ok<{ events: object[] }>("GET", "/events");

  expect([before, after]).toEqual([defaults, changed]);
  expect([one, none]).toEqual([
    { ...changed, recordDownloads: false },
    { ...changed, recordDownloads: false },
  ]);
  expect(await live.ok<object>("GET", "/settings")).toEqual(none);
  const event = { actor: id, subject: tenant.accountId };
  expect(events.slice(0, 4)).toMatchObject([event, event, event, { action: "key.created" }]);
});

it("the events say when an account was made private and public, and a request that changes nothing writes none", async () => {
  const tenant = await newTenant(env);
  const caller = callerOf(tenant);
  const patch = (body: object) => caller.ok("PATCH", "/settings", body);
  const operatorsPatch = (body: object) => operator.ok("PATCH", `/admin/accounts/${tenant.accountId}`, body);

  await patch(defaults);
  await patch({ access: "private" });
  await patch(changed);
  await operatorsPatch({ ...changed, plan: "pro", monthlyRenders: null, retentionDays: "plan" });
  await operatorsPatch({ ...defaults, plan: "free" });

  const { events } = await caller.ok<{ events: { actor: string; action: string }[] }>("GET", "/events?limit=5");
  expect(events.map(({ actor, action }) => [actor, action]).toSorted()).toEqual(
    [
      [tenant.keyId, "account.made_private"],
      [tenant.keyId, "account.updated"],
      ["operator", "account.made_public"],
      ["operator", "account.updated"],
      ["operator", "template.pushed"],
    ].toSorted(),
  );
});

it("keys that may only read the account, and test keys, cannot change its settings", async () => {
  const live = callerOf(await newTenant(env));
  const others = { name: "a", scopes: ["account:read", "documents", "templates", "keys", "webhooks"] };
  const { key: reading } = await live.ok<{ key: string }>("POST", "/keys", others, 201);
  const { key: test } = await live.ok<{ key: string }>("POST", "/keys", { name: "b", isTest: true }, 201);

  const refusals = [reading, test].map((key) => callerWith(key).refused("PATCH", "/settings", changed));
  const given = await callerWith(reading).refused("POST", "/keys", { name: "c", scopes: ["account"] });

  expect((await Promise.all(refusals)).map(({ code }) => code)).toEqual(["INSUFFICIENT_SCOPE", "INSUFFICIENT_SCOPE"]);
  expect(given).toMatchObject({ status: 400, details: [{ path: "scopes" }] });
  expect(await live.ok<object>("GET", "/settings")).toEqual(defaults);
});

it.each([
  [{ access: null }, "access"],
  [{ access: "Private" }, "access"],
  [{ access: "" }, "access"],
  [{ access: ["private"] }, "access"],
  [{ recordDownloads: null }, "recordDownloads"],
  [{ recordDownloads: "true" }, "recordDownloads"],
  [{ recordDownloads: 1 }, "recordDownloads"],
  [{ retentionDays: "keep" }, "retentionDays"],
  [{ ...changed, plan: "enterprise" }, "plan"],
])("a change of the settings to %j is refused, and changes nothing", async (body, path) => {
  const tenant = await newTenant(env);

  const refused = await callerOf(tenant).refused("PATCH", "/settings", body);

  expect(refused).toMatchObject({ status: 400, code: "VALIDATION_ERROR", details: [{ path }] });
  expect(await callerOf(tenant).ok<object>("GET", "/settings")).toEqual(defaults);
});

it("the operator sets both settings, and the record of an account has them only if they are not the default", async () => {
  const body = { name: "A", plan: "free", shard: 0 };
  const plain = await operator.ok<Account>("POST", "/admin/accounts", body, 201);
  const made = await operator.ok<Account>("POST", "/admin/accounts", { ...body, ...changed }, 201);
  const path = `/admin/accounts/${plain.id}`;

  const updated = await operator.ok<Account>("PATCH", path, changed);
  const back = await operator.ok<Account>("PATCH", path, defaults);

  expect(Object.keys(plain)).toEqual([
    ...["id", "name", "plan", "region", "shard", "monthlyRenders", "retentionDays", "createdAt"],
  ]);
  expect(updated).toEqual({ ...plain, ...changed });
  expect(made).toEqual({ ...plain, id: made.id, createdAt: made["createdAt"], ...changed });
  expect(back).toEqual(plain);
  expect(await operator.ok<object>("GET", `${path}-test/settings`)).toEqual(defaults);
});

it("an account that is exported and imported keeps its settings", async () => {
  type Part = { rows: { table: string; row: Record<string, unknown> }[] };
  const body = { name: "A", plan: "free", shard: 0, ...changed };
  const { id: accountId } = await operator.ok<Account>("POST", "/admin/accounts", body, 201);
  const { rows } = await operator.ok<Part>("GET", `/admin/accounts/${accountId}/export`);
  await env.DB.prepare("DELETE FROM webhook_secrets WHERE account_id = ?").bind(accountId).run();
  await env.DB.prepare("DELETE FROM accounts WHERE id = ?").bind(accountId).run();

  const wrong = rows.map(({ table, row }) => ({ table, row: { ...row, recordDownloads: 1 } }));
  const refused = await operator.refused("POST", "/admin/import", { accountId, rows: wrong });
  await operator.ok("POST", "/admin/import", { accountId, rows, shard: 0 });

  expect(refused.message).toContain("accounts.recordDownloads must be true or false");
  expect(await operator.ok<object>("GET", `/admin/accounts/${accountId}/settings`)).toEqual(changed);
});
