import { env } from "cloudflare:workers";

/** Inserts the row of an account, unless it exists, for tests of stores that use no keys. */
export async function insertAccountRow(accountId: string): Promise<void> {
  const insert =
    "INSERT INTO accounts (id, name, plan, created_at) VALUES (?, 'Test', 'free', 0) ON CONFLICT DO NOTHING";
  await env.DB.prepare(insert).bind(accountId).run();
}
