// Counts the rows that a webhook sender reads to find its next delivery while many others wait.
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, it, vi } from "vitest";
import { deliveryLedger } from "../../../src/objects/webhooks/delivery-ledger.ts";
import { eventTo } from "../../fakes/webhooks.ts";

const delivery = { status: "pending", attempts: 0, nextAttemptAt: 0, round: 0, history: [] } as const;
const pendingTo = (url: string) => ({ ...eventTo(url, { id: url }), delivery: { ...delivery, history: [] } });

it.each([
  ["to one origin", (n: number) => `https://slow.example.com/hook/${n}`],
  ["each to a different origin", (n: number) => `https://slow-${n}.example.com/hook`],
])("finding the next delivery reads few rows while 10,000 deliveries wait, %s", async (_which, urlOf) => {
  const rowsRead = await runInDurableObject(env.WEBHOOK_SENDER.getByName(crypto.randomUUID()), (_, { storage }) => {
    const ledger = deliveryLedger(storage);
    ledger.add(
      Array.from({ length: 10_000 }, (_value, n) => pendingTo(urlOf(n))),
      0,
    );
    const inFlight = [1, 2, 3, 4].map(() => ledger.startNext(0, 4));
    const exec = vi.spyOn(storage.sql, "exec");
    const readBy = (step: () => unknown) => {
      step();
      const rows = exec.mock.results.reduce((sum, { value }) => sum + (value as SqlStorageCursor<never>).rowsRead, 0);
      exec.mockClear();
      return rows;
    };
    const [first] = inFlight;
    return [
      readBy(() => ledger.add([pendingTo("https://good.example.com/")], 0)),
      readBy(() => ledger.startNext(0, 4)),
      readBy(() => ledger.startNext(0, 4)),
      readBy(() => first && ledger.postpone(first, 1)),
      readBy(() => ledger.unreported(50, 0)),
      readBy(() => ledger.nextDue(0)),
    ];
  });

  expect(Math.max(...rowsRead)).toBeLessThan(150);
});
