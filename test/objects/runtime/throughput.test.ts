import { expect, it } from "vitest";
import { Throughput } from "../../../src/objects/runtime/throughput.ts";

/** Runs `rounds` rounds in which `atOnce` calls begin together and end together after `ms`. Returns the time at the end. */
function run(throughput: Throughput, { rounds, atOnce, ms }: { rounds: number; atOnce: number; ms: number }, from = 0) {
  let nowMs = from;
  for (let round = 0; round < rounds; round++) {
    throughput.observe(atOnce, nowMs);
    nowMs += ms;
    throughput.observe(0, nowMs);
  }
  return nowMs;
}

it("starts with the assumed time", () => {
  expect(new Throughput(() => 4, 100).msPerEnd(5_000)).toBe(95);
});

/** A little less than 200 ms, because some calls have ended at the very moment of the measurement. */
function expectAbout200(ms: number) {
  expect(ms).toBeGreaterThan(180);
  expect(ms).toBeLessThanOrEqual(200);
}

it("measures how long it takes until one more call ends while the capacity is in use", () => {
  const throughput = new Throughput(() => 4, 100);

  expectAbout200(throughput.msPerEnd(run(throughput, { rounds: 40, atOnce: 4, ms: 800 })));
});

it("forgets old calls", () => {
  const throughput = new Throughput(() => 4, 100);
  const nowMs = run(throughput, { rounds: 10, atOnce: 4, ms: 10_000 });

  const laterMs = run(throughput, { rounds: 40, atOnce: 4, ms: 800 }, nowMs);

  expectAbout200(throughput.msPerEnd(laterMs));
});

it("forgets calls that ended more than ten seconds ago", () => {
  const throughput = new Throughput(() => 4, 100);
  const nowMs = run(throughput, { rounds: 100, atOnce: 4, ms: 400 });

  expectAbout200(throughput.msPerEnd(run(throughput, { rounds: 13, atOnce: 4, ms: 800 }, nowMs)));
});

it("covers ten seconds, so that a few slow seconds count in proportion", () => {
  const throughput = new Throughput(() => 4, 100);
  const nowMs = run(throughput, { rounds: 100, atOnce: 4, ms: 400 });

  const laterMs = run(throughput, { rounds: 1, atOnce: 4, ms: 2_000 }, nowMs);

  // In the last ten seconds, 80 calls have ended in 8 s, and four in 2 s.
  expect(throughput.msPerEnd(laterMs)).toBeGreaterThan(110);
  expect(throughput.msPerEnd(laterMs)).toBeLessThan(125);
});

it("covers at least twenty calls, however long they take", () => {
  const throughput = new Throughput(() => 4, 100);

  const nowMs = run(throughput, { rounds: 10, atOnce: 4, ms: 20_000 });

  // The last twenty calls have ended in the last five rounds. The time before the first of these rounds is not known.
  expect(throughput.msPerEnd(nowMs)).toBe(80_000 / 20);
});

it("does not count time in which no call is under way", () => {
  const throughput = new Throughput(() => 4, 100);
  const nowMs = run(throughput, { rounds: 40, atOnce: 4, ms: 800 });

  expect(throughput.msPerEnd(nowMs + 60_000)).toBe(throughput.msPerEnd(nowMs));
});

it("assumes that more calls could have run beside few", () => {
  const throughput = new Throughput(() => 8, 100);

  const nowMs = run(throughput, { rounds: 200, atOnce: 1, ms: 400 });

  // A quarter of half of the capacity is in use, so a quarter of the time counts.
  expect(throughput.msPerEnd(nowMs)).toBeGreaterThan(97);
  expect(throughput.msPerEnd(nowMs)).toBeLessThanOrEqual(100);
});

it("notices that calls have become slow before the first of them ends", () => {
  const throughput = new Throughput(() => 4, 100);
  const nowMs = run(throughput, { rounds: 10, atOnce: 4, ms: 10_000 });
  throughput.observe(4, nowMs);
  const before = throughput.msPerEnd(nowMs);

  // 20 s without an end add a twentieth of 20 s.
  expect(throughput.msPerEnd(nowMs + 20_000)).toBe(before + 1_000);
});

it("is not distorted by one slow call beside many fast ones", () => {
  const throughput = new Throughput(() => 4, 100);
  let nowMs = 0;
  throughput.observe(4, nowMs);
  // One call takes ten seconds. Beside it, three calls end every 300 ms.
  for (; nowMs < 9_900;) {
    nowMs += 300;
    throughput.observe(1, nowMs);
    throughput.observe(4, nowMs);
  }
  throughput.observe(0, nowMs + 100);

  // Nearly a hundred calls have ended in ten seconds.
  expect(throughput.msPerEnd(nowMs + 100)).toBeLessThan(110);
});

it("counts the time of calls whose ends are not counted", () => {
  const [counted, uncounted] = [new Throughput(() => 1, 100), new Throughput(() => 1, 100)];
  for (let nowMs = 0; nowMs < 20_000; nowMs += 200) {
    for (const throughput of [counted, uncounted]) throughput.observe(1, nowMs);
    if (nowMs % 400 === 0) uncounted.endedUncounted(nowMs + 200);
    for (const throughput of [counted, uncounted]) throughput.observe(0, nowMs + 200);
  }

  expect(Math.round(counted.msPerEnd(20_000) / 10)).toBe(20);
  expect(Math.round(uncounted.msPerEnd(20_000) / 100)).toBe(4);
});
