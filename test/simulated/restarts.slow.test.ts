// Restarts the pool object before each kind of step, as an eviction, a crash or a deployment may do on the platform. No
// session may be left after the idle time, and no context of the object before the restart after a reconnection.
import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { connect, sessions } from "@cloudflare/puppeteer";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { RenderOutcome } from "../../src/core/rendering/render-job.ts";
import type { ObjectNamespace } from "../../src/platform/object-client.ts";
import type { PoolObject } from "../../src/platform/rendering/pool-client.ts";
import { variableDefaults } from "../../src/settings.ts";
import { job } from "../browser/fixtures/pool.ts";
import { platform, restart } from "./worker.ts";

/** A stub is unusable after its object has been restarted, so each call gets its own. */
const stub = () => env.BROWSER_POOL.get(env.BROWSER_POOL.idFromName("enam-0"));

/** Renders for a new account. Returns null if the object is restarted in the meantime. */
async function render(): Promise<RenderOutcome | null> {
  const pool = stub() as unknown as ReturnType<ObjectNamespace<PoolObject>["get"]>;
  return pool.render(job("<p>x</p>"), true, null).catch(() => null);
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

/** Returns the number of browser contexts in the only session that is running. */
async function openContexts(): Promise<number> {
  const [sessionId = ""] = await running();
  const browser = await connect(env.BROWSER, sessionId);
  const root = await browser.target().createCDPSession();
  const { browserContextIds } = await root.send("Target.getBrowserContexts");
  await browser.disconnect();
  return browserContextIds.length;
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
  "Target.getBrowserContexts",
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

it("takes every step at which the tests below restart the object", async () => {
  expect(await render()).toEqual(rendered);

  expect(steps.filter((step) => !platform.steps.includes(step))).toEqual([]);
});

it.each(steps)("leaves no session after the idle time when the object is restarted before %s", async (step) => {
  restart.before = step;
  expect(await render()).toBeNull();

  await letIdleTimePass();

  await expect.poll(running, { timeout: 20_000 }).toEqual([]);
});

it.each(steps)("renders in a browser without older contexts after a restart before %s", async (step) => {
  restart.before = step;
  expect(await render()).toBeNull();

  expect(await render()).toEqual(rendered);

  // The page of the render, and a spare page if that is open already.
  expect(await openContexts()).toBeLessThanOrEqual(2);
});

describe("a restart between two renders", () => {
  it("lets the next render reconnect to the browser, and closes the pages of the accounts from before the restart", async () => {
    for (let accounts = 0; accounts < 3; accounts++) expect(await render()).toEqual(rendered);
    const before = await running();
    expect(await openContexts()).toBeGreaterThanOrEqual(3);
    await restartNow();

    expect(await render()).toEqual(rendered);

    expect(await running()).toEqual(before);
    expect(await openContexts()).toBeLessThanOrEqual(2);
  });

  it("lets the next render start a new browser if the platform has evicted the session in the meantime", async () => {
    expect(await render()).toEqual(rendered);
    const [evicted = ""] = await running();
    await restartNow();
    await platform.evict(evicted);

    expect(await render()).toEqual(rendered);

    await expect.poll(running).toHaveLength(1);
    expect(await running()).not.toContain(evicted);
  });

  it("leaves no session after the idle time", async () => {
    await render();
    await restartNow();

    expect(await runDurableObjectAlarm(stub())).toBe(true);

    await expect.poll(running, { timeout: 20_000 }).toEqual([]);
    expect(await runDurableObjectAlarm(stub())).toBe(false);
  });
});
