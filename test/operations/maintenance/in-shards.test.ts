import { expect, it } from "vitest";
import { inShards } from "../../../src/operations/maintenance/in-shards.ts";
import { fakeMaintenance } from "../../fakes/maintenance.ts";

/** Returns services with that many shards, and the numbers of the shards in which work has begun. */
function withShards(count: number) {
  const services = fakeMaintenance();
  const [first] = services.shards;
  if (!first) throw new Error("there is a shard");
  services.shards = Array.from({ length: count }, (_, number) => ({ ...first, number }));
  return { services, begun: [] as number[] };
}

it("work in shards begins with a different shard each minute, so that every shard comes first from time to time", async () => {
  const { services, begun } = withShards(4);
  services.state.nowMs = 3 * 60_000;

  for (let minute = 0; minute < 2; minute++) {
    await inShards(services, async ({ number }) => void begun.push(number));
    services.state.nowMs += 60_000;
  }

  expect(begun).toEqual([3, 0, 1, 2, 0, 1, 2, 3]);
});

it("a shard that does not respond does not delay work in other shards", async () => {
  const { services, begun } = withShards(7);
  services.state.nowMs = 0;
  const { promise: hanging, reject } = Promise.withResolvers<void>();

  const working = inShards(services, ({ number }) => {
    begun.push(number);
    return number === 1 ? hanging : Promise.resolve();
  });
  await expect.poll(() => begun).toEqual([0, 1, 2, 3, 4, 5, 6]);
  reject(new Error("timeout"));

  expect([...(await working).keys()]).toEqual([1]);
});
