import { env } from "cloudflare:workers";
import { afterEach, expect, it } from "vitest";
import { faultyBrowser, type Failure, type FaultyBrowser } from "../fixtures/faulty-browser.ts";
import { job, runningSessions, testPool, type TestPool } from "../fixtures/pool.ts";

let browser: FaultyBrowser;
let pool: TestPool;

function freshPool(): void {
  browser = faultyBrowser(env.BROWSER);
  pool = testPool(browser);
}

/** Whatever a test did to it: the pool renders again, and once it is idle no browser is left. */
afterEach(async () => {
  expect(await pool.renderTwice(job("<p>afterwards</p>")), JSON.stringify(pool.logged)).toMatchObject({
    status: "rendered",
  });
  await expect.poll(() => pool.closeIfIdle(0), { timeout: 20_000 }).toBe(true);
  await expect.poll(runningSessions, { timeout: 20_000 }).toEqual([]);
  expect(pool.remembered()).toBeUndefined();
}, 40_000);

const survived: [string, Failure][] = [
  ["acquire", "stall"],
  ["acquire", 500],
  ["connect", "stall"],
  ["Target.createBrowserContext", "stall"],
  ["Target.createBrowserContext", "error"],
  ["Target.createTarget", "stall"],
  ["Target.createTarget", "hang"],
  ["Target.attachToTarget", "drop"],
  ["Fetch.enable", "stall"],
  ["Page.setDocumentContent", "drop"],
  ["Page.setDocumentContent", "hang"],
  ["Runtime.callFunctionOn", "error"],
  ["Page.printToPDF", "drop"],
  ["Page.printToPDF", "error"],
  ["Page.printToPDF", "hang"],
  ["IO.read", "drop"],
  ["IO.read", "hang"],
];

for (const [step, failure] of survived) {
  it(`renders at the second try when ${step} fails once: ${failure}`, async () => {
    freshPool();
    browser.fail(step, failure);
    const asked = job("<p>x</p>", { markupChars: 400_000 });

    const startedMs = Date.now();
    const outcome = await pool.renderTwice(asked);

    expect(outcome, JSON.stringify(pool.logged)).toMatchObject({ status: "rendered", pageCount: 1 });
    expect(Date.now() - startedMs).toBeLessThan(15_000);
    expect([...pool.files.keys()]).toEqual([asked.fileKey]);
  });
}

for (const step of ["Page.setDocumentContent", "Runtime.callFunctionOn", "Page.printToPDF", "IO.read"]) {
  it(`ends at the deadline when the page never answers ${step}, and leaves no file`, async () => {
    freshPool();
    browser.fail(step, "stall");
    const startedMs = Date.now();

    const outcome = await pool.renderTwice(job("<p>x</p>", { markupChars: 400_000, timeoutMs: 3_000 }));

    expect(outcome).toEqual({ status: "timed_out" });
    expect(Date.now() - startedMs).toBeLessThan(3_500);
    expect(pool.files.size).toBe(0);
  });
}

for (const status of [429, 503]) {
  it(`says busy at once when the platform refuses a browser with ${status}`, async () => {
    freshPool();
    browser.fail("acquire", status);

    const outcome = await pool.renderTwice(job("<p>x</p>"));

    expect(outcome).toEqual({ status: "no_capacity", retryAfterSeconds: 10 });
  });
}

it("fails inside the budget when the browser fails at every try", async () => {
  freshPool();
  browser.fail("Page.printToPDF", "drop", 2);

  const outcome = await pool.renderTwice(job("<p>x</p>"));

  expect(outcome.status).toBe("crashed");
  expect(browser.acquired).toHaveLength(2);
});

it("notices a page whose process ends, long before the deadline", async () => {
  freshPool();
  const accountId = crypto.randomUUID();
  await pool.render(job("<p>warm</p>", { accountId }));
  browser.fail("Page.setDocumentContent", "crash");
  const startedMs = Date.now();

  const outcome = await pool.renderTwice(job("<p>x</p>", { accountId }));

  expect(outcome.status).toBe("rendered");
  expect(Date.now() - startedMs).toBeLessThan(10_000);
});

it("takes no file for stored that could not be put", async () => {
  freshPool();
  const puts = [() => Promise.reject(new Error("R2 is down"))];
  const failing = testPool(browser, { store: async (_, __, metadata) => (await puts.pop()?.()) ?? metadata });

  const outcome = await failing.render(job("<p>x</p>"));

  expect(outcome).toEqual({ status: "crashed", reason: "the file could not be stored" });
  expect(await failing.render(job("<p>x</p>"))).toMatchObject({ status: "rendered" });
  await failing.closeIfIdle(0);
});

it("takes back the session that a predecessor left", async () => {
  freshPool();
  await pool.render(job("<p>x</p>"));
  const [sessionId] = browser.acquired;

  const memory = { load: async () => sessionId, save: async () => {} };
  const successor = testPool(browser, { memory });
  const outcome = await successor.render(job("<p>x</p>"));

  expect(outcome.status).toBe("rendered");
  expect(browser.acquired).toEqual([sessionId]);
  await successor.closeIfIdle(0);
});
