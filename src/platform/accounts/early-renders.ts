// Decides whether a render may begin while its hold is being reserved, from this isolate's last view of the account. A wrong guess wastes
// a render but never causes a wrong count, because the file is stored only with the hold.
import { agedCache } from "colophon-base/aged-cache";
import type { EarlyRenders } from "../../ports/accounts.ts";

/** `own` is the number of creates in this isolate, and `others` in all other isolates. `room` is the maximum number in flight. */
type Seen = { room: number; others: number; own: number };

/** After a minute without a reservation, the account's next render waits for its hold. */
const seen = agedCache<Seen>({ maxEntries: 2_000, maxAgeMs: 60_000 });

/** The room must be this many times the number in flight, because other isolates also reserve. */
const spare = 2;

export const isolateEarlyRenders: EarlyRenders = {
  begin(accountId) {
    const account = entryOf(accountId);
    account.own++;
    return account.room >= spare * (account.others + account.own);
  },
  reserved(accountId, { room, inFlight }) {
    const own = seen.peek(accountId)?.own ?? 1;
    seen.set(accountId, { room, others: Math.max(0, inFlight - own), own });
  },
  refused(accountId) {
    entryOf(accountId).room = 0;
  },
  ended(accountId) {
    const account = entryOf(accountId);
    account.own = Math.max(0, account.own - 1);
  },
};

/** Returns how many creates of the account are in flight, as far as this isolate knows. */
export function inFlightOf(accountId: string): number {
  const account = seen.peek(accountId);
  return account ? account.others + account.own : 0;
}

/** Returns the account's entry. Changing it leaves its age in the cache as it is; only a reservation makes it younger. */
function entryOf(accountId: string): Seen {
  const known = seen.peek(accountId);
  if (known) return known;
  const unknown = { room: 0, others: 0, own: 0 };
  seen.set(accountId, unknown);
  return unknown;
}
