// Pages through the lists by cursor and by their `Link` headers.
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { requestServices } from "../../../src/services/request-services.ts";
import { completedDocument } from "../../fixtures/documents.ts";
import { baseUrl, get, newTenant, type Tenant } from "../../fixtures/tenant.ts";
import { dataOf, refusalOf, testService, type Pagination } from "../app.ts";

type Item = { id: string; createdAt: string };
type List = { documents: Item[]; pagination: Pagination };

const service = testService();
const { documents } = requestServices(env, () => {});

it("paging by cursor finds every document once, in the order of the list", async () => {
  const { tenant, ids } = await withDocuments([5, 4, 4, 4, 3, 2]);

  const pages = await walk(tenant, "/documents?limit=2");

  expect(pages.map(({ length }) => length)).toEqual([2, 2, 2]);
  expect(pages.flat()).toEqual(ids);
});

it("paging by cursor finds every existing document exactly once while documents are created and deleted", async () => {
  const { tenant, ids } = await withDocuments(Array.from({ length: 12 }, (_, index) => 100 - index));
  const deleted = new Set<string>();

  const pages = await walk(tenant, "/documents?limit=3", async (page) => {
    for (const createdAt of [1_000, 100, 95])
      await documents.insert(completedDocument({ accountId: tenant.accountId, createdAt }));
    const [first, , last] = page;
    for (const id of [first, last, ids[ids.indexOf(last ?? "") + 2]]) {
      if (id && ids.includes(id)) deleted.add(id);
      if (id) await documents.remove(tenant.accountId, id);
    }
  });

  const found = pages.flat();
  expect(new Set(found).size).toBe(found.length);
  expect(found.filter((id) => ids.includes(id) && !deleted.has(id))).toEqual(ids.filter((id) => !deleted.has(id)));
  expect(deleted.size).toBeGreaterThan(4);
});

it("paging with another account's cursor shows no document of that account", async () => {
  const theirs = await withDocuments([5, 4, 3]);
  const mine = await withDocuments([6, 1]);
  const { pagination } = await dataOf<List>(await get(service, theirs.tenant, "/documents?limit=1"));

  const response = await get(service, mine.tenant, `/documents?cursor=${pagination.nextCursor}`);

  expect((await dataOf<List>(response)).documents.map(({ id }) => id)).toEqual([mine.ids[1]]);
});

it("the filters may change between pages, and then apply from the position of the cursor", async () => {
  const { tenant, ids } = await withDocuments([5, 4, 3, 2]);
  const { pagination } = await dataOf<List>(await get(service, tenant, "/documents?limit=2"));

  const response = await get(
    service,
    tenant,
    `/documents?createdBefore=1970-01-01T00:00:00.003Z&cursor=${pagination.nextCursor}`,
  );

  expect(await dataOf<List>(response)).toMatchObject({
    documents: [{ id: ids[3] }],
    pagination: { offset: 0, total: 1, nextCursor: null },
  });
});

it("the Link header leads to the end of the list by cursor", async () => {
  const { tenant, ids } = await withDocuments([5, 4, 3, 2, 1]);

  const forth = await follow(tenant, "/documents?limit=2", "next");

  expect(forth.map((page) => page.ids)).toEqual([ids.slice(0, 2), ids.slice(2, 4), ids.slice(4)]);
  expect(forth.map((page) => page.rels)).toEqual([["next"], ["next"], []]);
});

it("the Link header leads to the end of the list and back by offset if the request has an offset", async () => {
  const { tenant, ids } = await withDocuments([5, 4, 3, 2, 1]);

  const forth = await follow(tenant, "/documents?limit=2&offset=1", "next");
  const back = await follow(tenant, forth.at(-1)?.url ?? "", "prev");

  expect(forth.map((page) => page.ids)).toEqual([ids.slice(1, 3), ids.slice(3)]);
  expect(back.map((page) => page.ids)).toEqual([ids.slice(3), ids.slice(1, 3), ids.slice(0, 2)]);
  expect(forth.map(({ url }) => new URL(url).search)).toEqual(["?limit=2&offset=1", "?limit=2&offset=3"]);
});

it("the Link header keeps the other parameters, percent-encoded", async () => {
  const { tenant, ids } = await withDocuments([3, 2, 1]);
  const query = "limit=1&status=completed&createdAfter=1970-01-01T02:00:00%2B02:00";

  const forth = await follow(tenant, `/documents?${query}`, "next");

  expect(forth.map((page) => page.ids)).toEqual(ids.map((id) => [id]));
  expect(forth[1]?.url).toMatch(
    /\/documents\?status=completed&createdAfter=1970-01-01T02%3A00%3A00%2B02%3A00&limit=1&cursor=[\w-]+$/,
  );
});

it.for(['>; rel="next", <https://evil.example/>; rel="prev', "a=b&limit=1&c", "ключ 🔑 + %41 %", ""])(
  "a query with metadata finds the documents with the value %j, and leads to the next page",
  async (value) => {
    const tenant = await newTenant(env);
    const made = [3, 2].map((createdAt) =>
      completedDocument({ accountId: tenant.accountId, createdAt, metadata: { "a.b-c_D": value, __proto__x: "1" } }),
    );
    for (const document of [...made, completedDocument({ accountId: tenant.accountId, metadata: { other: value } })])
      await documents.insert(document);

    const forth = await follow(tenant, `/documents?limit=1&metadata[a.b-c_D]=${encodeURIComponent(value)}`, "next");

    expect(forth.map(({ ids }) => ids)).toEqual(made.map(({ id }) => [id]));
    expect(forth.map(({ rels }) => rels)).toEqual([["next"], []]);
    expect(forth[1]?.url).toMatch(/^[\w:/.?&=%*+-]+$/);
  },
);

it("documents can be found by a metadata key that every JavaScript object also has", async () => {
  const tenant = await newTenant(env);
  const metadata = JSON.parse('{ "__proto__": "1", "constructor": "2" }') as Record<string, string>;
  const [named] = [completedDocument({ accountId: tenant.accountId, metadata })];
  for (const document of [named, completedDocument({ accountId: tenant.accountId })]) await documents.insert(document);

  for (const query of [
    "metadata[__proto__]=1",
    "metadata[constructor]=2",
    "metadata[__proto__]=1&metadata[constructor]=2",
  ]) {
    const { documents: found, pagination } = await dataOf<List>(await get(service, tenant, `/documents?${query}`));

    expect([found.map(({ id }) => id), pagination.total]).toEqual([[named.id], 1]);
  }
});

const pairs = (count: number) => Array.from({ length: count }, (_, index) => `metadata[k${index}]=v`).join("&");
it.for([
  { query: "metadata=x", message: "`metadata` must be given as `metadata[key]=value`." },
  { query: "metadata[]=x", message: /^`metadata` has the key ``; a key is 1 to 40 of the characters/ },
  { query: "metadata[a]=%00", message: /^`metadata.a` must be a string/ },
  { query: "metadata[a]=x&metadata[a]=x", message: "`metadata[a]` is given 2 times; give it once." },
  { query: "metadata[a]=x&metadata=y", message: /`metadata`/ },
  { query: pairs(5), message: "`metadata` has 5 pairs; at most 4 are allowed." },
  { query: "meta[a]=x", message: /^`meta\[a\]` is not a known query parameter/ },
])("a query with metadata of the form $query is refused", async ({ query, message }) => {
  const tenant = await newTenant(env);

  const refusal = await refusalOf(await get(service, tenant, `/documents?${query}`));

  expect(refusal).toMatchObject({ status: 400, code: "VALIDATION_ERROR" });
  expect(refusal.message).toEqual(typeof message === "string" ? message : expect.stringMatching(message));
});

/** Creates a tenant whose documents were created at these times. Their ids are in the order of the list. */
async function withDocuments(times: number[]): Promise<{ tenant: Tenant; ids: string[] }> {
  const tenant = await newTenant(env);
  const made = times.map((createdAt) => completedDocument({ accountId: tenant.accountId, createdAt }));
  for (const document of made) await documents.insert(document);
  const sorted = made.toSorted((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1));
  return { tenant, ids: sorted.map(({ id }) => id) };
}

/** Returns the ids on each page. Calls `between` after each page. */
async function walk(tenant: Tenant, path: string, between: (ids: string[]) => Promise<void> = async () => {}) {
  const pages: string[][] = [];
  let cursor: string | null = null;
  do {
    const list: List = await dataOf(await get(service, tenant, cursor ? `${path}&cursor=${cursor}` : path));
    const ids = list.documents.map(({ id }) => id);
    pages.push(ids);
    await between(ids);
    cursor = list.pagination.nextCursor;
  } while (cursor && pages.length < 20);
  return pages;
}

/** Follows the links of one relation. `start` is a path below the base URL, or a URL. */
async function follow(tenant: Tenant, start: string, rel: string) {
  const pages: { url: string; ids: string[]; rels: string[] }[] = [];
  let url: string | undefined = start.startsWith("/") ? `${baseUrl}${start}` : start;
  while (url && pages.length < 20) {
    const response: Response = await service.fetch(url, { headers: { Authorization: `Bearer ${tenant.key}` } });
    const links: [string, string][] = [...(response.headers.get("Link") ?? "").matchAll(/<([^>]*)>; rel="(\w+)"/g)].map(
      ([, target = "", name = ""]) => [name, target],
    );
    const list: List = await dataOf(response);
    pages.push({ url, ids: list.documents.map(({ id }) => id), rels: links.map(([name]) => name).toSorted() });
    url = new Map(links).get(rel);
  }
  return pages;
}
