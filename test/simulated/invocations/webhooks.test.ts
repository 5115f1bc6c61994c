// The alarms of a webhook sender under the limits of the platform.
import { afterAll, expect, it, vi } from "vitest";
import { withoutThreads } from "../../objects/batches/without-threads.ts";
import { platformLimits } from "./invocation.ts";
import { senderWorld } from "./sender-world.ts";

vi.mock("cloudflare:workers", () => import("../../fakes/cloudflare-workers.ts"));

withoutThreads();
afterAll(() => vi.unstubAllGlobals());

const hourMs = 3_600_000;
const urls = (count: number) => Array.from({ length: count }, (_, index) => `https://hooks.receiver.dev/${index}`);
/** As many events as the Enterprise plan has renders in a month, and one more. */
const most = 5_001;

type World = Awaited<ReturnType<typeof senderWorld>>;

/** Returns whether every event of the sender used at most half of the platform's limits, which leaves room to repeat each call once. */
const isFarFromLimits = ({ events }: World): boolean =>
  events.every(
    ({ counts, isOver }) =>
      !isOver &&
      counts.queries <= platformLimits.queries / 2 &&
      counts.subrequests <= platformLimits.subrequests / 2 &&
      counts.mostWaiting <= platformLimits.connections,
  );

it("5,001 events that are due at the same time are delivered once each, and no alarm comes close to a limit", async () => {
  const world = await senderWorld();
  await world.send(urls(most));

  await world.pass();

  expect(await world.states()).toEqual({ delivered: most });
  expect([world.received.length, new Set(world.received).size]).toEqual([most, most]);
  expect([isFarFromLimits(world), world.alarmsAt.length < 60]).toEqual([true, true]);
});

it("1,201 reports that D1 refused are written when it works again, and no alarm comes close to a limit", async () => {
  let isDown = true;
  const world = await senderWorld({
    change: (services) => {
      const { report } = services.webhooks;
      const refused = () => Promise.reject(new Error("D1 is down"));
      services.webhooks = { ...services.webhooks, report: (...args) => (isDown ? refused() : report(...args)) };
    },
  });
  await world.send(urls(1_201));
  await world.pass(60_000);
  const during = await world.states();
  isDown = false;

  await world.pass();

  expect([during, await world.states()]).toEqual([{ pending: 1_201 }, { delivered: 1_201 }]);
  expect(isFarFromLimits(world)).toBe(true);
});

/** The calls of the event that makes three attempts: the shard, the events, and for each the secrets, the request and a report. */
const calls = Array.from({ length: 10 }, (_, index) => index + 1);
const kills = calls.flatMap((call) => [true, false].map((hasEffect) => ({ call, hasEffect })));

it.each(kills)("a sender that is killed at call $call delivers all events (effect: $hasEffect)", async (killAt) => {
  const world = await senderWorld({ killAt });
  await world.send(urls(3));
  await world.pass(60_000);
  await world.dispatchOverdue();
  await world.pass();

  expect([await world.states(), await world.storage.getAlarm()]).toEqual([{ delivered: 3 }, null]);
  expect(urls(3).map((url) => world.received.filter((each) => each === url).length <= 2)).toEqual([true, true, true]);
});

it("the tests kill a sender at each call that it makes", async () => {
  const world = await senderWorld();
  await world.send(urls(3));
  await world.pass();

  expect(Math.max(...world.events.map(({ counts }) => counts.subrequests))).toBe(calls.length);
});

it.each([
  ["late by an hour", { lateMs: hourMs }],
  ["repeated", { isRepeated: true }],
])("alarms that are %s make ten attempts for each event, and then no alarm follows", async (_, options) => {
  const world = await senderWorld({ ...options, receiver: () => new Response("no", { status: 500 }) });
  await world.send(urls(3));

  await world.pass();

  expect(await world.states()).toEqual({ dead: 3 });
  expect([world.received.length, await world.storage.getAlarm(), isFarFromLimits(world)]).toEqual([30, null, true]);
});

it("attempts to 100 receivers that never respond are made one after the other, and do not delay other receivers", async () => {
  const silent = (url: string) => url.includes("silent");
  const world = await senderWorld({ receiver: (url) => (silent(url) ? new Promise(() => {}) : new Response("ok")) });
  await world.send([...urls(100).map((url) => url.replace("hooks", "silent")), ...urls(1)]);

  await world.pass(5_000);
  const early = await world.states();
  await world.pass();

  expect([early, await world.states()]).toEqual([
    { pending: 100, delivered: 1 },
    { dead: 100, delivered: 1 },
  ]);
  expect([world.received.length, isFarFromLimits(world)]).toEqual([1_001, true]);
});

const unreadable = () => Promise.reject(new Error("unreadable"));

it.each<[string, string, Parameters<typeof senderWorld>[0]]>([
  ["that has delivered everything", "delivered", {}],
  ["whose deliveries wait for hours", "pending", { receiver: () => new Response("no", { status: 500 }) }],
  ["whose secrets are never readable", "pending", { change: ({ secrets }) => void (secrets.valid = unreadable) }],
])("a sender %s has no alarm in an idle hour", async (_, status, options) => {
  const world = await senderWorld(options);
  await world.send(urls(100));
  await world.pass(4 * hourMs);
  const before = world.alarmsAt.length;

  await world.pass(hourMs);

  expect([await world.states(), world.alarmsAt.length - before]).toEqual([{ [status]: 100 }, 0]);
  expect(isFarFromLimits(world)).toBe(true);
});
