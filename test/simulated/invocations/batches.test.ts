// Batches under the limits that the platform sets for each alarm. docs/limits.md says how large a batch may be.
import { afterAll, expect, it, vi } from "vitest";
import { png } from "colophon-test-kit/images";
import { field } from "colophon-test-kit/template-content";
import type { BatchServices } from "../../../src/ports/services.ts";
import { withoutThreads } from "../../objects/batches/without-threads.ts";
import { batchWorld, type BatchWorld } from "./batch-world.ts";
import { eventOf, killedRun, titlesOf } from "./merged-runs.ts";

vi.mock("cloudflare:workers", () => import("../../fakes/cloudflare-workers.ts"));

withoutThreads();
afterAll(() => vi.unstubAllGlobals());

/** An invocation may need twice its queries and calls, because they are repeated after a fault. */
const most = (alarms: { subrequests: number; queries: number; ms: number }[]) => ({
  subrequests: Math.max(...alarms.map(({ subrequests }) => subrequests)),
  queries: Math.max(...alarms.map(({ queries }) => queries)),
  ms: Math.max(...alarms.map(({ ms }) => ms)),
});

it("a batch of documents with ten pages becomes files of 2,000 pages, and no alarm comes close to a limit", async () => {
  const world = await batchWorld({ pageCount: 10 });
  const id = await world.create(1_001);

  const { counts, files, warnings } = await world.end(id);

  expect(counts).toEqual({ total: 1_001, completed: 1_001, failed: 0, canceled: 0 });
  expect([files.map(({ pageCount }) => pageCount), warnings]).toEqual([[200, 200, 200, 200, 200, 1], []]);
  expect(files.flatMap((file) => titlesOf(world, file))).toEqual(
    Array.from({ length: 1_001 }, (_, index) => `c${index}`),
  );
  expect(world.alarms.map(({ outcome }) => outcome)).toEqual(Array(world.alarms.length).fill("done"));
  const { subrequests, queries, ms } = most(world.alarms);
  expect([subrequests < 3_000, queries < 500, ms < 60_000]).toEqual([true, true, true]);
});

it.each([1, 2])("a batch has its merged files although its alarms are killed repeatedly (seed %i)", async (seed) => {
  expect(await killedRun({ seed, count: 600, pageCount: 10 })).toEqual([]);
});

const failing = (fail: (put: number) => Error | null) => {
  let puts = 0;
  return (services: BatchServices): BatchServices => ({
    ...services,
    mergedFiles: {
      ...services.mergedFiles,
      put: async (...args) => {
        const error = fail(++puts);
        if (error) throw error;
        return services.mergedFiles.put(...args);
      },
    },
  });
};

it("a batch whose documents cannot be merged ends after three failures in a row, without merged files but with a warning and its webhook", async () => {
  const world = await batchWorld({ pageCount: 1_000, change: failing((put) => (put > 2 ? new Error("no") : null)) });
  const id = await world.create(10);

  const { counts, files, warnings } = await world.end(id);

  expect([counts.completed, files]).toEqual([10, []]);
  expect(warnings).toEqual(["The documents could not be merged, so the batch has no merged files."]);
  expect(await eventOf(world, id)).toMatchObject({ type: "batch.completed", data: { files: [], warnings } });
  expect([...world.stored.keys()].filter((key) => key.includes("merged"))).toEqual([]);
});

it("a batch has its merged files even if each of them failed twice", async () => {
  const world = await batchWorld({
    pageCount: 1_000,
    change: failing((put) => (put % 3 > 0 ? new Error("no") : null)),
  });
  const id = await world.create(10);

  const { files, warnings } = await world.end(id);

  expect([files.length, warnings]).toEqual([5, []]);
});

/** A world in which reading a document takes a second. `onRead` is called with the number of each document. */
function slowMerges(onRead: (count: number) => void = () => {}) {
  let count = 0;
  return batchWorld({
    ...{ pageCount: 5, renderMs: 2_000 },
    change: (services) => ({
      ...services,
      files: {
        ...services.files,
        get: async (...args) => {
          onRead(++count);
          await new Promise((resolve) => setTimeout(resolve, 1_000));
          return services.files.get(...args);
        },
      },
    }),
  });
}

it("a batch is rendered while a different one is merged", async () => {
  let rendered: number | undefined = 0;
  const world = await slowMerges((count) => {
    if (count === 200) void world.find(second).then((state) => (rendered = state?.counts.completed));
  });
  await world.create(200);
  const second = await world.create(60);

  await world.end(second);

  expect(rendered).toBe(60);
});

it("a batch that is canceled while it is being merged ends soon without merged files, and can be deleted", async () => {
  let canceledMs = Infinity;
  const world = await slowMerges((count) => {
    if (count !== 20) return;
    canceledMs = Date.now();
    void world.live().cancel(world.accountId, id);
  });
  const id = await world.create(240);

  const { files, warnings } = await world.end(id);

  const warning =
    "The batch was canceled or ran out of time before its documents were merged, so it has no merged files.";
  expect([files, warnings, Date.now() - canceledMs < 10_000]).toEqual([[], [warning], true]);
  expect(await world.live().remove(world.accountId, id)).toBe("removed");
});

it("a large batch is spread over the pools for batches, and takes less time with more pools", async () => {
  const run = async (pools: string) => {
    const world = await batchWorld({ variables: { BATCH_POOLS: pools } });
    const id = await world.create(2_000);
    const beganMs = Date.now();
    while ((await world.find(id))?.counts.completed !== 2_000) await world.fireAlarm(Infinity);
    return { endedMs: Date.now() - beganMs, pools: [...world.pools.keys()].toSorted() };
  };
  const [one, four] = [await run("1"), await run("4")];

  expect(one.pools).toEqual(["enam-batch-0"]);
  expect(four.pools).toEqual(["enam-batch-0", "enam-batch-1", "enam-batch-2", "enam-batch-3"]);
  expect(four.endedMs / one.endedMs).toBeLessThan(0.6);
});

const tenant = {
  page: "{{ first }}{{ second }}{{ third }}",
  fields: ["first", "second", "third"].map((key) => field(key, "image")),
};
const url = (name: unknown) => `https://images.dev/${name}.png`;
const warningsOf = async (world: BatchWorld, id: string) =>
  (await world.results(id)).flatMap(({ outcome }) =>
    outcome.status === "completed" ? outcome.warnings : [outcome.status],
  );

it("the images of a batch are fetched once if all of its documents show the same images", async () => {
  const fetched: string[] = [];
  const image = (from: string) => (fetched.push(from), new Response(png(10, 10)));
  const world = await batchWorld({ tenant, image });
  const id = await world.create(500, () => ({ first: url("logo"), second: url("sign"), third: url("logo") }));

  await world.end(id);

  expect(await warningsOf(world, id)).toEqual([]);
  expect(fetched.toSorted()).toEqual([url("logo"), url("sign")]);
});

it("the images of a batch do not use up the time of a document that waits for them, so it needs no second attempt", async () => {
  const world = await batchWorld({ tenant, image: () => new Response(png(10, 10)), imageMs: 4_000 });
  const id = await world.create(40, (index) => ({
    first: url(index),
    second: url(`${index}b`),
    third: url(`${index}c`),
  }));

  await world.end(id);

  // A document makes one query, and one more if it is tried again. Now and then, the shard of the account is looked up again.
  const queries = world.alarms.reduce((sum, alarm) => sum + alarm.queries, 0);
  expect(await warningsOf(world, id)).toEqual([]);
  expect(queries).toBeLessThan(40 + 10);
});

it("the images of a batch are fetched again after a failure", async () => {
  let count = 0;
  const image = () => (++count > 8 ? new Response(png(10, 10)) : new Response(null, { status: 500 }));
  const world = await batchWorld({ tenant, image });
  const id = await world.create(100, () => ({ first: url("logo") }));

  await world.end(id);

  expect([(await warningsOf(world, id)).length, count]).toEqual([8, 9]);
});
