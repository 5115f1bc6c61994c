// The plans of all statements for lists of documents: each statement reads ranges of an index, in the order of the index.
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import type { DocumentFilter } from "../../../src/core/documents/document.ts";
import type { Page } from "../../../src/core/pagination.ts";
import { d1Client } from "../../../src/platform/d1/d1-client.ts";
import { completedByMonth } from "../../../src/platform/documents/document-lists.ts";
import { documentStore } from "../../../src/platform/documents/document-store.ts";
import { downloadLog } from "../../../src/platform/documents/download-log.ts";
import { shardArchives } from "../../../src/platform/maintenance/row-archives.ts";
import { templateCatalog } from "../../../src/platform/templates/template-catalog.ts";
import { singleDatabase } from "../../fixtures/databases.ts";
import { callTimeoutMs } from "../app.ts";
import { spiedD1 } from "../storage/spied-d1.ts";

type Statement = { query: string; values: unknown[] };

const pages: Record<string, Page> = {
  "the first page": { limit: 20, offset: 0 },
  "an offset": { limit: 20, offset: 5_000 },
  "a cursor": { limit: 20, offset: 0, cursor: { createdAt: 5, id: crypto.randomUUID() } },
};
const parts: DocumentFilter[] = [
  { status: "failed" },
  { templateId: "t" },
  { createdAfter: 1 },
  { createdBefore: 9 },
  { metadata: { a: "1" } },
];
const filters = parts.reduce<DocumentFilter[]>(
  (all, part) => [...all, ...all.map((filter) => ({ ...filter, ...part }))],
  [{}],
);

describe.each(Object.entries(pages))("for %s", (_, page) => {
  it.for(filters)("no statement scans a table or sorts, filtered by %j", async (filter) => {
    const { database, statements } = recordedD1();

    await documentStore(singleDatabase(d1Client(database, callTimeoutMs))).list("account", filter, page);

    const [listed = [], ...others] = await Promise.all(statements.map(planOf));
    expect([listed, ...others].flatMap(badSteps)).toEqual([]);
    expect(listed.some((step) => step.includes("(created_at,id)"))).toBe(page.cursor !== undefined || isTimed(filter));
  });
});

function isTimed({ createdAfter, createdBefore }: DocumentFilter): boolean {
  return createdAfter !== undefined || createdBefore !== undefined;
}

it("lists of templates neither scan a table nor sort", async () => {
  const { database, statements } = recordedD1();

  for (const page of Object.values(pages)) {
    await templateCatalog(d1Client(database, callTimeoutMs), env.TEMPLATES).list("account", page);
  }

  const plans = await Promise.all(statements.map(planOf));
  expect(plans.flatMap(badSteps)).toEqual([]);
  expect(plans.length).toBe(2 * Object.keys(pages).length);
});

it("the queries of maintenance neither scan a table nor sort", async () => {
  const { database, statements } = recordedD1();
  const d1 = d1Client(database, callTimeoutMs);
  const archive = shardArchives(d1, d1).documents;

  await archive.expired(9, ["other"], 1_000);
  await archive.ofAccount("account", 200);
  await archive.byFileKey("a", 1_000);
  await completedByMonth(singleDatabase(d1), "account");

  const plans = await Promise.all(statements.map(planOf));
  expect(plans.flatMap(badSteps)).toEqual([]);
  expect(plans.length).toBe(4);
});

it("documents with links are searched by their ids, not among all documents of the account", async () => {
  const { database, statements } = recordedD1();
  const store = documentStore(singleDatabase(d1Client(database, callTimeoutMs)));

  await store.linked("account", ["a", "b"]);
  await store.endLinks("account", "a");

  const plans = await Promise.all(statements.map(planOf));
  const searches = plans.map((steps) => steps.filter((step) => step.includes("documents")));
  expect(searches).toEqual([
    [expect.stringContaining("documents_by_id")],
    [expect.stringContaining("documents_by_id")],
  ]);
});

it("the queries of downloads neither scan a table nor sort", async () => {
  const { database, statements } = recordedD1();
  const d1 = d1Client(database, callTimeoutMs);
  const log = downloadLog(singleDatabase(d1));

  for (const page of Object.values(pages)) await log.list("account", "document", page, 0);
  await log.record({ id: "d", accountId: "a", documentId: "d", createdAt: 1, keyId: null, country: null });
  await shardArchives(d1, d1).documents.removeDownloads(9, 1_000);

  const plans = await Promise.all(statements.map(planOf));
  expect(plans.flatMap(badSteps)).toEqual([]);
  expect(plans.length).toBe(2 * Object.keys(pages).length + 3);
});

it("the triggers find the rows of a document by their key", async () => {
  const { results } = await env.DB.prepare(
    "SELECT sql FROM sqlite_master WHERE type = 'trigger' AND name GLOB 'documents_*'",
  ).all<{ sql: string }>();
  const bodies = results.flatMap(({ sql }) => sql.slice(sql.indexOf("BEGIN") + 5, sql.lastIndexOf("END")).split(";"));
  const statements = bodies.map((body) => body.trim()).filter((body) => /^(DELETE|UPDATE|INSERT)/.test(body));

  const plans = await Promise.all(
    statements.map((body) => planOf({ query: body.replaceAll(/\b(NEW|OLD)\.\w+/g, "'1'"), values: [] })),
  );

  expect(plans.flatMap(badSteps)).toEqual([]);
  expect(statements.length).toBeGreaterThan(5);
});

it("the check detects a scan and a sort", async () => {
  const scan = await planOf({ query: "SELECT * FROM documents WHERE page_count = 1 ORDER BY width", values: [] });

  expect(badSteps(scan)).toEqual(["SCAN documents", "USE TEMP B-TREE FOR ORDER BY"]);
});

/** Returns the steps that read a complete table or sort. A search's subquery has the name of its table. */
function badSteps(plan: string[]): string[] {
  const isSubquery = (step: string) => step === "SCAN documents" && plan.includes("CO-ROUTINE documents");
  return plan.filter((step) => /TEMP B-TREE|AUTOMATIC|^SCAN (?!json_each|CONSTANT)/.test(step) && !isSubquery(step));
}

async function planOf({ query, values }: Statement): Promise<string[]> {
  const { results } = await env.DB.prepare(`EXPLAIN QUERY PLAN ${query}`)
    .bind(...values)
    .all<{ detail: string }>();
  return results.map(({ detail }) => detail);
}

/** Returns the real D1, and the statements passed to it. */
function recordedD1(): { database: D1Database; statements: Statement[] } {
  const statements: Statement[] = [];
  const database = spiedD1(
    () => {},
    () => {},
    (query, values) => statements.push({ query, values }),
  );
  return { database, statements };
}
