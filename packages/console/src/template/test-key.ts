// A test key for previews, which the console creates with the reader's key. It is kept for this tab, can only render test documents,
// and expires after twelve hours.
import type { AccountRequests, ManageClient } from "colophon-client/manage";

type Kept = { key: string; expiresAt: number };

const validMs = 12 * 3_600_000;
/** A key that expires within this time is not reused. */
const marginMs = 60_000;
let kept: Promise<Kept> | null = null;

/** Creates a key at the first call. Throws if the reader's key may not create one. */
export async function testKeyOfTab(manage: ManageClient<AccountRequests>): Promise<string> {
  const current = await kept;
  if (current && current.expiresAt > Date.now() + marginMs) return current.key;
  kept = make(manage);
  kept.catch(() => (kept = null));
  return (await kept).key;
}

/** The next reader may sign in to a different account. */
export function forgetTestKey(): void {
  kept = null;
}

async function make(manage: ManageClient<AccountRequests>): Promise<Kept> {
  const expiresAt = Date.now() + validMs;
  const key = { name: "Previews in the console", isTest: true, expiresAt: new Date(expiresAt).toISOString() };
  const made = await manage.call("POST /keys", { body: { ...key, scopes: ["documents"] } });
  return { key: made.key, expiresAt };
}
