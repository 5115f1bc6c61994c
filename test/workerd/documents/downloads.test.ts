// Who has downloaded a document: which responses are recorded, how long, and what else removes the records.
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { updateAccount } from "../../../src/operations/accounts/manage-accounts.ts";
import {
  removalBudget,
  removeExpired,
  removeOldDownloads,
} from "../../../src/operations/maintenance/remove-expired.ts";
import { downloadLog } from "../../../src/platform/documents/download-log.ts";
import type { Services } from "../../../src/ports/services.ts";
import { operatorServices } from "../../../src/services/operator-services.ts";
import { shardOf } from "../../fixtures/databases.ts";
import { baseUrl, get, newTenant, post, type Tenant } from "../../fixtures/tenant.ts";
import { create, databases, dataOf, refusalOf, testService, unknownId, type TestService } from "../app.ts";
import { laterServices } from "../maintenance/passes.ts";
import { callerOf, callerWith, operatorKey } from "../manage/manage.ts";

type List = {
  downloads: { at: string; via: string; keyId: string | null; country: string | null }[];
  pagination: { total: number; nextCursor: string | null };
};

const dayMs = 24 * 3_600_000;
const service = testService();
const downloads = downloadLog(databases);

/** Returns a tenant with a document. By default, its downloads are recorded. */
async function newWorld({ recordDownloads = true, own = service } = {}) {
  const tenant = await newTenant(env);
  if (recordDownloads) await updateAccount(operatorServices(env), tenant.accountId, { recordDownloads });
  const { id } = await dataOf(await create(own, tenant));
  return { tenant, id, path: `/documents/${id}/download` };
}

async function listOf(tenant: Tenant, id: string, query = "", from: TestService = service): Promise<List> {
  return dataOf<List>(await get(from, tenant, `/documents/${id}/downloads${query}`));
}

async function rowsOf({ accountId }: Tenant): Promise<number> {
  const select = "SELECT count(*) AS n FROM document_downloads WHERE account_id = ?";
  return (await (await shardOf(env, accountId)).prepare(select).bind(accountId).first<number>("n")) ?? 0;
}

/** Records downloads of the document at these times. */
async function recordAt(tenant: Tenant, documentId: string, times: number[]): Promise<void> {
  const insert = `INSERT INTO document_downloads (id, account_id, document_id, created_at)
    SELECT 'd' || key, ?1, ?2, value FROM json_each(?3)`;
  const shard = await shardOf(env, tenant.accountId);
  await shard.prepare(insert).bind(tenant.accountId, documentId, JSON.stringify(times)).run();
}

it("downloads by keys and by the operator are listed with key and country, newest first, by pages", async () => {
  const { tenant, id, path } = await newWorld();
  const cf = (country: unknown) => ({ cf: { country } }) as unknown as RequestInit;

  for (const country of ["DE", "FR", "AT", "XX", "T1", 7]) await get(service, tenant, path, cf(country));
  await callerWith(operatorKey).send("GET", `/admin/accounts/${tenant.accountId}${path}`);
  const all = await listOf(tenant, id);
  const first = await listOf(tenant, id, "?limit=3");
  const second = await listOf(tenant, id, `?limit=3&cursor=${first.pagination.nextCursor}`);

  const seen = all.downloads.map(({ via, keyId, country }) => [via, keyId, country]).toSorted();
  const byKey = ["DE", "FR", "AT", null].map((country) => ["key", tenant.keyId, country]);
  expect(seen).toEqual([...byKey, ["key", "operator", null]].toSorted());
  expect(all.downloads.map(({ at }) => at)).toEqual(
    all.downloads
      .map(({ at }) => at)
      .toSorted()
      .toReversed(),
  );
  expect([...first.downloads, ...second.downloads]).toEqual(all.downloads);
  expect([first.pagination.total, second.pagination.nextCursor]).toEqual([5, null]);
});

it("a download by a link is recorded without a key, only for accounts that ask for it, and an invalid link is not recorded", async () => {
  const [on, off] = [await newWorld(), await newWorld({ recordDownloads: false })];
  const opened = async ({ tenant, id }: typeof on, changed: string) => {
    const { url } = await callerOf(tenant).ok<{ url: string }>("POST", `${baseUrl}/documents/${id}/links`, {}, 201);
    const requests: RequestInit[] = [{}, { method: "HEAD" }, { headers: { Range: "bytes=5-" } }];
    const statuses: number[] = [];
    for (const init of requests)
      statuses.push((await service.fetch(url + changed, { ...init, cf: { country: "FR" } } as RequestInit)).status);
    return statuses;
  };

  expect([await opened(on, ""), await opened(on, "A"), await opened(off, "")]).toEqual([
    [200, 200, 206],
    [404, 404, 404],
    [200, 200, 206],
  ]);
  const link = { at: expect.any(String), via: "link", keyId: null, country: "FR" };
  expect((await listOf(on.tenant, on.id)).downloads).toEqual([link]);
  expect(await rowsOf(off.tenant)).toBe(0);
});

it("nothing is recorded by default", async () => {
  const started: string[] = [];
  const background: Services["background"] = (what, work) => void [started.push(what), work.catch(() => {})];
  const own = testService(() => ({ background }));
  const { tenant, id, path } = await newWorld({ recordDownloads: false });

  const response = await get(own, tenant, path);

  expect([response.status, (await listOf(tenant, id)).downloads, await rowsOf(tenant)]).toEqual([200, [], 0]);
  expect(started).not.toContain("record a download");
});

it.for<[what: string, status: number, isRecorded: boolean, init: RequestInit]>([
  ["the whole file", 200, true, {}],
  ["its first byte", 206, true, { headers: { Range: "bytes=0-0" } }],
  ["a range that is not supported", 200, true, { headers: { Range: "lines=1-" } }],
  ["a suffix with all bytes", 206, true, { headers: { Range: "bytes=-100000" } }],
  ["all bytes except the first", 206, true, { headers: { Range: "bytes=1-" } }],
  ["a range behind the end", 416, false, { headers: { Range: "bytes=100000-" } }],
  ["an unchanged file", 304, false, { headers: { "If-None-Match": "*" } }],
  ["a different version", 412, false, { headers: { "If-Match": '"x"' } }],
  ["only its headers", 200, false, { method: "HEAD" }],
])("a request for %s has the status %i, and is recorded: %s", async ([, status, isRecorded, init]) => {
  const { tenant, id, path } = await newWorld();

  const response = await get(service, tenant, path, init);

  expect([response.status, (await listOf(tenant, id)).downloads.length]).toEqual([status, isRecorded ? 1 : 0]);
});

it("a download succeeds and does not wait if the record of downloads fails or hangs", async () => {
  const { tenant, path } = await newWorld();
  const failing = async () => {
    throw new Error("D1 is down");
  };
  const hanging = () => new Promise<never>(() => {});
  const works: Promise<unknown>[] = [];
  const background: Services["background"] = (what, work) => {
    if (what === "record a download") works.push(work.catch(String));
  };
  const responses: [number, number][] = [];

  for (const record of [failing, hanging]) {
    const own = testService((services) => ({ downloads: { ...services.downloads, record }, background }));
    const response = await get(own, tenant, path);
    responses.push([response.status, (await response.arrayBuffer()).byteLength]);
  }

  expect(responses).toEqual([
    [200, expect.any(Number)],
    [200, responses[0]?.[1]],
  ]);
  expect([works.length, await works[0]]).toEqual([2, "Error: D1 is down"]);
});

it("only the account's keys can list the downloads of a document, and live and test documents are separate", async () => {
  const { tenant, id, path } = await newWorld();
  const { key } = await callerOf(tenant).ok<{ key: string }>("POST", "/keys", { name: "t", isTest: true }, 201);
  const tests = { ...tenant, key };
  const test = await dataOf(await create(service, tests));
  await get(service, tests, `/documents/${test.id}/download`);
  await get(service, tenant, path);

  const others = await newTenant(env);
  const refusals = [
    await get(service, others, `/documents/${id}/downloads`),
    await get(service, others, `/documents/${unknownId}/downloads`),
    await get(service, tests, `/documents/${id}/downloads`),
    await get(service, tenant, `/documents/${test.id}/downloads`),
    await get(service, tenant, "/documents/x/downloads"),
  ];

  expect(new Set(await Promise.all(refusals.map(async (each) => JSON.stringify(await refusalOf(each)))))).toHaveLength(
    1,
  );
  expect((await listOf(tests, test.id)).downloads).toHaveLength(1);
  expect((await listOf(tenant, id)).downloads).toHaveLength(1);
});

it("the newest 1,000 downloads of each document are kept", async () => {
  const { tenant, id, path } = await newWorld();
  const other = await dataOf(await create(service, tenant));
  const now = Date.now();
  for (const document of [id, other.id])
    await recordAt(
      tenant,
      document,
      Array.from({ length: 1_000 }, (_, index) => now - 1_000 + index),
    );

  for (const country of ["DE", "FR"]) await get(service, tenant, path, { cf: { country } } as unknown as RequestInit);

  const oldest = (await listOf(tenant, id, "?limit=1&offset=999")).downloads[0]?.at;
  expect([(await listOf(tenant, id)).pagination.total, await rowsOf(tenant)]).toEqual([1_000, 2_000]);
  expect(Date.parse(oldest ?? "")).toBe(now - 998);
});

it("downloads are listed for 90 days, and then removed by the scheduled run, as far as its budget allows", async () => {
  const { tenant, id } = await newWorld();
  const now = Date.now();
  const old = Array.from({ length: 4_500 }, (_, index) => now - 90 * dayMs - 1 - index);
  await recordAt(tenant, id, [now - 90 * dayMs + 60_000, ...old]);
  const run = async (batches: number) => {
    const services = { ...laterServices(), now: () => now };
    const budget = { ...removalBudget(now + 40_000), batches };
    for (const shard of services.shards) await removeOldDownloads({ ...services, ...shard }, budget);
    return rowsOf(tenant);
  };

  expect((await listOf(tenant, id)).pagination.total).toBe(1);
  expect([await run(1), await run(1), await run(1), await run(1)]).toEqual([2_501, 501, 1, 1]);
});

it("a document that was deleted or has expired leaves no downloads, even if one is recorded late", async () => {
  const { tenant, id, path } = await newWorld();
  const kept = await dataOf(await create(service, tenant));
  const body = { templateId: tenant.templateId, data: {}, expiresIn: 60 };
  const expiring = await dataOf(await post(service, tenant, body));
  for (const each of [path, `/documents/${kept.id}/download`, `/documents/${expiring.id}/download`])
    await get(service, tenant, each);
  const before = await rowsOf(tenant);

  await get(service, tenant, `/documents/${id}`, { method: "DELETE" });
  const services = laterServices();
  for (const shard of services.shards)
    await removeExpired({ ...services, ...shard }, removalBudget(services.now() + 40_000));
  const { accountId, keyId } = tenant;
  for (const documentId of [id, expiring.id])
    await downloads.record({ id: "late", accountId, documentId, createdAt: Date.now(), keyId, country: null });

  expect([before, await rowsOf(tenant), (await listOf(tenant, kept.id)).downloads.length]).toEqual([3, 1, 1]);
});

it("requests for a file, whole or in parts, are recorded once a minute for each key, or for links, and country", async () => {
  const { tenant, id, path } = await newWorld();
  const { accountId, keyId } = tenant;
  const totalOf = async () => (await listOf(tenant, id)).pagination.total;
  const record = (at: number, by: string | null, country: string | null = null) =>
    downloads.record({ id: crypto.randomUUID(), accountId, documentId: id, createdAt: at, keyId: by, country });

  for (const range of ["bytes=0-0", "bytes=1-", "lines=1-"])
    await get(service, tenant, path, { headers: { Range: range } });
  const first = await totalOf();
  const at = Date.parse((await listOf(tenant, id)).downloads[0]?.at ?? "");
  await record(at + 59_999, keyId);
  const early = await totalOf();
  await Promise.all([record(at + 60_000, keyId), record(at + 60_000, keyId)]);
  const later = await totalOf();
  await Promise.all([record(at, null), record(at, null), record(at, keyId, "DE"), record(at, "operator")]);

  expect([first, early, later, await totalOf()]).toEqual([1, 1, 2, 5]);
});

it("a download that is recorded twice is stored once", async () => {
  const { tenant, id } = await newWorld();
  const { accountId, keyId } = tenant;
  const download = { id: "same", accountId, documentId: id, createdAt: Date.now(), keyId, country: "DE" };

  await Promise.all([downloads.record(download), downloads.record(download)]);
  await downloads.record({ ...download, accountId: `${accountId}-test` });

  expect((await listOf(tenant, id)).downloads).toHaveLength(1);
});

it("whether downloads by links are recorded is found in the account, also for its test documents", async () => {
  const { tenant } = await newWorld();
  const off = await newTenant(env);
  const ids = [tenant.accountId, `${tenant.accountId}-test`, off.accountId, unknownId];

  expect(await Promise.all(ids.map((id) => downloads.isOn(id)))).toEqual([true, true, false, false]);
});
