// Tests the limits on callers with a fake binding. test/workerd/accounts/rate-limits.test.ts uses the platform's own simulation.
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { LogEntry } from "colophon-base/log";
import { rateLimits } from "../../src/platform/accounts/rate-limits.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

let clients = 0;
/** Returns a client that no other test uses, because the memory of refused clients is shared. */
const newClient = () => `203.0.113.${++clients}`;

/** Returns a limit of failures with a binding that allows none. `calls` are the clients that the binding has counted. */
function noFailures() {
  const calls: string[] = [];
  const limit = async ({ key }: RateLimitOptions) => {
    calls.push(key);
    return { success: false };
  };
  const { failures } = rateLimits({ failures: { limit }, requests: { limit } }, () => {});
  return { failures, calls };
}

it("a client that fails to authenticate is refused without a second call to the binding", async () => {
  const { failures, calls } = noFailures();
  const client = newClient();
  await failures.recordFailure(client, "wrong");

  for (let i = 0; i < 100; i++) await failures.refuses(client, `wrong ${i}`);

  expect(calls).toEqual([client]);
});

it("a client that fails to authenticate may try again after ten seconds, and is refused after one more failure if it is still over the limit", async () => {
  const { failures } = noFailures();
  const client = newClient();
  await failures.recordFailure(client, "wrong");

  vi.advanceTimersByTime(9_999);
  const before = await failures.refuses(client, "wrong");
  vi.advanceTimersByTime(2);
  const after = await failures.refuses(client, "wrong");
  const recorded = await failures.recordFailure(client, "wrong");

  expect([before, after, recorded]).toEqual([true, false, false]);
  expect(await failures.refuses(client, "wrong")).toBe(true);
});

it("a credential that was accepted within the last hour is refused like any other once it has failed, such as after a revocation", async () => {
  const { failures } = noFailures();
  const client = newClient();
  await failures.recordSuccess("revoked");
  await failures.recordFailure(client, "revoked");

  expect(await failures.refuses(client, "revoked")).toBe(true);
});

it("a credential that was accepted within the last hour is refused like any other after that hour", async () => {
  const { failures } = noFailures();
  const client = newClient();
  await failures.recordSuccess("good");
  vi.advanceTimersByTime(3_600_001);
  await failures.recordFailure(client, "wrong");

  expect(await failures.refuses(client, "good")).toBe(true);
});

describe.each<[string, RateLimit["limit"]]>([
  ["rejects", ({ key }) => Promise.reject(new Error(`cannot count ${key}`))],
  [
    "throws",
    ({ key }) => {
      throw new Error(`cannot count ${key}`);
    },
  ],
  ["does not respond within 200 ms", () => new Promise(() => {})],
])("a binding that %s", (_what, limit) => {
  it("a broken binding refuses nobody, and is logged with its name but without the key", async () => {
    vi.useRealTimers();
    const logged: LogEntry[] = [];
    const { failures, requests } = rateLimits(
      { failures: { limit }, requests: { limit } },
      (_level, entry) => void logged.push(entry),
    );
    const client = newClient();

    const recorded = [await failures.recordFailure(client, "wrong"), await requests.recordRequest("account-1")];

    expect(recorded).toEqual([true, true]);
    expect(await failures.refuses(client, "wrong")).toBe(false);
    expect(logged.map(({ event, binding }) => [event, binding])).toEqual([
      ["rate_limit.failed", "FAILED_AUTHENTICATION_LIMIT"],
      ["rate_limit.failed", "REQUEST_LIMIT"],
    ]);
    expect(JSON.stringify(logged)).not.toContain(client);
  });
});
