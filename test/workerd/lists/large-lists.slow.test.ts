// Lists of an account with more documents than are counted, or searched for a page.
import { env } from "cloudflare:workers";
import { beforeAll, expect, it } from "vitest";
import type { DocumentFilter } from "../../../src/core/documents/document.ts";
import type { Position } from "../../../src/core/pagination.ts";
import { d1Client } from "../../../src/platform/d1/d1-client.ts";
import { documentStore } from "../../../src/platform/documents/document-store.ts";
import { shardArchives } from "../../../src/platform/maintenance/row-archives.ts";
import { singleDatabase } from "../../fixtures/databases.ts";
import { callTimeoutMs } from "../app.ts";

const d1 = d1Client(env.DB, callTimeoutMs);
const documents = documentStore(singleDatabase(d1));

/** Document n was created at n ms. One in ten is a PNG, and one in a thousand belongs to the customer "rare". */
const accountId = crypto.randomUUID();
const count = 12_000;

beforeAll(async () => {
  await env.DB.prepare(
    `WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${count})
    INSERT INTO documents (id, account_id, template_id, template_version, status, format, width, height,
      device_scale_factor, file_key, month, created_at, completed_at, page_count, file_size, sha256, metadata)
    SELECT printf('%08d-0000-4000-8000-%s', n, substr(?1, 25)), ?1, iif(n % 2, 'odd', 'even'), 1, 'completed', iif(n % 10, 'pdf', 'png'),
      794, 1123, 2, ?1 || n, '2026-11', n, n, 1, 10, '0', json_object('customer', iif(n % 1000, 'usual', 'rare')) FROM numbers`,
  )
    .bind(accountId)
    .run();
}, 120_000);

it.for<{ filter: DocumentFilter; total: number; totalIsExact: boolean }>([
  { filter: {}, total: 12_000, totalIsExact: true },
  { filter: { status: "completed" }, total: 12_000, totalIsExact: true },
  { filter: { status: "failed" }, total: 0, totalIsExact: true },
  { filter: { templateId: "odd" }, total: 6_000, totalIsExact: true },
  { filter: { templateId: "odd", format: "png" }, total: 0, totalIsExact: true },
  { filter: { createdAfter: 1 }, total: 10_000, totalIsExact: false },
  { filter: { createdAfter: 2_001 }, total: 10_000, totalIsExact: true },
  { filter: { createdAfter: 2_000 }, total: 10_000, totalIsExact: false },
  { filter: { metadata: { customer: "usual" }, templateId: "even" }, total: 5_988, totalIsExact: true },
  { filter: { format: "png" }, total: 1_001, totalIsExact: false },
])("the total of documents with $filter is $total (exact: $totalIsExact)", async ({ filter, total, totalIsExact }) => {
  expect(await documents.list(accountId, filter, { limit: 1, offset: 0 })).toMatchObject({ total, totalIsExact });
});

it("a search returns its position after it has examined a thousand documents", async () => {
  const filter = { metadata: { customer: "nobody" } };

  const found = await documents.list(accountId, filter, { limit: 10, offset: 0 });

  expect(found).toMatchObject({ items: [], more: { createdAt: 11_001 } });
});

it("a search states that the list ends if it has examined the last document", async () => {
  const filter = { metadata: { customer: "nobody" }, createdBefore: 1_001 };

  expect(await documents.list(accountId, filter, { limit: 10, offset: 0 })).toMatchObject({ more: null });
});

it("a search finds every document exactly once by paging", async () => {
  const filter = { metadata: { customer: "usual" }, templateId: "even", format: "png" as const };

  const found = await walk(filter);

  const all = Array.from({ length: count }, (_, index) => index + 1).filter((n) => n % 10 === 0 && n % 1_000 > 0);
  expect(found).toEqual(all.toReversed());
});

it("a document whose file was lost is counted and found by its new status", async () => {
  const [lost] = (await documents.list(accountId, {}, { limit: 1, offset: 0 })).items;
  if (!lost) throw new Error("there is no document");

  await shardArchives(d1, d1).documents.markFileLost(accountId, lost.id);

  const failed = await documents.list(accountId, { status: "failed" }, { limit: 10, offset: 0 });
  expect([failed.total, failed.items.map(({ id }) => id)]).toEqual([1, [lost.id]]);
  const completed = await documents.list(accountId, { status: "completed" }, { limit: 1, offset: 0 });
  expect(completed.total).toBe(count - 1);
});

async function walk(filter: DocumentFilter, limit = 100): Promise<number[]> {
  const found: number[] = [];
  let cursor: Position | null = { createdAt: count + 1, id: crypto.randomUUID() };
  while (cursor) {
    const page = await documents.list(accountId, filter, { limit, offset: 0, cursor });
    found.push(...page.items.map(({ createdAt }) => createdAt));
    cursor = page.more;
  }
  return found;
}
