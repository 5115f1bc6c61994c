// Restarts the pool object before each kind of step, as an eviction, a crash or a deployment may do on the platform. The next
// render works, and no session may be left after the idle time.
import { sessions } from "@cloudflare/puppeteer";
import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { RenderOutcome } from "colophon-render/render-job";
import type { ObjectNamespace } from "../../src/platform/object-client.ts";
import type { PoolObject } from "../../src/platform/rendering/pool-client.ts";
import { variableDefaults } from "../../src/settings.ts";
import { job } from "../browser/fixtures/pool.ts";
import { platform, restart } from "./worker.ts";

/** A stub is unusable after its object has been restarted, so each call gets its own. */
const stub = () => env.BROWSER_POOL.get(env.BROWSER_POOL.idFromName("enam-0"));

/** Renders for a new account. Returns null if the object is restarted before it responds. */
async function render(): Promise<RenderOutcome | null> {
  const pool = stub() as unknown as ReturnType<ObjectNamespace<PoolObject>["get"]>;
  return pool.render(job("<p>x</p>"), null).catch(() => null);
}

const rendered = expect.objectContaining({ status: "rendered" });

const running = async () => (await sessions(env.BROWSER)).map(({ sessionId }) => sessionId);

/**
 * Lets the object's alarm fire, if one is set, and the platform end the sessions that would get no commands during the
 * idle time and another minute.
 */
async function letIdleTimePass(): Promise<void> {
  await runDurableObjectAlarm(stub());
  await platform.elapse(variableDefaults.SESSION_IDLE_MS + 60_000);
}

const restartNow = () => runInDurableObject(stub(), (_, state) => state.abort("a restart")).catch(() => {});

beforeEach(() => void (platform.steps = []));

afterEach(async () => {
  restart.before = null;
  await restartNow(); // The next test begins with an object that has no connection.
  await letIdleTimePass();
  await expect.poll(running, { timeout: 20_000 }).toEqual([]);
}, 30_000);

/** The kinds of steps of an object that starts a browser and renders a PDF. */
const steps = [
  "acquire",
  "acquired",
  "connect",
  "connected",
  "Browser.getVersion",
  "Target.setDiscoverTargets",
  "Target.setAutoAttach",
  "Target.attachToTarget",
  "Target.createBrowserContext",
  "Target.createTarget",
  "Runtime.evaluate",
  "Browser.setDownloadBehavior",
  "Emulation.setDeviceMetricsOverride",
  "Page.setDocumentContent",
  "Runtime.callFunctionOn",
  "Page.printToPDF",
];

it("a render takes every step at which other tests restart the object", async () => {
  expect(await render()).toEqual(rendered);

  expect(steps.filter((step) => !platform.steps.includes(step))).toEqual([]);
});

it.each(steps)("no session remains after the idle time if the object is restarted before %s", async (step) => {
  restart.before = step;
  expect(await render()).toBeNull();

  await letIdleTimePass();

  await expect.poll(running, { timeout: 20_000 }).toEqual([]);
});

it.each(steps)("a render uses a new browser after a restart before %s", async (step) => {
  restart.before = step;
  expect(await render()).toBeNull();

  expect(await render()).toEqual(rendered);
});

it("the browser from before a restart between two renders is ended, and only one browser remains", async () => {
  expect(await render()).toEqual(rendered);
  const [before] = await running();
  await restartNow();
  expect(await render()).toEqual(rendered);

  expect(await runDurableObjectAlarm(stub())).toBe(true);

  await expect.poll(running, { timeout: 20_000 }).toHaveLength(1);
  expect(await running()).not.toContain(before);
});
