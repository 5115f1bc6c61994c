import { expect, it } from "vitest";
import { stageClock } from "../../../src/core/observation/stage-clock.ts";

/** Returns a clock whose time a test sets. */
function world() {
  const time = { ms: 1_000 };
  return { time, clock: stageClock(() => time.ms) };
}

it("the stage clock adds up consecutive pieces of work in a stage", async () => {
  const { time, clock } = world();

  await clock.measure("template", async () => void (time.ms += 5));
  time.ms += 100;
  await clock.measure("template", async () => void (time.ms += 7));

  expect(clock.times()).toEqual({ template: 12 });
});

it("the stage clock counts simultaneous pieces of work in a stage once", async () => {
  const { time, clock } = world();
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const both = [clock.measure("images", () => first.promise), clock.measure("images", () => second.promise)];
  time.ms += 10;
  first.resolve();
  await both[0];
  time.ms += 20;
  second.resolve();
  await both[1];

  expect(clock.times()).toEqual({ images: 30 });
});

it("the stage clock returns the result or the error of the work, and counts the time of both", async () => {
  const { time, clock } = world();

  expect(await clock.measure("reserve", async () => ((time.ms += 3), "held"))).toBe("held");
  const failed = clock.measure("record", async () => {
    time.ms += 4;
    throw new Error("down");
  });

  await expect(failed).rejects.toThrow("down");
  expect(clock.times()).toEqual({ reserve: 3, record: 4 });
});

it("the stage clock counts a stage that has not ended up to the current time", () => {
  const { time, clock } = world();
  void clock.measure("authentication", () => new Promise(() => {}));
  time.ms += 40;

  expect(clock.times()).toEqual({ authentication: 40 });
});

it("the stage clock lists the stages in the order of a create, whatever the order in which they were measured", async () => {
  const { clock } = world();
  clock.add("put", 1);
  clock.add("queue", 0);
  await clock.measure("authentication", async () => {});

  expect(Object.keys(clock.times())).toEqual(["authentication", "queue", "put"]);
});
