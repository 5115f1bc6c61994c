import { describe, expect, it } from "vitest";
import { paperGeometry } from "../../../src/core/rendering/page-geometry.ts";
import { poolClient, poolsInOrder, type PoolObject } from "../../../src/platform/rendering/pool-client.ts";
import type { ObjectNamespace } from "../../../src/platform/object-client.ts";
import type { RenderJob, RenderOutcome } from "../../../src/core/rendering/render-job.ts";

const job: RenderJob = {
  accountId: "account",
  html: "<p>x</p>",
  headChars: 0,
  markupChars: 8,
  format: "pdf",
  page: paperGeometry("A4", "portrait"),
  margin: { top: 48, right: 48, bottom: 48, left: 48 },
  deviceScaleFactor: 2,
  fileKey: "x.pdf",
  metadata: { createdAt: 0, language: "en-US" },
  timeoutMs: 5_000,
};
const rendered: RenderOutcome = { status: "rendered", fileSize: 1, sha256: "", pageCount: 1, warnings: [] };
const busy: RenderOutcome = { status: "no_capacity", retryAfterSeconds: 7 };
const [home, neighbour] = poolsInOrder(job.accountId, 4).map((pool) => `pool-${pool}`);

/** Renders on pools of which these have no free page; returns the outcome and who was asked, with `+` when it might wait. */
async function rendersOn(full: (string | undefined)[], pools = 4, waiting = rendered) {
  const asked: string[] = [];
  const namespace = {
    idFromName: (name: string) => name,
    get: (name: string): PoolObject => ({
      async render(_, mayWait) {
        asked.push(mayWait ? `${name}+` : name);
        if (mayWait) return waiting;
        return full.includes(name) ? busy : rendered;
      },
    }),
  } as unknown as ObjectNamespace<PoolObject>;
  return { outcome: await poolClient(namespace, pools).render(job), asked };
}

describe("an account", () => {
  it("goes to its own pool while that has a free page", async () => {
    expect((await rendersOn([])).asked).toEqual([home]);
  });

  it("goes to the next pool in its order when its own is full", async () => {
    expect((await rendersOn([home])).asked).toEqual([home, neighbour]);
  });

  it("waits at its own pool when both are full", async () => {
    expect((await rendersOn([home, neighbour])).asked).toEqual([home, neighbour, `${home}+`]);
  });

  it("is told when to come again by the pool that it would wait for", async () => {
    expect((await rendersOn([home, neighbour], 4, busy)).outcome).toEqual(busy);
  });

  it("waits at once where there is one pool only", async () => {
    expect((await rendersOn([], 1)).asked).toEqual(["pool-0+"]);
  });
});

describe("the order of pools", () => {
  const accounts = Array.from({ length: 2_000 }, (_, index) => `account-${index}`);

  it("spreads accounts evenly", () => {
    const homes = accounts.map((account) => poolsInOrder(account, 4)[0]);

    for (const pool of [0, 1, 2, 3]) {
      const share = homes.filter((home) => home === pool).length / accounts.length;
      expect(share, `pool ${pool}`).toBeGreaterThan(0.2);
      expect(share, `pool ${pool}`).toBeLessThan(0.3);
    }
  });

  it("moves only those accounts to a new pool that it is the first for", () => {
    const moved = accounts.filter((account) => poolsInOrder(account, 4)[0] !== poolsInOrder(account, 5)[0]);

    expect(moved.every((account) => poolsInOrder(account, 5)[0] === 4)).toBe(true);
    expect(moved.length / accounts.length).toBeLessThan(0.3);
  });
});
