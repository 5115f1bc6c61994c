import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  Admission,
  type AdmissionOutcome,
  type AdmissionSettings,
  type AdmittedRender,
} from "../../../src/objects/rendering/admission.ts";

/** Requests a render for an account. The render may wait. */
const request = (accountId = "a", mayWait = true, timeoutMs = 10_000) => ({ accountId, mayWait, timeoutMs });

beforeEach(() => void vi.useFakeTimers({ now: 0 }));
afterEach(() => void vi.useRealTimers());

const admissionOf = (settings: Partial<AdmissionSettings> = {}) =>
  new Admission({ concurrentPages: 1, maxPages: 16, queueLength: 100, ...settings }, () => 0);

/** Enters and returns the render, or null if it is refused. An admitted render has a session at once. */
async function enter(admission: Admission, ...args: Parameters<typeof request>): Promise<AdmittedRender | null> {
  const outcome = await admission.enter(request(...args));
  if (outcome.status === "refused") return null;
  admission.begin(outcome.render);
  return outcome.render;
}

/** Renders one document after another until the estimates depend on nothing else. */
async function measured(admission: Admission, renderMs: number, atOnce = 1): Promise<void> {
  for (let done = 0; done < 20; done += atOnce) {
    const renders = await Promise.all(Array.from({ length: atOnce }, (_, n) => enter(admission, `warm-up ${n}`)));
    await vi.advanceTimersByTimeAsync(renderMs);
    for (const render of renders) if (render) admission.leave(render);
  }
}

const refused = (outcome: AdmissionOutcome) => (outcome.status === "refused" ? outcome : null);

it("admits renders at once up to the number of concurrent pages", async () => {
  const admission = admissionOf({ concurrentPages: 2, queueLength: 0 });

  const admitted = [await enter(admission), await enter(admission)];

  expect(admitted).toEqual([expect.anything(), expect.anything()]);
  expect(await enter(admission)).toBeNull();
  expect(admission.rendersUnderWay).toBe(2);
});

it("refuses a render immediately if no page is free and the render may not wait", async () => {
  const admission = admissionOf();
  await enter(admission);

  expect(await enter(admission, "a", false)).toBeNull();
});

it("admits a waiting render when another render leaves", async () => {
  const admission = admissionOf();
  const first = await enter(admission);
  const waiting = enter(admission);

  if (first) admission.leave(first);

  expect(await waiting).not.toBeNull();
  expect(admission.rendersUnderWay).toBe(1);
});

it("admits a new render at once if the slot became free while no render was waiting", async () => {
  const admission = admissionOf();
  const first = await enter(admission);
  if (first) admission.leave(first);

  expect(admission.rendersUnderWay).toBe(0);
  expect(await enter(admission, "a", false)).not.toBeNull();
});

it("refuses a render when only the time for its work is left", async () => {
  const admission = admissionOf();
  await enter(admission);
  const ended = vi.fn();
  void enter(admission).then(ended);

  await vi.advanceTimersByTimeAsync(7_499);
  expect(ended).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);

  expect(ended).toHaveBeenCalledExactlyOnceWith(null);
  expect(admission.rendersUnderWay).toBe(1);
});

describe("waiting renders", () => {
  it("of several accounts take turns, whatever the number of each account's renders", async () => {
    const admission = admissionOf();
    const first = await enter(admission, "first");
    const order: string[] = [];
    const render = async (accountId: string) => {
      const admitted = await enter(admission, accountId);
      order.push(accountId);
      if (admitted) admission.leave(admitted);
    };
    const all = ["a", "a", "a", "a", "b", "c", "b"].map(render);

    if (first) admission.leave(first);
    await Promise.all(all);

    expect(order).toEqual(["a", "b", "c", "a", "b", "a", "a"]);
  });

  it("of an account that is already rendering go behind those of other accounts", async () => {
    const admission = admissionOf();
    const first = await enter(admission, "a");
    const order: string[] = [];
    const all = ["a", "b"].map(async (accountId) => {
      const admitted = await enter(admission, accountId);
      order.push(accountId);
      if (admitted) admission.leave(admitted);
    });

    if (first) admission.leave(first);
    await Promise.all(all);

    expect(order).toEqual(["b", "a"]);
  });

  it("of one account do not delay or refuse another account's first render", async () => {
    const admission = admissionOf();
    await measured(admission, 500);
    const first = await enter(admission, "busy");
    const outcomes = Array.from({ length: 40 }, () => admission.enter(request("busy")));
    const other = enter(admission, "other");

    if (first) admission.leave(first);

    expect(await other).not.toBeNull();
    await vi.advanceTimersByTimeAsync(10_000);
    expect((await Promise.all(outcomes)).some(({ status }) => status === "refused")).toBe(true);
  });
});

describe("waiting renders of more accounts than pages can be kept", () => {
  /** Lets renders of these accounts wait. Returns the accounts in the order in which their renders are admitted. */
  function renderAll(admission: Admission, accounts: string[]) {
    const order: string[] = [];
    const render = async (accountId: string) => {
      const admitted = await enter(admission, accountId);
      order.push(accountId);
      if (admitted) admission.leave(admitted);
    };
    return { order, ended: Promise.all(accounts.map(render)) };
  }

  it("have up to four in a row, and then wait for the turns of others", async () => {
    const admission = admissionOf({ maxPages: 3 });
    const first = await enter(admission, "first");
    const { order, ended } = renderAll(admission, ["a", "a", "a", "a", "a", "a", "b", "c", "b"]);

    if (first) admission.leave(first);
    await ended;

    // Accounts that are fewer than pages keep their pages, so they take turns again.
    expect(order.join(" ")).toBe("a a a a b b c a a");
  });

  it("take turns if all accounts can keep their pages", async () => {
    const admission = admissionOf({ maxPages: 4 });
    const first = await enter(admission, "first");
    const { order, ended } = renderAll(admission, ["a", "a", "b", "b", "c"]);

    if (first) admission.leave(first);
    await ended;

    expect(order.join(" ")).toBe("a b c a b");
  });

  it.each([
    [3, ["a", "a"]],
    [9, ["a", "b1"]],
  ])(
    "take turns if others could start after more than 70 % of their time (%i other accounts)",
    async (count, expected) => {
      const admission = admissionOf({ maxPages: 3 });
      await measured(admission, 500);
      const first = await enter(admission, "first");
      const started: string[] = [];
      for (const accountId of ["a", ...Array.from({ length: count }, (_, n) => `b${n + 1}`), "a"])
        void enter(admission, accountId, true, accountId === "a" ? 60_000 : 10_000).then((render) => {
          started.push(accountId);
          if (render && started.length === 1) admission.leave(render);
        });
      await vi.advanceTimersByTimeAsync(3_000);

      if (first) admission.leave(first);
      await vi.advanceTimersByTimeAsync(0);

      expect(started).toEqual(expected);
    },
  );
});

describe("a refused render", () => {
  it("is told when a render that joined the queue would start", async () => {
    const admission = admissionOf({ concurrentPages: 4 });
    await measured(admission, 8_000, 4);
    for (let i = 0; i < 4; i++) await enter(admission, "a");
    for (let i = 0; i < 2; i++) void enter(admission, "b");

    const outcome = refused(await admission.enter(request("c", false)));

    // Four renders end every 8 s, one every 2 s. The render would be the second in the queue, because b has had no turn.
    expect(outcome?.queue.startsInMs).toBeGreaterThan(3_000);
    expect(outcome?.queue.startsInMs).toBeLessThanOrEqual(4_000);
    expect(outcome?.retryAfterSeconds).toBe(4);
  });

  it("is refused at once, not after a wait, when it would probably start too late", async () => {
    const admission = admissionOf();
    await measured(admission, 2_000);
    await enter(admission, "a");
    const outcomes: string[] = [];
    for (const account of ["b", "c", "d", "e", "f", "g"]) {
      void admission.enter(request(account)).then(({ status }) => outcomes.push(`${account} ${status}`));
    }

    await vi.advanceTimersByTimeAsync(0);

    expect(outcomes).toEqual(["e refused", "f refused", "g refused"]);
  });

  it("of an account with many refused renders is told a later time than one of another account", async () => {
    const admission = admissionOf();
    await measured(admission, 2_000);
    await enter(admission, "x");
    const retryOf = async (account: string) =>
      refused(await admission.enter(request(account, true, 100)))?.retryAfterSeconds ?? 0;

    const many = [await retryOf("a"), await retryOf("a"), await retryOf("a"), await retryOf("a")];
    const one = await retryOf("b");

    expect(many.toSorted((a, b) => a - b)).toEqual(many);
    expect(many[3]).toBeGreaterThan(2 * one);
  });
});

describe("the estimate", () => {
  it("assumes 50 ms per render until renders have been measured", async () => {
    const admission = admissionOf();
    await enter(admission);
    for (let waiting = 0; waiting < 19; waiting++) void enter(admission, `account ${waiting}`);

    const outcome = refused(await admission.enter(request("a", false)));

    expect(outcome?.queue.startsInMs).toBeCloseTo(20 * 47.5);
  });

  it("includes the time that is left until the browser has started", async () => {
    const admission = admissionOf();
    await admission.enter(request("a")); // It gets no session yet.
    await vi.advanceTimersByTimeAsync(1_000);

    const outcome = refused(await admission.enter(request("b", false)));

    expect(outcome?.queue.startsInMs).toBeCloseTo(2_000 + 47.5);
  });

  it("does not count the start of a browser as slow rendering", async () => {
    const admission = admissionOf({ concurrentPages: 6, maxPages: 7 });
    const outcomes = await Promise.all(Array.from({ length: 6 }, (_, n) => admission.enter(request(`account ${n}`))));
    await vi.advanceTimersByTimeAsync(8_000);
    for (const outcome of outcomes) if (outcome.status === "admitted") admission.begin(outcome.render);

    expect(refused(await admission.enter(request("b", false)))?.queue.startsInMs).toBeCloseTo(47.5);
  });

  it("uses the measured time of the last start", async () => {
    const admission = admissionOf();
    for (let start = 0; start < 20; start++) {
      const outcome = await admission.enter(request("a"));
      await vi.advanceTimersByTimeAsync(6_000);
      if (outcome.status === "refused") throw new Error("there was no capacity");
      admission.begin(outcome.render);
      admission.leave(outcome.render);
    }
    await admission.enter(request("a"));
    await vi.advanceTimersByTimeAsync(1_000);

    const startsInMs = refused(await admission.enter(request("b", false)))?.queue.startsInMs ?? 0;

    expect(startsInMs).toBeGreaterThan(4_900);
    expect(startsInMs).toBeLessThan(5_200);
  });
});

describe("while one account's renders take long", () => {
  async function occupied() {
    const admission = admissionOf({ concurrentPages: 4 });
    for (let i = 0; i < 4; i++) await enter(admission, "slow");
    return admission;
  }

  it("admits other accounts half a second later, each with one render", async () => {
    const admission = await occupied();
    const admitted = vi.fn();
    for (const accountId of ["slow", "b", "b", "c", "d"]) {
      void enter(admission, accountId).then((render) => render && admitted(accountId));
    }

    await vi.advanceTimersByTimeAsync(499);
    expect(admitted).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);

    expect(admitted.mock.calls).toEqual([["b"], ["c"]]);
    expect(admission.rendersUnderWay).toBe(6);
  });

  it("admits another account at once when the renders are already long", async () => {
    const admission = await occupied();
    await vi.advanceTimersByTimeAsync(500);

    expect(await enter(admission, "b", false)).not.toBeNull();
    expect(await enter(admission, "slow", false)).toBeNull();
  });

  it("admits the waiting renders of that account only up to the usual number", async () => {
    const admission = await occupied();
    await vi.advanceTimersByTimeAsync(500);
    const other = await enter(admission, "b");
    const waiting = enter(admission, "slow");

    if (other) admission.leave(other);
    await vi.advanceTimersByTimeAsync(10_000);

    expect(await waiting).toBeNull();
    expect(admission.rendersUnderWay).toBe(4);
  });
});

it("admits no additional renders when there would be no idle page to close", async () => {
  const admission = admissionOf({ concurrentPages: 4, maxPages: 5 });
  for (let i = 0; i < 4; i++) await enter(admission, "slow");
  await vi.advanceTimersByTimeAsync(500);

  expect(await enter(admission, "b", false)).toBeNull();
});
