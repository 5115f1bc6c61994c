import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { expect, it } from "vitest";
import { d1Client } from "../../../src/platform/d1/d1-client.ts";
import { documents } from "../../../src/platform/d1/document-tables.ts";
import { callTimeoutMs } from "../app.ts";

it("a refused query rejects with an error that has D1's error as its cause and does not quote the parameters", async () => {
  const misspelt = { prepare: (sql: string) => env.DB.prepare(sql.replace("from", "form")) } as D1Database;
  const mine = eq(documents.accountId, "the parameter");

  const query = d1Client(misspelt, callTimeoutMs).run((db) => db.select().from(documents).where(mine).all());

  const error = await query.catch((cause: unknown) => cause);
  const { cause } = error as Error;
  expect(String(cause)).toMatch(/^Error: D1_ERROR: /);
  expect(JSON.stringify([String(error), String(cause), { ...(error as Error) }])).not.toContain("the parameter");
});
