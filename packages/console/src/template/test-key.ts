// A test key for previews, which the console makes with the reader's own key. It is kept for this tab, can only render test documents,
// and expires after twelve hours.
import type { Api } from "../api.ts";

type Kept = { key: string; expiresAt: number };

const validMs = 12 * 3_600_000;
/** A key that expires within this time is not used again. */
const marginMs = 60_000;
let kept: Promise<Kept> | null = null;

/** Makes a key at the first call. Throws `ApiProblem` if the reader's key may not. */
export async function testKeyOfTab(manage: Api): Promise<string> {
  const current = await kept;
  if (current && current.expiresAt > Date.now() + marginMs) return current.key;
  kept = make(manage);
  kept.catch(() => (kept = null));
  return (await kept).key;
}

/** The reader may sign in to another account. */
export function forgetTestKey(): void {
  kept = null;
}

async function make(manage: Api): Promise<Kept> {
  const expiresAt = Date.now() + validMs;
  const { key } = await manage.send<{ key: string }>("POST", "/keys", {
    name: "Previews in the console",
    isTest: true,
    scopes: ["documents"],
    expiresAt: new Date(expiresAt).toISOString(),
  });
  return { key, expiresAt };
}
