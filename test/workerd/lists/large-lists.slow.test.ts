// Lists whose totals are not counted to the end, whose offsets are deep, or whose filters no index covers.
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import type { DocumentFilter } from "../../../src/core/documents/document-filter.ts";
import type { Cursor } from "../../../src/core/pagination.ts";
import { d1Client } from "../../../src/platform/d1/d1-client.ts";
import { documentStore } from "../../../src/platform/documents/document-store.ts";
import { documentArchive } from "../../../src/platform/maintenance/document-archive.ts";
import { callTimeoutMs } from "../app.ts";

const d1 = d1Client(env.DB, callTimeoutMs);
const documents = documentStore(d1);

/** Document n was created at n ms. Every tenth is a PNG, and every thousandth belongs to the customer "rare". */
const accountId = crypto.randomUUID();
const count = 25_000;

beforeAll(async () => {
  await env.DB.prepare(
    `WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${count})
    INSERT INTO documents (id, account_id, template_id, template_version, status, format, width, height,
      device_scale_factor, file_key, month, created_at, completed_at, page_count, file_size, sha256, metadata)
    SELECT printf('%08d-0000-4000-8000-%s', n, substr(?1, 25)), ?1, iif(n % 2, 'odd', 'even'), 1, 'completed', iif(n % 10, 'pdf', 'png'),
      794, 1123, 2, ?1 || n, '2026-11', n, n, 1, 10, '0',
      json_object('tier', 'gold', 'customer', iif(n % 1000, 'usual', 'rare')) FROM numbers`,
  )
    .bind(accountId)
    .run();
}, 120_000);

describe("a total", () => {
  it.for<{ filter: DocumentFilter; total: number; totalIsExact: boolean }>([
    { filter: {}, total: 25_000, totalIsExact: true },
    { filter: { format: "png" }, total: 2_500, totalIsExact: true },
    { filter: { templateId: "odd", format: "png" }, total: 0, totalIsExact: true },
    { filter: { createdAfter: 1 }, total: 10_000, totalIsExact: false },
    { filter: { createdAfter: 15_001 }, total: 10_000, totalIsExact: true },
    { filter: { createdAfter: 15_000 }, total: 10_000, totalIsExact: false },
    { filter: { metadata: { tier: "gold" } }, total: 10_000, totalIsExact: false },
    { filter: { metadata: { customer: "rare" } }, total: 25, totalIsExact: true },
  ])("of $filter is $total, exact: $totalIsExact", async ({ filter, total, totalIsExact }) => {
    expect(await documents.list(accountId, filter, { limit: 1, offset: 0 })).toMatchObject({ total, totalIsExact });
  });
});

describe("an offset", () => {
  it.for([9_999, 10_000, 12_000, 12_500, 20_000, 24_990, 24_995, 25_000, 90_000])(
    "of %i skips so many documents",
    async (offset) => {
      const { documents: found, more } = await documents.list(accountId, {}, { limit: 10, offset });

      const expected = Array.from({ length: 10 }, (_, index) => count - offset - index).filter((n) => n > 0);
      expect(found.map(({ createdAt }) => createdAt)).toEqual(expected);
      expect(more?.createdAt ?? null).toBe(offset < 24_990 ? expected.at(-1) : null);
    },
  );
});

describe("a search that no index covers", () => {
  const gold = { tier: "gold" };

  it("finds rare documents at once, whichever of the filters is rare", async () => {
    for (const metadata of [
      { ...gold, customer: "rare" },
      { customer: "rare", ...gold },
    ]) {
      const found = await documents.list(accountId, { metadata, templateId: "even" }, { limit: 100, offset: 0 });

      expect(found).toMatchObject({ total: 25, totalIsExact: true, more: null });
      expect(found.documents.length).toBe(25);
    }
  });

  it("ends after a thousand documents, and says where it ended", async () => {
    const found = await documents.list(accountId, { metadata: gold, templateId: "none" }, { limit: 10, offset: 0 });
    const searched = await documents.list(accountId, { metadata: gold, templateId: "even" }, { limit: 10, offset: 0 });

    expect(found).toMatchObject({ documents: [], total: 0, totalIsExact: true, more: null });
    expect(searched).toMatchObject({ total: 1_000, totalIsExact: false, more: { createdAt: 24_982 } });
  });

  it.for(["older", "newer"] as const)("finds every document once in a walk to %s ones", async (direction) => {
    const filter = { metadata: { ...gold, customer: "usual" }, templateId: "even", format: "png" as const };

    const found = await walk(filter, direction);

    const all = Array.from({ length: count }, (_, index) => index + 1).filter((n) => n % 10 === 0 && n % 1_000 > 0);
    expect(found).toEqual(direction === "older" ? all.toReversed() : all);
  });

  it("may return fewer documents than the limit, and then continues", async () => {
    const filter = { metadata: { ...gold, customer: "usual" }, templateId: "even", createdAfter: 20_000 };
    const first = await documents.list(accountId, filter, { limit: 1_200, offset: 0 });

    expect(first.documents.length).toBeLessThan(1_200);
    expect(first.more).not.toBeNull();
    expect((await walk(filter, "older", 1_200)).length).toBe(2_495);
  });
});

it("a document whose file was lost is found under its new status, also by its metadata", async () => {
  const { documents: list } = await documents.list(accountId, {}, { limit: 1, offset: 0 });
  const [lost] = list;
  if (!lost) throw new Error("there is no document");

  await documentArchive(d1).markFileLost(accountId, lost.id);

  for (const filter of [{}, { metadata: { tier: "gold" } }, { metadata: { tier: "gold" }, templateId: "even" }]) {
    const failed = await documents.list(accountId, { ...filter, status: "failed" }, { limit: 10, offset: 0 });
    expect([failed.total, failed.documents.map(({ id }) => id)]).toEqual([1, [lost.id]]);
  }
  await documents.remove(accountId, lost.id);
  expect(await documents.list(accountId, { status: "failed" }, { limit: 1, offset: 0 })).toMatchObject({ total: 0 });
});

it("the removal of documents leaves no rows about them", async () => {
  const { results } = await env.DB.prepare("SELECT id FROM documents WHERE account_id = ?")
    .bind(accountId)
    .all<{ id: string }>();
  const archive = documentArchive(d1);

  for (let from = 0; from < results.length; from += 5_000)
    await archive.remove(results.slice(from, from + 5_000).map(({ id }) => id));

  for (const table of ["documents", "document_totals", "document_metadata"]) {
    const rows = await env.DB.prepare(`SELECT count(*) AS n FROM ${table} WHERE account_id = ?`)
      .bind(accountId)
      .first("n");
    expect([table, rows]).toEqual([table, 0]);
  }
}, 120_000);

async function walk(filter: DocumentFilter, direction: Cursor["direction"], limit = 100): Promise<number[]> {
  const found: number[] = [];
  const id = crypto.randomUUID();
  let cursor: Cursor | undefined =
    direction === "older" ? { direction, createdAt: count + 1, id } : { direction, createdAt: 0, id };
  while (cursor) {
    const page = await documents.list(accountId, filter, { limit, offset: 0, cursor });
    const times = page.documents.map(({ createdAt }) => createdAt);
    found.push(...(direction === "older" ? times : times.toReversed()));
    cursor = page.more ? { direction, ...page.more } : undefined;
  }
  return found;
}
