// Keys, webhooks, usage, events, and the operator's part.
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { sha256Hex } from "colophon-base/encoding";
import { testAccountId } from "../../../src/core/accounts/account.ts";
import { newFileKey } from "../../../src/core/documents/document.ts";
import { regions } from "../../../src/core/region.ts";
import { createKey } from "../../../src/operations/accounts/manage-accounts.ts";
import { webhookStore } from "../../../src/platform/webhooks/webhook-store.ts";
import { operatorServices } from "../../../src/services/operator-services.ts";
import { alteredKey } from "../../fixtures/api-keys.ts";
import { baseUrl, newTenant } from "../../fixtures/tenant.ts";
import { databases, quotaOf, tally, unboundedService, unknownId, usageOf } from "../app.ts";
import { ended } from "../batches/batches.ts";
import { callerOf, callerWith, manageUrl, operatorKey, zipOf } from "./manage.ts";

type Row = Record<string, unknown>;
type Key = { id: string; key: string; scopes: string[]; isTest: boolean };
type Part = { rows: { table: string; row: Row }[]; nextCursor: string | null };
type Document = { id: string; isTest: boolean; expiresAt: string | null; createdAt: string };

const documentsPath = `${baseUrl}/documents`;
const events = webhookStore(databases);

it("keys can be created only with scopes of the creating key, and must expire before the creating key", async () => {
  const tenant = await newTenant(env);
  const expiresAt = new Date(Date.now() + 60_000).toISOString();
  const limited = await callerOf(tenant).ok<Key>(
    "POST",
    "/keys",
    { name: "limited", scopes: ["keys", "documents:read"], expiresAt },
    201,
  );
  const caller = callerWith(limited.key);

  const wider = await caller.refused("POST", "/keys", { name: "wide", scopes: ["documents"], expiresAt });
  const longer = await caller.refused("POST", "/keys", { name: "long" });
  const same = await caller.ok<Key>("POST", "/keys", { name: "same", expiresAt }, 201);

  expect(wider).toMatchObject({ status: 400, details: [{ path: "scopes" }] });
  expect(longer).toMatchObject({ status: 400, details: [{ path: "expiresAt" }] });
  expect(same.scopes).toEqual(["documents:read", "keys"]);
});

it("keys that have expired or been revoked are refused with the reason if they are complete", async () => {
  const tenant = await newTenant(env);
  const made = async (input: object) =>
    (await createKey(operatorServices(env), tenant.accountId, { name: "ended", ...input })) ?? expect.unreachable();
  const [expired, revoked] = [await made({ expiresAt: Date.now() - 1 }), await made({})];
  await callerOf(tenant).ok("DELETE", `/keys/${revoked.created.id}`);
  const guessed = alteredKey(expired.key, { secret: "A".repeat(43) });

  const refusals = [expired.key, revoked.key, guessed].map((key) => callerWith(key).refused("GET", "/keys"));

  expect((await Promise.all(refusals)).map(({ status, message }) => `${status} ${message}`)).toEqual([
    "401 The API key has expired. Use a different key.",
    "401 The API key has been revoked. Use a different key.",
    "401 The API key is missing or invalid. Send it as `Authorization: Bearer <API_KEY>`.",
  ]);
});

it("API keys are listed without their secrets but with their last use, and can be revoked", async () => {
  const tenant = await newTenant(env);
  const caller = callerOf(tenant);
  const made = await caller.ok<Key>("POST", "/keys", { name: "second" }, 201);

  await caller.ok("DELETE", `/keys/${made.id}`);
  const { keys } = await caller.ok<{ keys: object[] }>("GET", "/keys");

  expect(keys).toMatchObject([
    { id: made.id, name: "second", revokedAt: expect.any(String), lastUsedAt: null },
    { id: tenant.keyId, revokedAt: null, lastUsedAt: expect.any(String) },
  ]);
  expect(JSON.stringify(keys)).not.toContain(made.key.slice(30));
  expect(await callerWith(made.key).refused("GET", "/keys")).toMatchObject({ status: 401 });
});

it.each([
  [{}, "name"],
  [{ name: "a", scopes: ["all"] }, "scopes.0"],
  [{ name: "a", expiresAt: "2020-01-01" }, "expiresAt"],
  [{ name: "a\nb" }, "name"],
  [{ name: "a", role: "admin" }, "role"],
])("a new API key is refused with the name of its invalid property: %j", async (body, path) => {
  const refused = await callerOf(await newTenant(env)).refused("POST", "/keys", body);

  expect(refused).toMatchObject({ status: 400, code: "VALIDATION_ERROR", details: [{ path }] });
});

it("a test key creates documents that have a watermark, that only test keys can see and that do not count", async () => {
  const tenant = await newTenant(env);
  const live = callerOf(tenant);
  const { key } = await live.ok<Key>("POST", "/keys", { name: "test", isTest: true }, 201);
  const test = callerWith(key);

  const made = await test.ok<Document>("POST", documentsPath, { templateId: tenant.templateId, data: {} }, 201);
  const own = await live.ok<Document>("POST", documentsPath, { templateId: tenant.templateId, data: {} }, 201);

  const [tests, lives] = await Promise.all(
    [test, live].map((caller) =>
      caller.ok<{ documents: Document[]; pagination: { total: number } }>("GET", documentsPath),
    ),
  );
  expect(key).toMatch(/^colophon_test_/);
  expect([tests?.documents.map(({ id }) => id), tests?.pagination.total]).toEqual([[made.id], 1]);
  expect([lives?.documents.map(({ id }) => id), lives?.pagination.total]).toEqual([[own.id], 1]);
  expect([made.isTest, own.isTest]).toEqual([true, false]);
  expect(Date.parse(made.expiresAt ?? "") - Date.parse(made.createdAt)).toBe(24 * 3_600_000);
  expect(await live.refused("GET", `${documentsPath}/${made.id}`)).toMatchObject({ status: 404 });
  expect(await test.refused("DELETE", `${documentsPath}/${own.id}`)).toMatchObject({ status: 404 });
  expect(test.service.jobs.map(({ isTest }) => isTest)).toEqual([true]);
  expect(live.service.jobs.map(({ isTest }) => isTest)).toEqual([undefined]);
  expect((await usageOf(tenant)).used).toBe(1);
});

it("a test key renders exactly 100 documents a day in addition to the allowance, even under parallel creates", async () => {
  const tenant = await newTenant(env);
  const service = unboundedService();
  const live = callerWith(tenant.key, service);
  const { key } = await live.ok<Key>("POST", "/keys", { name: "test", isTest: true }, 201);
  const test = callerWith(key, service);
  const body = { templateId: tenant.templateId, data: {} };
  await test.ok("POST", documentsPath, body, 201);
  const quota = quotaOf({ accountId: testAccountId(tenant.accountId) });
  await runInDurableObject(quota, (_, { storage }) => {
    storage.sql.exec("UPDATE months SET committed = 95");
  });

  const statuses = await Promise.all(
    Array.from(
      { length: 20 },
      async (_, at) => (await [test, live][at % 2]?.send("POST", documentsPath, body))?.status,
    ),
  );
  const more = await test.refused("POST", documentsPath, body);
  const usage = await test.ok<object>("GET", `${baseUrl}/usage`);

  expect(tally(statuses.map(Number))).toEqual({ 201: 15, 429: 5 });
  expect(more).toMatchObject({ status: 429, message: "Daily test render limit exceeded. Current: 100/100" });
  expect(usage).toMatchObject({ period: new Date().toISOString().slice(0, 10), used: 100, limit: 100, remaining: 0 });
  expect((await usageOf(tenant)).used).toBe(10);
});

it("webhooks can be listed by status and document, read with their payload, and sent again", async () => {
  const { accountId, key } = await newTenant(env);
  const caller = callerWith(key);
  const documentId = crypto.randomUUID();
  const id = `evt_${documentId.replaceAll("-", "")}`;
  await events.insert({
    id,
    accountId,
    documentId,
    url: "https://a.example",
    payload: '{"type":"x"}',
    createdAt: Date.now(),
  });
  const attempt = { at: 1, durationMs: 1, status: 500, error: null, response: "secret of the receiver" };
  const delivery = { status: "dead" as const, round: 0, attempts: 10, nextAttemptAt: null, history: [attempt] };
  await events.report(accountId, [{ eventId: id, delivery }]);
  type Webhooks = { webhooks: { id: string; status: string }[] };

  const dead = await caller.ok<Webhooks>("GET", `/webhooks?status=dead&documentId=${documentId}`);
  const one = await caller.ok<object>("GET", `/webhooks/${id}`);
  const again = await caller.ok<object>("POST", `/webhooks/${id}/redeliver`);
  const pending = await caller.ok<Webhooks>("GET", "/webhooks?status=pending");

  expect(dead.webhooks).toMatchObject([{ id, status: "dead", history: [{ status: 500, response: null }] }]);
  const path = `/admin/accounts/${accountId}/webhooks/${id}`;
  expect(JSON.stringify(await callerWith(operatorKey).ok("GET", path))).toContain("secret of the receiver");
  expect(one).toMatchObject({ id, payload: { type: "x" } });
  expect(again).toEqual({ id, status: "pending" });
  expect(pending.webhooks).toMatchObject([{ id, attempts: 10 }]);
});

it("usage and events count documents by day and template", async () => {
  const tenant = await newTenant(env);
  const caller = callerOf(tenant);
  for (let n = 0; n < 2; n++) await caller.ok("POST", documentsPath, { templateId: tenant.templateId, data: {} }, 201);

  const { days } = await caller.ok<{ days: object[] }>("GET", "/usage/days");

  const day = new Date().toISOString().slice(0, 10);
  expect(days).toEqual([{ day, templateId: tenant.templateId, completed: 2, failed: 0 }]);
});

it("usage and events list what a test key has done", async () => {
  const caller = callerOf(await newTenant(env));
  const test = await caller.ok<Key>("POST", "/keys", { name: "test", isTest: true, scopes: ["webhooks"] }, 201);
  await callerWith(test.key).ok("POST", "/webhooks/redeliver", { since: "2026-01-01" });

  const { events: found } = await caller.ok<{ events: object[] }>("GET", "/events");

  expect(found).toContainEqual(expect.objectContaining({ actor: test.id, action: "webhooks.redelivered" }));
});

it("the events say who changed what, newest first", async () => {
  const tenant = await newTenant(env);
  const caller = callerOf(tenant);
  const { template } = await caller.ok<{ template: { id: string } }>("PUT", "/templates/a", zipOf("1"), 201);
  const made = await caller.ok<Key>("POST", "/keys", { name: "a" }, 201);
  await callerWith(operatorKey).ok("PATCH", `/admin/accounts/${tenant.accountId}`, { plan: "free" });

  const { events } = await caller.ok<{ events: object[] }>("GET", "/events?limit=3");

  expect(events).toMatchObject([
    { actor: "operator", action: "account.updated", subject: tenant.accountId },
    { actor: tenant.keyId, action: "key.created", subject: made.id },
    { actor: tenant.keyId, action: "template.pushed", subject: template.id },
  ]);
});

const operator = callerWith(operatorKey);
/** The part of the account's export from this cursor on. */
const exported = (accountId: string, cursor: string) =>
  operator.ok<Part>("GET", `/admin/accounts/${accountId}/export${cursor && `?cursor=${encodeURIComponent(cursor)}`}`);
const refusedImport = (accountId: string, rows: object[]) =>
  operator.refused("POST", "/admin/import", { accountId, rows });

it("the operator creates accounts with a region and their own limit, and changes the limit", async () => {
  const body = { name: "A", plan: "free", monthlyRenders: 7, region: "weur" };
  const account = await operator.ok<{ id: string }>("POST", "/admin/accounts", body, 201);
  const refused = await operator.refused("POST", "/admin/accounts", { ...body, region: "eu" });
  const path = `/admin/accounts/${account.id}`;
  const { key } = await operator.ok<Key>("POST", `${path}/keys`, { name: "a" }, 201);

  const usage = await callerWith(key).ok<object>("GET", `${baseUrl}/usage`);
  await operator.ok("PATCH", path, { monthlyRenders: null });
  const changed = await operator.ok<object>("GET", path);

  expect(usage).toMatchObject({ limit: 7 });
  expect(changed).toMatchObject({ plan: "free", monthlyRenders: null, retentionDays: "plan", region: "weur" });
  expect(refused).toMatchObject({ status: 400, message: `\`region\` must be one of ${regions.join(", ")}.` });
  expect(await operator.ok<object>("GET", `${path}/usage`)).toMatchObject({ limit: 50 });
});

it("the operator lists, shows and cancels the batches of an account, even by ids in upper case", async () => {
  const tenant = await newTenant(env);
  const body = { templateId: tenant.templateId, items: [{ data: {} }] };
  const made = await callerOf(tenant).ok<{ id: string }>("POST", `${baseUrl}/batches`, body, 202);
  const batch = await ended(operator.service, tenant, made.id);
  const path = (id = "", accountId = tenant.accountId) => `/admin/accounts/${accountId}/batches${id && `/${id}`}`;
  const upper = made.id.toUpperCase();

  expect(await operator.ok<object>("GET", path())).toMatchObject({ batches: [batch] });
  expect(await operator.ok<object>("GET", path(upper))).toEqual(batch);
  expect(await operator.ok<object>("POST", `${path(upper)}/cancel`)).toEqual(batch);
  const unknown = await operator.refused("GET", path(unknownId));
  const elsewhere = await operator.refused("POST", `${path(made.id, unknownId)}/cancel`);
  expect([unknown.code, elsewhere.code]).toEqual(["BATCH_NOT_FOUND", "ACCOUNT_NOT_FOUND"]);
});

it("the operator finds a customer's failed document and its error by its id or its metadata", async () => {
  const tenant = await newTenant(env);
  const caller = callerOf(tenant);
  caller.service.render = async () => ({ status: "impossible", message: "The table is too long." });
  const metadata = { order: "1017" };
  await caller.refused("POST", documentsPath, { templateId: tenant.templateId, data: {}, metadata });
  const path = `/admin/accounts/${tenant.accountId}/documents`;

  type Found = { documents: { id: string; error: object }[] };
  const { documents } = await operator.ok<Found>("GET", `${path}?status=failed&metadata[order]=1017`);
  const id = documents[0]?.id ?? "";
  const { owners } = await operator.ok<{ owners: object[] }>("GET", `/admin/owners?id=${id}`);

  expect(documents[0]?.error).toEqual({ code: "RENDER_FAILED", message: "The table is too long." });
  expect(owners).toEqual([{ kind: "document", accountId: tenant.accountId }]);
  expect(await operator.refused("POST", path, { templateId: tenant.templateId, data: {} })).toMatchObject({
    status: 405,
  });
});

it("a path with a fixed name lists its own methods, not the methods of the path with an id in its place", async () => {
  const tenant = await newTenant(env);
  const operatorsPath = `/admin/accounts/${tenant.accountId}/webhooks/redeliver`;

  const responses = [
    await callerOf(tenant).send("PUT", "/webhooks/redeliver"),
    await operator.send("PUT", operatorsPath),
  ];

  const allowed = responses.map(({ status, headers }) => [status, headers.get("Allow")]);
  expect(allowed).toEqual([405, 405].map((status) => [status, "POST"]));
});

it("the operator pages through accounts by links that lead to the operator's API", async () => {
  await Promise.all([newTenant(env), newTenant(env)]);

  const response = await operator.send("GET", "/admin/accounts?limit=1");

  expect(response.headers.get("Link")).toMatch(
    /^<https:\/\/colophon\.test\/api\/manage\/v1\/admin\/accounts\?limit=1&cursor=[\w-]+>; rel="next"$/,
  );
});

it("the operator deletes an account, which is then not found, and whose keys are refused", async () => {
  const tenant = await newTenant(env);
  const path = `/admin/accounts/${tenant.accountId}`;

  const first = await operator.ok<object>("DELETE", path);
  const second = await operator.ok<object>("DELETE", path);

  expect([first, second]).toMatchObject([{ status: "waiting" }, { status: "waiting" }]);
  for (const [method, action, body] of [
    ["GET"],
    ["PATCH", "", { plan: "pro" }],
    ["POST", "/keys", { name: "a" }],
  ] as const)
    expect(await operator.refused(method, path + (action ?? ""), body)).toMatchObject({ code: "ACCOUNT_NOT_FOUND" });
  const { accounts } = await operator.ok<{ accounts: { id: string }[] }>("GET", "/admin/accounts?limit=100");
  expect(accounts.map(({ id }) => id)).not.toContain(tenant.accountId);
  expect(await callerOf(tenant).refused("GET", "/keys")).toMatchObject({ status: 401 });
  expect(await operator.refused("DELETE", `/admin/accounts/${crypto.randomUUID()}`)).toMatchObject({ status: 404 });
});

it("the operator exports rows that can be imported in any order after the account was removed from the tables", async () => {
  const tenant = await newTenant(env, { shard: 0 });
  const caller = callerOf(tenant);
  const document = await caller.ok<Document>("POST", documentsPath, { templateId: tenant.templateId, data: {} }, 201);
  const path = `/admin/accounts/${tenant.accountId}`;
  const rows: Part["rows"] = [];
  for (let cursor: string | null = ""; cursor !== null;) {
    const part: Part = await exported(tenant.accountId, cursor);
    rows.push(...part.rows);
    cursor = part.nextCursor;
  }
  const tables = ["documents", "document_counts", "template_versions", "templates", "api_keys", "webhook_secrets"];
  for (const table of tables)
    await env.DB.prepare(`DELETE FROM ${table} WHERE account_id = ?`).bind(tenant.accountId).run();
  await env.DB.prepare("DELETE FROM accounts WHERE id = ?").bind(tenant.accountId).run();

  const { accountId } = tenant;
  const [account, ...others] = rows;
  const inAnyOrder = [account, ...others.toReversed()];
  // The service still remembers the shard, because the account was not deleted as an operator does it.
  const imported = await operator.ok<object>("POST", "/admin/import", { accountId, rows: inAnyOrder, shard: 0 });
  const again = await operator.ok("POST", "/admin/import", { accountId, rows });

  expect(new Set(rows.map(({ table }) => table))).toEqual(
    new Set(["accounts", "templates", "templateVersions", "documents", "documentCounts"]),
  );
  // The insertion of the document has already written the count.
  expect([imported, again]).toEqual([{ imported: rows.length - 1 }, { imported: 0 }]);
  expect(await operator.ok<object>("GET", `${path}/documents/${document.id}`)).toMatchObject({ id: document.id });
  expect(await operator.ok<object>("GET", `${path}/usage`)).toMatchObject({ used: 1 });
  expect((await operator.ok<{ secrets: string[] }>("GET", `${path}/webhook-secrets`)).secrets).toHaveLength(1);
});

it.each<[string, (own: Row, theirs: Row) => Row[], string]>([
  ["the file of another account", (own, { fileKey }) => [{ ...own, id: unknownId, fileKey }], "belongs to another"],
  ["the id of a foreign document", (own, { id }) => [{ ...own, id, fileKey: newFileKey("pdf") }], "belongs to another"],
  [
    "the template of another account",
    (own, { templateId }) => [{ ...own, id: unknownId, fileKey: newFileKey("pdf"), templateId }],
    "belongs to another account here",
  ],
  [
    "a file that another row names",
    (own) => {
      const fileKey = newFileKey("pdf");
      return [unknownId, crypto.randomUUID()].map((id) => ({ ...own, id, fileKey }));
    },
    "two documents have the same file",
  ],
  ["another file format", (own) => [{ ...own, id: unknownId, fileKey: newFileKey("png") }], "not the key of a file of"],
])("the import of a document with %s is refused, and none of its rows is written", async (_, made, problem) => {
  const [mine, theirs] = [await newTenant(env), await newTenant(env)];
  const rowOf = async ({ accountId, key, templateId }: typeof mine) => {
    await callerWith(key).ok("POST", documentsPath, { templateId, data: {} }, 201);
    return (await exported(accountId, "documents ")).rows[0]?.row ?? expect.unreachable();
  };
  const [own, foreign] = [await rowOf(mine), await rowOf(theirs)];
  const { accountId } = mine;
  const good = { ...own, id: crypto.randomUUID(), fileKey: newFileKey("pdf") };
  const rows = [good, ...made(own, foreign)].map((row) => ({ table: "documents", row }));

  const refused = await refusedImport(accountId, rows);

  expect(refused).toMatchObject({ status: 400, message: expect.stringContaining(problem) });
  const { pagination } = await callerOf(mine).ok<{ pagination: { total: number } }>("GET", documentsPath);
  expect(pagination.total).toBe(1);
});

it.each<[string, (own: Row, theirs: Row) => Row, string]>([
  ["the id of a foreign template", (own, { id }) => ({ ...own, id, folder: "b" }), "belongs to another account here"],
  ["an invisible character in its name", (own) => ({ ...own, folder: "in\u200bvoice" }), "templates.folder must not"],
  ["a name that is an id", (own) => ({ ...own, folder: unknownId }), "templates.folder must not be a UUID"],
])("the import of a template with %s is refused", async (_, made, problem) => {
  const [mine, theirs] = [await newTenant(env), await newTenant(env)];
  const rowOf = async ({ accountId }: typeof mine) => {
    return (await exported(accountId, "templates ")).rows[0]?.row ?? expect.unreachable();
  };
  const row = made(await rowOf(mine), await rowOf(theirs));
  const rows = [{ table: "templates", row }];

  const refused = await refusedImport(mine.accountId, rows);

  expect(refused).toMatchObject({ status: 400, message: expect.stringContaining(problem) });
});

it.each<[string, Row, string]>([
  ["documents", { completedAt: null }, "completedAt must not be null if the status is completed"],
  ["documents", { status: "failed" }, "error must not be null if the status is failed"],
  ["documents", { status: "processing" }, "status must be one of completed, failed"],
  ["documents", { status: "unknown" }, "status must be one of processing, completed, failed"],
  ["documents", { filename: "a\nb.pdf" }, "filename must be the name of a file, or null"],
  ["documents", { warnings: "{}" }, "warnings must be JSON of a list of strings"],
  [
    "documents",
    { error: '{"code":"RENDER_FAILED","message":"a","details":[1]}' },
    "error must be JSON of an error, or null",
  ],
  ["documents", { conformance: '["pdf/a-4"]' }, "conformance must be JSON of a list of standards, or null"],
  ["documents", { conformance: '["pdf/ua-1","pdf/ua-1"]' }, "conformance must be JSON of a list of standards, or null"],
  ["documents", { conformance: '["pdf/a-2b","pdf/a-3b"]' }, "conformance must be JSON of a list of standards, or null"],
  ["documents", { conformance: '{"0":"pdf/a-2b"}' }, "conformance must be JSON of a list of standards, or null"],
  ["documents", { linkSeconds: 604_801 }, "linkSeconds must be a whole number from 0 to 604800, or null"],
  ["documents", { sha256: "x" }, "sha256 must be a SHA-256 in hexadecimal, or null"],
  ["templates", { manifest: "[]" }, "manifest must be JSON of a manifest"],
  ["templateVersions", { manifest: "{}" }, "manifest must be JSON of a manifest"],
  ["documentCounts", { month: "2026-13" }, "month must be a month such as 2026-11"],
])("the import of a row of %s with %j is refused, and none of its rows is written", async (table, change, problem) => {
  const tenant = await newTenant(env);
  const { accountId, templateId } = tenant;
  await callerOf(tenant).ok("POST", documentsPath, { templateId, data: {} }, 201);
  const part = await exported(accountId, table);
  const row = { ...part.rows[0]?.row, ...change };
  const good = { accountId, month: "2026-01", status: "failed", stored: 0, ever: 5 };

  const rows = [
    { table: "documentCounts", row: good },
    { table, row },
  ];
  const refused = await refusedImport(accountId, rows);

  expect(refused).toMatchObject({
    status: 400,
    message: `A row cannot be imported: row 2: ${table}.${problem}.`,
  });
  const counts = await exported(accountId, "documentCounts");
  expect(counts.rows.map((each) => each.row["month"])).not.toContain("2026-01");
});

it("rows of an older release, without the columns that may be null or have a default, are imported", async () => {
  const tenant = await newTenant(env);
  const { accountId, templateId } = tenant;
  const { id } = await callerOf(tenant).ok<Document>("POST", documentsPath, { templateId, data: {} }, 201);
  const { rows } = await exported(accountId, "documents ");
  const newest = ["conformance", "linkEpoch", "linkSeconds", "batchId", "pixelWidth", "metadata"];
  const older = (without: string[], own: object) =>
    Object.fromEntries(Object.entries({ ...rows[0]?.row, ...own }).filter(([name]) => !without.includes(name)));
  const imported = (row: Row) => ({ accountId, rows: [{ table: "documents", row }] });
  const row = older(newest, { id: crypto.randomUUID(), fileKey: newFileKey("pdf") });

  const lacking = await operator.refused("POST", "/admin/import", imported(older(["sha256"], { id })));
  await operator.ok("POST", "/admin/import", imported(row));

  expect(lacking.message).toContain("documents.sha256 must not be null if the status is completed");
  const [before, after] = await Promise.all(
    [id, row["id"]].map((each) => callerOf(tenant).ok<Row>("GET", `${documentsPath}/${String(each)}`)),
  );
  expect(after).toEqual({ ...before, id: row["id"], pdfUrl: after?.["pdfUrl"], fileUrl: after?.["pdfUrl"] });
});

it("the import of a template whose folder exists under a different id is refused, and none of its rows is written", async () => {
  const { accountId, templateId } = await newTenant(env);
  const stored = (await exported(accountId, "templates")).rows[0]?.row ?? expect.unreachable();
  const rows = [crypto.randomUUID(), unknownId].map((id) => ({ table: "templates", row: { ...stored, id } }));

  const others = rows.map(({ table, row }) => ({ table, row: { ...row, folder: "other" } }));
  const refusals = [await refusedImport(accountId, rows.slice(1)), await refusedImport(accountId, others)];

  expect(refusals.map(({ status, message }) => [status, message])).toEqual([
    [400, `A row cannot be imported: two templates have the folder ${String(stored["folder"])}.`],
    [400, "A row cannot be imported: two templates have the folder other."],
  ]);
  const after = await exported(accountId, "templates");
  expect(after.rows.map(({ row }) => row["id"])).toEqual([templateId]);
});

it("an export from a cursor that the service did not send is refused", async () => {
  const { accountId } = await newTenant(env);
  const refused = await operator.refused("GET", `/admin/accounts/${accountId}/export?cursor=documents%201`);

  expect(refused).toMatchObject({ status: 400, details: [{ path: "cursor" }] });
});

it("an import of counts does not change the service's own count of stored documents", async () => {
  const tenant = await newTenant(env);
  const { accountId } = tenant;
  const row = { accountId, month: "2026-01", status: "completed", stored: 1_000, ever: 5 };

  await operator.ok("POST", "/admin/import", { accountId, rows: [{ table: "documentCounts", row }] });

  const { pagination } = await callerOf(tenant).ok<{ pagination: { total: number } }>("GET", documentsPath);
  expect(pagination.total).toBe(0);
});

it("the operator can import parts that are larger than 64 KiB", async () => {
  const accountId = crypto.randomUUID();
  const account = { id: accountId, name: "A".repeat(200), plan: "pro", createdAt: 1, retentionDays: null };
  const row = { ...account, deletedAt: null, region: null, monthlyRenders: null };
  const rows = Array.from({ length: 200 }, () => ({ table: "accounts", row }));

  expect(JSON.stringify(rows).length).toBeGreaterThan(64 * 1024);
  expect(await operator.ok<object>("POST", "/admin/import", { accountId, rows })).toEqual({ imported: 1 });
});

it.each([
  ["name", 1, "row 1: accounts.name must be a string of 1 to 200 characters, without control characters"],
  ["createdAt", 1e300, "row 1: accounts.createdAt must be a whole number from 0 to 99999999999999"],
  ["deletedAt", 1, "row 1: the account was being deleted"],
  ["region", "mars", "row 1: accounts.region must be one of wnam, enam, weur, eeur, apac, oc, or null"],
  ["id", crypto.randomUUID(), "it belongs to another account"],
  ["secret", "x", "row 1: accounts has no property secret"],
])("the import of an account whose %s is %j is refused", async (property, value, problem) => {
  const accountId = crypto.randomUUID();
  const account = { id: accountId, name: "A", plan: "pro", createdAt: 1, retentionDays: null, deletedAt: null };
  const row = { ...account, region: null, monthlyRenders: null, [property]: value };
  const rows = [{ table: "accounts", row }];

  expect(await refusedImport(accountId, rows)).toMatchObject({
    status: 400,
    message: `A row cannot be imported: ${problem}.`,
  });
});

it("an import into an account that does not exist is refused, and an import cannot replace an object", async () => {
  const accountId = crypto.randomUUID();
  const key = `${"a".repeat(43)}.pdf`;
  const put = async (body: string, length: object = { "Content-Length": String(body.length) }, sha256?: string) => {
    const about = JSON.stringify({ customMetadata: { sha256: sha256 ?? (await sha256Hex(body)) } });
    return operator.service.fetch(`${manageUrl}/admin/objects?bucket=files&key=${key}`, {
      method: "PUT",
      headers: { Authorization: `Bearer ${operatorKey}`, "X-Object-Metadata": encodeURIComponent(about), ...length },
      body,
    });
  };

  expect(await refusedImport(accountId, [])).toMatchObject({ status: 400 });
  expect([(await put("none", {})).status, (await put("short", { "Content-Length": "9" })).status]).toEqual([411, 400]);
  expect([(await put("long", { "Content-Length": "2" })).status, await env.FILES.head(key)]).toEqual([400, null]);
  const wrong = await put("first", undefined, "0".repeat(64));
  expect([wrong.status, await wrong.text(), await env.FILES.head(key)]).toEqual([
    400,
    expect.stringContaining("does not match the body"),
    null,
  ]);
  expect([(await put("first")).status, (await put("second")).status]).toEqual([200, 200]);
  expect(await (await env.FILES.get(key))?.text()).toBe("first");
});

it.each(['{"httpMetadata":{},"customMetadata":{}}', JSON.stringify({ customMetadata: { sha256: "a".repeat(9_000) } })])(
  "the operator cannot store a file with metadata that the service would not write (%#)",
  async (metadata) => {
    const key = newFileKey("pdf");
    const headers = { "X-Object-Metadata": encodeURIComponent(metadata), "Content-Length": "7" };

    const response = await operator.send("PUT", `/admin/objects?bucket=files&key=${key}`, { a: 1 }, headers);

    expect([
      response.status,
      (await response.text()).includes("customMetadata.sha256"),
      await env.FILES.head(key),
    ]).toEqual([400, true, null]);
  },
);

it("the operator can store only content of the account's templates, and the log names the account", async () => {
  const [mine, theirs] = [await newTenant(env), await newTenant(env)];
  const { service } = operator;
  const put = async ({ templateId }: typeof mine) => {
    const key = `${mine.accountId}/${templateId}/${"0".repeat(64)}.json`;
    const path = `/admin/objects?bucket=templates&key=${encodeURIComponent(key)}`;
    service.measured.length = 0;
    const { status } = await operator.send("PUT", path, {}, { "Content-Length": "2" });
    const acted = service.measured.find(({ event }) => event === "operator.acted");
    return [status, acted?.["accountId"], (await env.TEMPLATES.head(key)) !== null];
  };

  expect([await put(mine), await put(theirs)]).toEqual([
    [200, mine.accountId, true],
    [400, mine.accountId, false],
  ]);
});
