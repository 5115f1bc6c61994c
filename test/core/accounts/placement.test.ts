import { expect, it } from "vitest";
import { chooseShard, type ShardState } from "../../../src/core/accounts/placement.ts";

const gigabyte = 1_000_000_000;

function shard(number: number, rest: Partial<ShardState> = {}): ShardState {
  return { number, location: null, accounts: 0, bytes: 0, ...rest };
}

const directory = shard(0, { bytes: gigabyte });

it("a new account is placed in the shard of its home region, however much room other shards have", () => {
  const shards = [
    directory,
    shard(1, { location: "enam", bytes: 3 * gigabyte }),
    shard(2, { location: "weur" }),
    shard(3),
  ];

  expect(chooseShard(shards, "enam")).toBe(1);
});

it("a new account is placed in a shard without a location if it has no home region, or if the region has no shard", () => {
  const shards = [directory, shard(1, { location: "enam" }), shard(2)];

  expect([chooseShard(shards, "oc"), chooseShard(shards, null)]).toEqual([2, 2]);
});

it("a new account is placed in the smallest shard, or, among shards of similar size, in the one with the fewest accounts", () => {
  const sizes = [shard(1, { bytes: 2 * gigabyte }), shard(2, { bytes: gigabyte, accounts: 9 })];
  const near = shard(3, { bytes: gigabyte + 50_000_000, accounts: 8 });

  expect([chooseShard(sizes, null), chooseShard([...sizes, near], null)]).toEqual([2, 3]);
});

it.each([
  ["that is 70 % full", 7 * gigabyte],
  ["that does not respond", null],
])("a shard %s takes no new account", (_, bytes) => {
  const unfit = shard(1, { location: "weur", bytes });

  expect(chooseShard([directory, unfit, shard(2, { location: "weur", bytes: 6.9 * gigabyte })], "weur")).toBe(2);
  expect(chooseShard([shard(0, { location: "enam", bytes }), unfit], "weur")).toBe(0);
});
