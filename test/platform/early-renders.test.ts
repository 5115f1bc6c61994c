import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { isolateEarlyRenders as early } from "../../src/platform/accounts/early-renders.ts";

let accountId: string;
beforeEach(() => {
  accountId = crypto.randomUUID();
});
afterEach(() => void vi.useRealTimers());

/** Makes a create begin, reserve its hold and end. */
function createOnce(room: number, inFlight = 1): void {
  early.begin(accountId);
  early.reserved(accountId, { room, inFlight });
  early.ended(accountId);
}

/** Returns how many renders in a row may begin early. */
function begunEarly(): number {
  let begun = 0;
  while (begun < 100 && early.begin(accountId)) begun++;
  return begun;
}

it("no render of an account begins early before the account's first reservation", () => {
  expect(begunEarly()).toBe(0);
});

it.each([
  [2, 1],
  [9, 4],
  [50, 25],
])("with room for %i renders, at most %i of them begin early", (room, begun) => {
  createOnce(room);

  expect(begunEarly()).toBe(begun);
});

it("the renders of other isolates count as in flight", () => {
  createOnce(20, 7);

  expect(begunEarly()).toBe(4);
});

it("a create that has ended makes room for the next one", () => {
  createOnce(4);
  expect(begunEarly()).toBe(2);

  early.ended(accountId); // The one that was refused.
  early.ended(accountId);

  expect(early.begin(accountId)).toBe(true);
});

it("an account whose hold was refused starts no early render until its next reservation", () => {
  createOnce(50);
  early.refused(accountId);
  expect(early.begin(accountId)).toBe(false);

  early.reserved(accountId, { room: 50, inFlight: 1 });

  expect(early.begin(accountId)).toBe(true);
});

it("an account starts no early render if its last reservation was more than a minute ago", () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  createOnce(50);
  vi.setSystemTime(Date.now() + 59_000);
  expect(early.begin(accountId)).toBe(true);

  vi.setSystemTime(Date.now() + 2_000);

  expect(early.begin(accountId)).toBe(false);
});
