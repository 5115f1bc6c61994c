import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Semaphore, type Claim, type Permit } from "../../../src/core/rendering/semaphore.ts";

beforeEach(() => void vi.useFakeTimers({ now: 0 }));
afterEach(() => void vi.useRealTimers());

/** The names of the claims that got a permit, in this order. */
let admitted: string[];
beforeEach(() => void (admitted = []));

type Asked = { permit: Permit | null; outcome: "waiting" | "admitted" | "refused" };

/** Asks for a permit. The claim is named like its account, unless it has a name. */
function ask(semaphore: Semaphore, accountId: string, claim: Partial<Claim> = {}, name = accountId): Asked {
  const asked: Asked = { permit: null, outcome: "waiting" };
  void semaphore.acquire({ accountId, maxWaitMs: 10_000, ...claim }).then((permit) => {
    asked.permit = permit;
    asked.outcome = permit ? "admitted" : "refused";
    if (permit) admitted.push(name);
  });
  return asked;
}

/** Asks for a permit, and releases it as soon as it is there. */
function use(semaphore: Semaphore, accountId: string, claim: Partial<Claim> = {}): void {
  void semaphore.acquire({ accountId, maxWaitMs: 10_000, ...claim }).then((permit) => {
    admitted.push(accountId);
    permit?.release();
  });
}

const settle = () => vi.advanceTimersByTimeAsync(0);
const outcomes = (...asked: Asked[]) => asked.map(({ outcome }) => outcome);

it("an account that has just had the whole capacity goes behind an account that came later", async () => {
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

describe("the capacity of a semaphore", () => {
  it("is given out at once as long as claims fit", async () => {
    const semaphore = new Semaphore({ capacity: 100 });

    const asked = [60, 40, 1].map((amount) => ask(semaphore, "a", { amount }));
    await settle();

    expect(outcomes(...asked)).toEqual(["admitted", "admitted", "waiting"]);
    expect([semaphore.inUse, semaphore.waiting()]).toEqual([100, 1]);
  });

  it("is given back once, although a permit is released twice", async () => {
    const semaphore = new Semaphore({ capacity: 2 });
    const [first, , third, fourth] = [1, 2, 3, 4].map(() => ask(semaphore, "a"));
    await settle();

    first?.permit?.release();
    first?.permit?.release();
    await settle();

    expect([third?.outcome, fourth?.outcome]).toEqual(["admitted", "waiting"]);
  });

  it("goes to the next claim when a permit becomes smaller", async () => {
    const semaphore = new Semaphore({ capacity: 100 });
    const [first, second] = [ask(semaphore, "a", { amount: 100 }), ask(semaphore, "b", { amount: 50 })];
    await settle();

    first.permit?.resize(50);
    await settle();

    expect(second.outcome).toBe("admitted");
  });

  it("is exceeded by a claim that is alone", async () => {
    const semaphore = new Semaphore({ capacity: 100 });
    const [first, large] = [ask(semaphore, "a", { amount: 10 }), ask(semaphore, "b", { amount: 200 })];
    await settle();
    expect(large.outcome).toBe("waiting");

    first.permit?.release();
    await settle();

    expect(large.outcome).toBe("admitted");
  });

  it("is kept free for a large claim that is the next one", async () => {
    const semaphore = new Semaphore({ capacity: 100 });
    ask(semaphore, "a", { amount: 60 });
    const [large, small] = [ask(semaphore, "b", { amount: 90 }), ask(semaphore, "c", { amount: 30 })];
    await settle();

    expect(outcomes(large, small)).toEqual(["waiting", "waiting"]);
  });
});

describe("a waiting claim", () => {
  it("is refused after its maximum time, which lets the next one go", async () => {
    const semaphore = new Semaphore({ capacity: 100 });
    ask(semaphore, "a", { amount: 60 });
    const large = ask(semaphore, "b", { amount: 90, maxWaitMs: 1_000 });
    const small = ask(semaphore, "c", { amount: 30 });

    await vi.advanceTimersByTimeAsync(999);
    expect(outcomes(large, small)).toEqual(["waiting", "waiting"]);
    await vi.advanceTimersByTimeAsync(1);

    expect(outcomes(large, small)).toEqual(["refused", "admitted"]);
  });

  it("gets the permit of a request that was stopped, when that has expired", async () => {
    const semaphore = new Semaphore({ capacity: 1 });
    ask(semaphore, "a", { expiresInMs: 1_000 });
    const waiting = ask(semaphore, "b", { expiresInMs: 1_000 });

    await vi.advanceTimersByTimeAsync(999);
    expect(waiting.outcome).toBe("waiting");
    await vi.advanceTimersByTimeAsync(1);

    expect(waiting.outcome).toBe("admitted");
  });
});

it("counts a claim once that is admitted at the moment at which its time ends", async () => {
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

describe("accounts", () => {
  it("get one permit each per round, whatever the number of claims of each", async () => {
    const semaphore = new Semaphore({ capacity: 1 });
    const first = ask(semaphore, "first");
    for (const accountId of ["a", "a", "a", "a", "b", "c", "b"]) use(semaphore, accountId);
    await settle();

    first.permit?.release();
    await settle();

    expect(admitted.join(" ")).toBe("first a b c a b a a");
  });

  it.each([false, true])("with few permits go before those with many (background: %s)", async (isBackground) => {
    const semaphore = new Semaphore({ capacity: 2 });
    const [, second] = [ask(semaphore, "a", { isBackground }), ask(semaphore, "b", { isBackground })];
    const waiting = [ask(semaphore, "a", { isBackground }), ask(semaphore, "c", { isBackground })];
    await settle();

    second.permit?.release();
    await settle();

    expect(outcomes(...waiting)).toEqual(["waiting", "admitted"]);
  });

  it("go in the order of their own claims", async () => {
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

  it("keep what they release for their own next claims until their streak ends", async () => {
    const semaphore = new Semaphore({ capacity: 1, streak: { claims: 3, ms: 1_000 } });
    for (const accountId of ["a", "b", "a", "a", "a"]) use(semaphore, accountId);

    await settle();

    expect(admitted.join(" ")).toBe("a a a b a");
  });
});

describe("background claims", () => {
  const background = { isBackground: true };

  it("wait until no other claim waits", async () => {
    const semaphore = new Semaphore({ capacity: 1 });
    const first = ask(semaphore, "a");
    const [batch, single] = [ask(semaphore, "b", background), ask(semaphore, "a")];
    await settle();

    first.permit?.release();
    await settle();

    expect(outcomes(batch, single)).toEqual(["waiting", "admitted"]);
  });

  it("leave free what a large foreground claim waits for", async () => {
    const semaphore = new Semaphore({ capacity: 100 });
    ask(semaphore, "a", { amount: 60 });
    ask(semaphore, "b", { amount: 90 });
    const batch = ask(semaphore, "c", { ...background, amount: 1 });
    await settle();

    expect(batch.outcome).toBe("waiting");
  });

  it("get one permit per round and account", async () => {
    const semaphore = new Semaphore({ capacity: 1 });
    const first = ask(semaphore, "first", background);
    for (const accountId of ["a", "a", "a", "b"]) use(semaphore, accountId, background);
    await settle();

    first.permit?.release();
    await settle();

    expect(admitted.join(" ")).toBe("first a b a a");
  });

  it("of one account use everything when no other claim is active", async () => {
    const semaphore = new Semaphore({ capacity: 4, maxPerAccount: 3 });

    const asked = [1, 2, 3, 4, 5].map(() => ask(semaphore, "a", background));
    await settle();

    expect(outcomes(...asked)).toEqual(["admitted", "admitted", "admitted", "admitted", "waiting"]);
  });

  it.each([
    [24, ["admitted", "admitted", "admitted", "waiting"]],
    [4, ["admitted", "waiting", "waiting", "waiting"]],
  ])("use an eighth of %i permits, but at least one, beside another claim", async (capacity, expected) => {
    const semaphore = new Semaphore({ capacity });
    ask(semaphore, "a");

    const asked = ["b", "b", "c", "c"].map((accountId) => ask(semaphore, accountId, background));
    await settle();

    expect(outcomes(...asked)).toEqual(expected);
  });

  it("use all permits from ten seconds after the last other claim on", async () => {
    const semaphore = new Semaphore({ capacity: 8 });
    const single = ask(semaphore, "a");
    const long = { ...background, maxWaitMs: 30_000 };
    const asked = ["b", "b", "b"].map((accountId) => ask(semaphore, accountId, long));
    await vi.advanceTimersByTimeAsync(5_000);
    single.permit?.release();

    await vi.advanceTimersByTimeAsync(9_999);
    expect(outcomes(...asked)).toEqual(["admitted", "waiting", "waiting"]);
    await vi.advanceTimersByTimeAsync(251);

    expect(outcomes(...asked)).toEqual(["admitted", "admitted", "admitted"]);
  });

  it("of an account are limited together with its other claims while any are active", async () => {
    const semaphore = new Semaphore({ capacity: 24, maxPerAccount: 2 });
    ask(semaphore, "a");

    const asked = ["a", "a", "b"].map((accountId) => ask(semaphore, accountId, background));
    await settle();

    expect(outcomes(...asked)).toEqual(["admitted", "waiting", "admitted"]);
  });

  it("do not count against the other claims of their account", async () => {
    const semaphore = new Semaphore({ capacity: 4, maxPerAccount: 3 });
    const [first] = [1, 2, 3, 4].map(() => ask(semaphore, "a", background));
    const single = ask(semaphore, "a");
    await settle();

    first?.permit?.release();
    await settle();

    expect(single.outcome).toBe("admitted");
  });

  it("have no streak while another claim waits", async () => {
    const semaphore = new Semaphore({ capacity: 1, streak: { claims: 3, ms: 1_000 } });
    for (const name of ["batch", "batch", "single"]) use(semaphore, name, { isBackground: name === "batch" });

    await settle();

    expect(admitted.join(" ")).toBe("batch single batch");
  });

  it("have a queue of their own, which is as long", async () => {
    const semaphore = new Semaphore({ capacity: 1, maxWaiting: 1 });
    ask(semaphore, "a");
    const asked = [background, background, {}, {}].map((claim) => ask(semaphore, "a", claim));
    await settle();

    expect(outcomes(...asked)).toEqual(["waiting", "refused", "waiting", "refused"]);
    expect([semaphore.waiting(), semaphore.waiting(true)]).toEqual([1, 1]);
  });

  it("that have nothing get a permit after twenty other claims", async () => {
    const semaphore = new Semaphore({ capacity: 1 });
    const first = ask(semaphore, "first");
    use(semaphore, "batch", background);
    for (let count = 0; count < 25; count++) use(semaphore, `${count}`);
    await settle();

    first.permit?.release();
    await settle();

    expect(admitted.indexOf("batch")).toBe(21);
  });
});
