// A batch whose documents use the whole budget of Liquid, under the processor time that the platform allows an alarm.
import { afterAll, expect, it, vi } from "vitest";
import { withoutThreads } from "../../objects/batches/without-threads.ts";
import { batchWorld } from "./batch-world.ts";
import { platformLimits } from "./invocation.ts";

vi.mock("cloudflare:workers", () => import("../../fakes/cloudflare-workers.ts"));

withoutThreads();
afterAll(() => vi.unstubAllGlobals());

/** It takes nearly the whole budget: with 4,500 rounds, the document would be refused. */
const rounds = 4_000;
const page = `{% for i in (1..${rounds}) %}{% for j in (1..100) %}{% assign x = j | plus: i %}{% endfor %}{% endfor %}`;

it("no alarm of a batch uses up its processor time if each document uses the whole budget of Liquid", async () => {
  const world = await batchWorld({ tenant: { page, fields: [] }, isTimed: true });
  const id = await world.create(240, () => ({}));

  const { counts } = await world.end(id);

  expect(counts).toEqual({ total: 240, completed: 240, failed: 0, canceled: 0 });
  expect(world.alarms.map(({ outcome }) => outcome)).toEqual(Array(world.alarms.length).fill("done"));
  const used = world.alarms.map(({ cpuMs }) => Math.round(cpuMs));
  console.log(`processor time of each alarm: ${used.join(", ")} ms`);
  expect(Math.max(...used)).toBeLessThan(platformLimits.cpuMs / 1.5);
}, 180_000);
