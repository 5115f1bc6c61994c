// Counts the rows that D1 writes, including indexes, because D1 bills them.
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { d1Client } from "../../../src/platform/d1/d1-client.ts";
import { documentStore } from "../../../src/platform/documents/document-store.ts";
import { downloadLog } from "../../../src/platform/documents/download-log.ts";
import { webhookStore } from "../../../src/platform/webhooks/webhook-store.ts";
import { singleDatabase } from "../../fixtures/databases.ts";
import { completedDocument, eventOf } from "../../fixtures/documents.ts";
import { callTimeoutMs } from "../app.ts";

const delivered = { status: "delivered", round: 0, attempts: 1, nextAttemptAt: null, history: [] } as const;

it("a create without metadata writes 5 rows", async () => {
  const { d1, rowsWritten } = countedD1();

  await documentStore(singleDatabase(d1)).insert(completedDocument());

  expect(rowsWritten()).toBe(5);
});

it("a create with a delivered webhook writes 9 rows", async () => {
  const { d1, rowsWritten } = countedD1();
  const document = completedDocument();
  const event = eventOf(document);

  await documentStore(singleDatabase(d1)).insert(document, event);
  await webhookStore(singleDatabase(d1)).report(document.accountId, [
    { eventId: event.id, delivery: { ...delivered, history: [...delivered.history] } },
  ]);

  expect(rowsWritten()).toBe(9);
});

it("a recorded download writes 2 rows", async () => {
  const { d1, rowsWritten } = countedD1();
  const { id: documentId, accountId, ...document } = completedDocument();
  await documentStore(singleDatabase(d1)).insert({ ...document, id: documentId, accountId });
  const before = rowsWritten();

  const download = { id: "d", accountId, documentId, createdAt: 1, keyId: "k", country: null };
  await downloadLog(singleDatabase(d1)).record(download);

  expect(rowsWritten() - before).toBe(2);
});

type Counted = { statement: D1PreparedStatement; bind(...values: unknown[]): Counted; raw(): Promise<unknown[][]> };

/** Returns a client that adds up the rows that D1 reports as written. */
function countedD1() {
  let rows = 0;
  const run = async (statements: D1PreparedStatement[]) => {
    const results = await env.DB.batch<Record<string, unknown>>(statements);
    rows += results.reduce((sum, { meta }) => sum + meta.rows_written, 0);
    return results;
  };
  const counted = (statement: D1PreparedStatement): Counted => ({
    statement,
    bind: (...values) => counted(statement.bind(...values)),
    raw: async () => (await run([statement])).flatMap(({ results }) => results.map((row) => Object.values(row))),
  });
  const database = {
    prepare: (query: string) => counted(env.DB.prepare(query)),
    batch: (statements: Counted[]) => run(statements.map(({ statement }) => statement)),
  };
  return { d1: d1Client(database as unknown as D1Database, callTimeoutMs), rowsWritten: () => rows };
}
