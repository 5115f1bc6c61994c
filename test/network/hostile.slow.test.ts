// Images and webhooks from servers that break the rules, in the Workers runtime, without the guard of `npm run serve`.
import { afterEach, describe, expect, inject, it, vi } from "vitest";
import { imageSource } from "colophon-render/image-source";
import { webhookTransport } from "../../src/platform/webhooks/webhook-transport.ts";
import { brokenBodies, failures, responses, withoutEnd } from "../fixtures/hostile-server.ts";
import { newAccount, recordEvent, waitForDelivery } from "./outbox.ts";

const bombs = ["bomb", "endless-bomb"];
const namesOf = (behaviours: object) => Object.keys(behaviours);
const all = [responses, failures, brokenBodies, withoutEnd].flatMap(namesOf).concat(bombs);

const urlOf = (behaviour: string, test: string) => `${inject("hostileOrigin")}/${behaviour}/${test}`;

/** The number of requests that the server has received, and the number of open connections. */
async function countsOf(behaviour: string, test: string): Promise<{ requests: number; open: number }> {
  return (await fetch(`${inject("receiverOrigin")}/hostile/${behaviour}/${test}`)).json();
}

/** The statuses that the runtime accepts without the guard. */
const oddStatuses: Record<string, number> = { "status-101": 101, "status-600": 600, "status-999": 999 };

/** Waits until the connections are closed, except those with a complete response, which the runtime may reuse. */
async function closed(test: string): Promise<void> {
  const isWhole = (behaviour: string) => behaviour in responses || behaviour in oddStatuses || behaviour === "bomb";
  const behaviours = all.filter((behaviour) => !isWhole(behaviour));
  const open = async () => {
    const counts = await Promise.all(behaviours.map((behaviour) => countsOf(behaviour, test)));
    return behaviours.filter((_behaviour, index) => counts[index]?.open !== 0);
  };
  await expect.poll(open, { timeout: 5_000, interval: 100 }).toEqual([]);
}

describe("a hostile server with a bomb", () => {
  afterEach(() => void vi.restoreAllMocks());

  it.each(bombs)("no more of a hostile server's bomb is decoded than is read (%s)", async (behaviour) => {
    let decoded = 0;
    const counted = () =>
      new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          decoded += chunk.length;
          controller.enqueue(chunk);
        },
      });
    const original = fetch;
    vi.spyOn(globalThis, "fetch").mockImplementation(async (...args: Parameters<typeof fetch>) => {
      const response = await original(...args);
      return new Response(response.body?.pipeThrough(counted()), response);
    });

    await webhookTransport(1_000).post({ url: urlOf(behaviour, "decoded"), headers: {}, body: "x" });
    expect(decoded).toBeGreaterThan(0);
    expect(decoded).toBeLessThan(200_000);
    await imageSource.fetch(urlOf(behaviour, "decoded"), 2_000);

    expect(decoded).toBeGreaterThan(5_000_000);
    expect(decoded).toBeLessThan(5_400_000);
  });
});

it("a hostile image server gets one request, the warning names the reason, and the connection is closed", async () => {
  const inTime = "it did not arrive in time";
  const reasons: Record<string, string> = {
    ...Object.fromEntries(namesOf(failures).map((behaviour) => [behaviour, "its server could not be reached"])),
    ...Object.fromEntries(
      namesOf(brokenBodies).map((behaviour) => [behaviour, "its server did not send the whole image"]),
    ),
    ...Object.fromEntries(namesOf(withoutEnd).map((behaviour) => [behaviour, inTime])),
    ...Object.fromEntries(["endless", "endless-chunks", ...bombs].map((name) => [name, "it is larger than 5 MB"])),
    ...{
      "slow-body": inTime,
      "silent-body": inTime,
      "only-status-100": inTime,
      "endless-interim-responses": inTime,
      "large-header": inTime,
    },
  };
  for (const [behaviour, status] of Object.entries(oddStatuses))
    reasons[behaviour] = `its server responded with status ${status}`;
  for (const [behaviour, [status]] of Object.entries(responses))
    reasons[behaviour] = status === 200 ? "none" : `its server responded with status ${status}`;
  reasons["redirect-to-inside"] = "redirected";
  const reasonOf = async (behaviour: string) => {
    const image = await imageSource.fetch(urlOf(behaviour, "images"), 4_000);
    const { requests } = await countsOf(behaviour, "images");
    const reason = image.status === "failed" ? image.reason : image.status === "fetched" ? "none" : image.status;
    return [behaviour, reason, requests];
  };

  const outcomes = await Promise.all(all.map(reasonOf));

  expect(outcomes).toEqual(all.map((behaviour) => [behaviour, reasons[behaviour], 1]));
  await closed("images");
});

// The last test, because its attempts are repeated after a while.
it("a hostile receiver gets one attempt, whose outcome depends on the status, and the connection is closed", async () => {
  const statusOf = (behaviour: string): number | null => {
    if (behaviour in withoutEnd) return null;
    if (behaviour === "large-header" || behaviour in brokenBodies || bombs.includes(behaviour)) return 200;
    return responses[behaviour]?.[0] ?? oddStatuses[behaviour] ?? null;
  };
  const outcomeOf = async (behaviour: string) => {
    const account = await newAccount();
    const id = await recordEvent(account, urlOf(behaviour, "webhooks"));
    const status = statusOf(behaviour);
    const isDelivered = status !== null && status < 300 && status >= 200;
    const { delivery } = await waitForDelivery(account, id, isDelivered ? "delivered" : "pending", 1);
    const { requests } = await countsOf(behaviour, "webhooks");
    return [behaviour, delivery.history.map((attempt) => attempt.status), requests];
  };

  const outcomes = await Promise.all(all.map(outcomeOf));

  expect(outcomes).toEqual(all.map((behaviour) => [behaviour, [statusOf(behaviour)], 1]));
  await closed("webhooks");
});
