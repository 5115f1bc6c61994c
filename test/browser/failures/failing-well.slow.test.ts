// Tests with a real browser that the pool recovers when Chromium, puppeteer or the platform's API fails. The tests in
// test/objects/rendering use fake browsers, and cover the pool's actions after each failure.
import { env } from "cloudflare:workers";
import { afterEach, expect, it } from "vitest";
import type { RenderJob, RenderOutcome } from "colophon-render/render-job";
import { faultyBrowser, type Failure, type FaultyBrowser } from "../fixtures/faulty-browser.ts";
import { job, runningSessions, testPool, type TestPool } from "../fixtures/pool.ts";

let browser: FaultyBrowser;
let pool: TestPool;

function freshPool(parts: Parameters<typeof testPool>[1] = {}): void {
  browser = faultyBrowser(env.BROWSER);
  pool = testPool(browser, parts);
}

/** Renders the job. Retries once after a crash, in the remaining time, as `renderDocument` does. The pool never retries. */
async function renderTwice(job: RenderJob): Promise<RenderOutcome> {
  const deadlineMs = Date.now() + job.timeoutMs;
  const first = await pool.render(job);
  return first.status === "crashed" ? pool.render({ ...job, timeoutMs: deadlineMs - Date.now() }) : first;
}

/** Asserts that the pool still renders after each test, and that no browser is left after the pool has closed. */
afterEach(async () => {
  expect(await renderTwice(job("<p>afterwards</p>")), JSON.stringify(pool.logged)).toMatchObject({
    status: "rendered",
  });
  await expect.poll(() => pool.closeIfIdle(0), { timeout: 20_000 }).toBe(true);
  await expect.poll(runningSessions, { timeout: 20_000 }).toEqual([]);
  expect(pool.remembered()).toEqual([]);
}, 40_000);

/** Each kind of failure once, at each step that leaves different traces. */
const survived: [string, Failure][] = [
  ["acquire", "stall"],
  ["acquire", 500],
  ["connect", "stall"],
  ["Target.createTarget", "hang"],
  ["Target.attachToTarget", "drop"],
  ["Fetch.enable", "stall"],
  ["Page.printToPDF", "error"],
  ["IO.read", "drop"],
];

for (const [step, failure] of survived) {
  it(`renders, with at most one retry, when ${step} fails once (${failure})`, async () => {
    freshPool();
    browser.fail(step, failure);
    const document = job("<p>x</p>");

    const outcome = await renderTwice(document);

    expect(outcome, JSON.stringify(pool.logged)).toMatchObject({ status: "rendered", pageCount: 1 });
    expect([...pool.files.keys()]).toEqual([document.fileKey]);
  });
}

for (const step of ["Page.setDocumentContent", "IO.read"]) {
  it(`times out at the deadline when the page never responds to ${step}, and stores no file`, async () => {
    freshPool();
    browser.fail(step, "stall");

    const outcome = await renderTwice(job("<p>x</p>", { timeoutMs: 3_000 }));

    expect(outcome).toEqual({ status: "timed_out" });
    expect(pool.files.size).toBe(0);
  });
}

it("a render reports no capacity when the platform refuses a browser and too little time remains", async () => {
  freshPool();
  browser.fail("acquire", 429);

  const outcome = await renderTwice(job("<p>x</p>", { timeoutMs: 6_000 }));

  expect(outcome).toEqual({ status: "no_capacity", retryAfterSeconds: 2 });
});

it("a render reports a crash when the browser fails in both attempts", async () => {
  freshPool();
  browser.fail("Page.printToPDF", "drop", 2);

  const outcome = await renderTwice(job("<p>x</p>"));

  expect(outcome.status).toBe("crashed");
  expect(browser.acquired).toHaveLength(2);
});

it("a render is retried when the process of its page crashes", async () => {
  freshPool();
  const accountId = crypto.randomUUID();
  await pool.render(job("<p>warm</p>", { accountId }));
  browser.fail("Page.setDocumentContent", "crash");

  const outcome = await renderTwice(job("<p>x</p>", { accountId }));

  expect(outcome.status).toBe("rendered");
});
