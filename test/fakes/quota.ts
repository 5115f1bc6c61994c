// A quota in memory. It follows the rules of the real ledger with one exception: when too many renders are in
// flight, it refuses a create at once instead of waiting.
import type { IdempotencyKey, KnownKey } from "../../src/core/accounts/quota.ts";
import type { Quota } from "../../src/ports/accounts.ts";
import type { FakeHold, FakeState } from "./state.ts";

/** How long idempotency keys are kept, in ms. */
const keptMs = 24 * 3_600_000;

export function quota(state: FakeState): Quota {
  const { holds, idempotencyKeys, deletions } = state;
  const holdsOf = (accountId: string) => [...holds.values()].filter(({ hold }) => hold.draft.accountId === accountId);
  const count = (accountId: string, month: string, wanted: FakeHold["state"]) =>
    holdsOf(accountId).filter((entry) => entry.hold.draft.month === month && entry.state === wanted).length;
  const settle = (documentId: string, settled: "committed" | "released") => {
    const entry = holds.get(documentId);
    if (entry?.state === "held") entry.state = settled;
  };
  const lookUpKey = (accountId: string, { key, bodyHash }: IdempotencyKey): KnownKey => {
    const known = idempotencyKeys.get(`${accountId} ${key}`);
    const holdState = known && holds.get(known.documentId)?.state;
    if (!holdState || holdState === "released" || known.createdAt <= state.nowMs - keptMs) return { status: "unknown" };
    if (known.bodyHash !== bodyHash) return { status: "other_body" };
    const { documentId } = known;
    return holdState === "held"
      ? { status: "in_progress", documentId, retryAfterSeconds: 60 }
      : { status: "done", documentId };
  };
  return {
    reserve: async ({ hold, limit, inFlightLimit, idempotency }) => {
      const { id, accountId, month } = hold.draft;
      const used = count(accountId, month, "committed") + count(accountId, month, "held");
      if (holds.has(id)) return { status: "reserved", used };
      const known = idempotency ? lookUpKey(accountId, idempotency) : ({ status: "unknown" } as const);
      if (known.status !== "unknown") return known;
      if (used >= limit) return { status: "exhausted", used };
      const inFlight = holdsOf(accountId).filter((entry) => entry.state === "held").length;
      if (inFlight >= inFlightLimit) return { status: "too_many_in_flight", retryAfterSeconds: 1 };
      holds.set(id, { hold: structuredClone(hold), state: "held" });
      if (idempotency) {
        const { key, bodyHash } = idempotency;
        idempotencyKeys.set(`${accountId} ${key}`, { bodyHash, documentId: id, createdAt: state.nowMs });
      }
      return { status: "reserved", used: used + 1 };
    },
    lookUpKey: async (accountId, idempotency) => lookUpKey(accountId, idempotency),
    commit: async (_accountId, documentId) => settle(documentId, "committed"),
    release: async (_accountId, documentId) => settle(documentId, "released"),
    usage: async (accountId, month) => ({
      used: count(accountId, month, "committed"),
      reserved: count(accountId, month, "held"),
    }),
    beginDelete: async (accountId, deletion) => {
      settle(deletion.documentId, deletion.status === "completed" ? "committed" : "released");
      deletions.push({ accountId, ...deletion });
    },
  };
}
