import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Semaphore, type Claim, type Permit } from "../../../src/core/rendering/semaphore.ts";

beforeEach(() => void vi.useFakeTimers({ now: 0 }));
afterEach(() => void vi.useRealTimers());

/** The names of the claims that received a permit, in order. */
let admitted: string[];
beforeEach(() => void (admitted = []));

type Asked = { permit: Permit | null; outcome: "waiting" | "admitted" | "refused" };

/** Requests a permit. The claim has its account's name unless it is given one. */
function ask(semaphore: Semaphore, accountId: string, claim: Partial<Claim> = {}, name = accountId): Asked {
  const asked: Asked = { permit: null, outcome: "waiting" };
  void semaphore.acquire({ accountId, maxWaitMs: 10_000, ...claim }).then((permit) => {
    asked.permit = permit;
    asked.outcome = permit ? "admitted" : "refused";
    if (permit) admitted.push(name);
  });
  return asked;
}

/** Requests a permit, and releases it immediately. */
function use(semaphore: Semaphore, accountId: string, claim: Partial<Claim> = {}): void {
  void semaphore.acquire({ accountId, maxWaitMs: 10_000, ...claim }).then((permit) => {
    admitted.push(accountId);
    permit?.release();
  });
}

const settle = () => vi.advanceTimersByTimeAsync(0);
const outcomes = (...asked: Asked[]) => asked.map(({ outcome }) => outcome);

it("an account that has just used the whole capacity is served after an account that arrived later", async () => {
  const semaphore = new Semaphore({ capacity: 1 });
  const first = ask(semaphore, "a", {}, "a1");
  await settle();
  const [second, other] = [ask(semaphore, "a", {}, "a2"), ask(semaphore, "b")];

  first.permit?.release();
  await settle();
  other.permit?.release();
  await settle();

  expect([second.outcome, admitted]).toEqual(["admitted", ["a1", "b", "a2"]]);
});

it("a claim is admitted immediately if it fits into the free capacity", async () => {
  const semaphore = new Semaphore({ capacity: 100 });

  const asked = [60, 40, 1].map((amount) => ask(semaphore, "a", { amount }));
  await settle();

  expect(outcomes(...asked)).toEqual(["admitted", "admitted", "waiting"]);
  expect([semaphore.inUse, semaphore.waiting()]).toEqual([100, 1]);
});

it("a permit that is released twice returns its capacity only once", async () => {
  const semaphore = new Semaphore({ capacity: 2 });
  const [first, , third, fourth] = [1, 2, 3, 4].map(() => ask(semaphore, "a"));
  await settle();

  first?.permit?.release();
  first?.permit?.release();
  await settle();

  expect([third?.outcome, fourth?.outcome]).toEqual(["admitted", "waiting"]);
});

it("the capacity that a shrinking permit frees goes to the next claim", async () => {
  const semaphore = new Semaphore({ capacity: 100 });
  const [first, second] = [ask(semaphore, "a", { amount: 100 }), ask(semaphore, "b", { amount: 50 })];
  await settle();

  first.permit?.resize(50);
  await settle();

  expect(second.outcome).toBe("admitted");
});

it("a claim that is alone may exceed the capacity of a semaphore", async () => {
  const semaphore = new Semaphore({ capacity: 100 });
  const [first, large] = [ask(semaphore, "a", { amount: 10 }), ask(semaphore, "b", { amount: 200 })];
  await settle();
  expect(large.outcome).toBe("waiting");

  first.permit?.release();
  await settle();

  expect(large.outcome).toBe("admitted");
});

it("the capacity of a semaphore is kept free for a large claim that is next", async () => {
  const semaphore = new Semaphore({ capacity: 100 });
  ask(semaphore, "a", { amount: 60 });
  const [large, small] = [ask(semaphore, "b", { amount: 90 }), ask(semaphore, "c", { amount: 30 })];
  await settle();

  expect(outcomes(large, small)).toEqual(["waiting", "waiting"]);
});

it("a waiting claim is refused after its maximum time, so that the next claim can be admitted", async () => {
  const semaphore = new Semaphore({ capacity: 100 });
  ask(semaphore, "a", { amount: 60 });
  const large = ask(semaphore, "b", { amount: 90, maxWaitMs: 1_000 });
  const small = ask(semaphore, "c", { amount: 30 });

  await vi.advanceTimersByTimeAsync(999);
  expect(outcomes(large, small)).toEqual(["waiting", "waiting"]);
  await vi.advanceTimersByTimeAsync(1);

  expect(outcomes(large, small)).toEqual(["refused", "admitted"]);
});

it("a waiting claim is admitted when the permit of a stopped request expires", async () => {
  const semaphore = new Semaphore({ capacity: 1 });
  ask(semaphore, "a", { expiresInMs: 1_000 });
  const waiting = ask(semaphore, "b", { expiresInMs: 1_000 });

  await vi.advanceTimersByTimeAsync(999);
  expect(waiting.outcome).toBe("waiting");
  await vi.advanceTimersByTimeAsync(1);

  expect(waiting.outcome).toBe("admitted");
});

it("a claim that is admitted at the moment when its time ends is counted once", async () => {
  const semaphore = new Semaphore({ capacity: 1 });
  const first = ask(semaphore, "a");
  const [late, next] = [ask(semaphore, "a", { maxWaitMs: 1_000 }), ask(semaphore, "a")];
  await vi.advanceTimersByTimeAsync(999);

  first.permit?.release();
  vi.advanceTimersByTime(1);
  await settle();

  expect(outcomes(late, next)).toEqual(["admitted", "waiting"]);
  expect([semaphore.inUse, semaphore.waiting()]).toEqual([1, 1]);
});

it("accounts get one permit each per round, whatever the number of their claims", async () => {
  const semaphore = new Semaphore({ capacity: 1 });
  const first = ask(semaphore, "first");
  for (const accountId of ["a", "a", "a", "a", "b", "c", "b"]) use(semaphore, accountId);
  await settle();

  first.permit?.release();
  await settle();

  expect(admitted.join(" ")).toBe("first a b c a b a a");
});

it("accounts with few permits are served before accounts with many", async () => {
  const semaphore = new Semaphore({ capacity: 2 });
  const [, second] = [ask(semaphore, "a"), ask(semaphore, "b")];
  const waiting = [ask(semaphore, "a"), ask(semaphore, "c")];
  await settle();

  second.permit?.release();
  await settle();

  expect(outcomes(...waiting)).toEqual(["waiting", "admitted"]);
});

it("the claims of an account are served in the order that the account gives them", async () => {
  const semaphore = new Semaphore({ capacity: 1 });
  const first = ask(semaphore, "a", { order: 0 });
  const orders = [3, 1, 2, 1];
  for (const [index, order] of orders.entries())
    void semaphore.acquire({ accountId: "a", maxWaitMs: 10_000, order }).then((permit) => {
      admitted.push(`${order} (${index})`);
      permit?.release();
    });
  await settle();

  first.permit?.release();
  await settle();

  expect(admitted).toEqual(["a", "1 (1)", "1 (3)", "2 (2)", "3 (0)"]);
});
