// Decides whether a render may begin while its hold is being reserved, from this isolate's last view of the account. A wrong guess costs a
// render that is thrown away, and never a wrong count, because the file is stored only with the hold.
import { agedCache } from "colophon-base/aged-cache";
import type { EarlyRenders } from "../../ports/accounts.ts";

/** `own` is the number of creates in this isolate, and `others` in all other isolates. `room` is how many may be in flight together. */
type Seen = { room: number; others: number; own: number };

/** An account that has not reserved anything for a minute waits for its next hold. */
const seen = agedCache<Seen>({ maxEntries: 2_000, maxAgeMs: 60_000 });

/** The room must be this many times the number in flight, because other isolates reserve too. */
const spare = 2;

export const isolateEarlyRenders: EarlyRenders = {
  begin(accountId) {
    const { room, others, own } = change(accountId, ({ own, ...account }) => ({ ...account, own: own + 1 }));
    return room >= spare * (others + own);
  },
  reserved: (accountId, { room, inFlight }) => {
    const own = seen.peek(accountId)?.own ?? 1;
    seen.set(accountId, { room, others: Math.max(0, inFlight - own), own });
  },
  refused: (accountId) => void change(accountId, (account) => ({ ...account, room: 0 })),
  ended: (accountId) => void change(accountId, ({ own, ...account }) => ({ ...account, own: Math.max(0, own - 1) })),
};

/** Changes the entry in place, so that its age in the cache stays the same. */
function change(accountId: string, changed: (account: Seen) => Seen): Seen {
  const lastSeen = seen.peek(accountId);
  const next = changed(lastSeen ?? { room: 0, others: 0, own: 0 });
  if (!lastSeen) seen.set(accountId, next);
  return lastSeen ? Object.assign(lastSeen, next) : next;
}
