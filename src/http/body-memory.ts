// Claims the memory of JSON that takes much more as values than as text, such as a list of 300,000 empty objects. Other JSON is
// not counted: it has at most 1 MiB.
import { serviceUnavailable } from "../core/errors.ts";
import type { Services } from "../ports/services.ts";

/** What V8 takes at most for an object or a list, for a key that occurs once, and for an item. Seen with values of each kind. */
const bytesOf: Record<string, number> = { "{": 56, "[": 56, ":": 80, ",": 24 };
const weights = Uint8Array.from({ length: 256 }, (_, code) => bytesOf[String.fromCharCode(code)] ?? 0);
/** The rows of a table take about 1 MB of values for 200 kB of text. */
const unclaimedBytes = 4_000_000;
const claimMs = { maxWaitMs: 20_000, expiresInMs: 60_000 };

/** Returns a function that releases the memory. Throws SERVICE_UNAVAILABLE if it is not free in time. */
export async function claimValues(
  { memory }: Pick<Services, "memory">,
  accountId: string,
  json: Uint8Array,
): Promise<() => void> {
  const amount = json.length * 80 < unclaimedBytes ? 0 : json.reduce((sum, byte) => sum + (weights[byte] ?? 0), 0);
  if (amount < unclaimedBytes) return () => {};
  const permit = await memory.acquire("bodies", { accountId, amount, ...claimMs });
  if (!permit) throw serviceUnavailable({ retryAfterSeconds: 5, cause: undefined });
  return permit.release;
}
