// A quota in memory, for creates without idempotency keys. It knows no limit of renders in flight.
import type { Quota } from "../../src/ports/accounts.ts";
import type { FakeHold, FakeState } from "./state.ts";

export function quota({ holds }: FakeState): Quota {
  const count = (accountId: string, month: string, wanted: FakeHold["state"]) =>
    [...holds.values()].filter(
      ({ hold: { draft }, state }) => draft.accountId === accountId && draft.month === month && state === wanted,
    ).length;
  const settle = async (documentId: string, settled: "committed" | "released") => {
    const entry = holds.get(documentId);
    if (entry?.state === "held") entry.state = settled;
  };
  return {
    reserve: async ({ hold, limit }) => {
      const { id, accountId, month } = hold.draft;
      const used = count(accountId, month, "committed") + count(accountId, month, "held");
      if (used >= limit) return { status: "exhausted", used };
      holds.set(id, { hold: structuredClone(hold), state: "held" });
      return { status: "reserved", used: used + 1 };
    },
    lookUpKey: async () => ({ status: "unknown" }),
    commit: (_accountId, documentId) => settle(documentId, "committed"),
    release: (_accountId, documentId) => settle(documentId, "released"),
    usage: async (accountId, month) => ({
      used: count(accountId, month, "committed"),
      reserved: count(accountId, month, "held"),
    }),
    beginDelete: (_accountId, { documentId, status }) =>
      settle(documentId, status === "completed" ? "committed" : "released"),
  };
}
