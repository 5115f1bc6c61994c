// Tests that a document cannot see any data of another tenant or of the previous document.
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import type { RenderJob } from "colophon-render/render-job";
import { faultyBrowser, type Alteration } from "../fixtures/faulty-browser.ts";
import { job, testPool, type TestPool } from "../fixtures/pool.ts";

const limits = { concurrentPages: 3, maxPages: 4, queueLength: 64, maxRendersPerSession: 1000 };

/** A function that runs in a page. It searches for traces of earlier documents, and leaves `mark` wherever it can. */
const searchAndMark = `async (mark) => {
    const found = {};
    const look = async (where, read) => { try { found[where] = String(JSON.stringify(await read())); } catch (error) { found[where] = "refused"; } };
    await look("markup", () => document.documentElement.outerHTML);
    await look("named", () => [...document.querySelectorAll("[id],[name]")].map((e) => e.id || e.getAttribute("name")));
    await look("globals", () => Object.keys(window).filter((key) => key.startsWith("mark")));
    await look("window", () => [window.name, history.state, history.length, location.href, document.referrer]);
    await look("fonts", () => [...document.fonts].map((font) => font.family));
    await look("sheets", () => [...document.styleSheets, ...document.adoptedStyleSheets].flatMap((s) => [...s.cssRules].map((r) => r.cssText)));
    await look("properties", () => [...document.documentElement.computedStyleMap()].map(String).filter((p) => p.startsWith("--")));
    await look("visited", () => getComputedStyle(document.querySelector("a")).color);
    await look("cookies", () => document.cookie);
    await look("local", () => ({ ...localStorage }));
    await look("session", () => ({ ...sessionStorage }));
    await look("databases", () => indexedDB.databases());
    await look("caches", () => caches.keys());
    await look("frames", () => frames.length);
    await look("timing", () => performance.getEntries().map((entry) => entry.name));
    await look("locks", () => navigator.locks.query());
    await look("scroll", () => [scrollX, scrollY, document.activeElement?.tagName]);
    const leave = (write) => { try { write(); } catch {} };
    leave(() => (window.name = mark));
    leave(() => (window["mark-" + mark] = true));
    leave(() => (document.cookie = "mark=" + mark + "; max-age=9999"));
    leave(() => (localStorage.mark = mark));
    leave(() => (sessionStorage.mark = mark));
    leave(() => indexedDB.open(mark));
    leave(() => caches.open(mark));
    leave(() => history.replaceState(mark, ""));
    leave(() => document.fonts.add(new FontFace(mark, "url(data:,)")));
    leave(() => (document.adoptedStyleSheets = [Object.assign(new CSSStyleSheet(), { title: mark })]));
    leave(() => navigator.locks.request(mark, () => new Promise(() => {})));
    leave(() => performance.mark(mark));
    return found;
  }`;

/** Leaves scripts enabled, and searches the page for traces after the page script has run. The findings, in numbered pieces, replace the warnings. */
const spying: Alteration = (command) => {
  if (command.method === "Emulation.setScriptExecutionDisabled") return null;
  if (command.method !== "Runtime.callFunctionOn") return command;
  const { functionDeclaration: pageScript } = command.params as { functionDeclaration: string };
  const spied = `async function (input) { const preparation = await (${pageScript}).call(this, input); const mark = document.querySelector("[data-mark]").dataset.mark; const found = await (${searchAndMark})(mark.replace("round", "script"));
    const warnings = JSON.stringify(found).match(/.{1,900}/gs).map((piece, index) => index + ":" + piece);
    return { ...preparation, prepared: { ...preparation.prepared, warnings } }; }`;
  return { ...command, params: { ...command.params, functionDeclaration: spied } };
};

const markOf = (tenant: number, round: number) => `tenant${tenant}round${round}end`;

function marked(tenant: number, round: number): RenderJob {
  const mark = markOf(tenant, round);
  const pixel = `data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg'><title>${mark}</title></svg>`;
  return job(
    `<style>:root{--${mark}:1}@font-face{font-family:${mark};src:url(data:,)}p{font-family:${mark}}</style>
     <p id="${mark}" data-mark="${mark}">x</p><form name="${mark}"></form><img name="${mark}" src="${pixel}"><a href="https://${mark}.test/">x</a>`,
    { accountId: `account-${tenant}`, format: round % 2 ? "pdf" : "png" },
  );
}

it("a document sees nothing of another tenant or of an earlier document, even with scripts enabled", async () => {
  const pool = testPool(faultyBrowser(env.BROWSER, spying), { settings: limits });
  const jobs = Array.from({ length: 48 }, (_, i) => ({ tenant: (i * 7) % 5, round: i }));

  const outcomes = await Promise.all(
    jobs.map(async ({ tenant, round }) => ({ tenant, round, outcome: await pool.render(marked(tenant, round)) })),
  );

  for (const { tenant, round, outcome } of outcomes) {
    expect(outcome.status, JSON.stringify(pool.logged)).toBe("rendered");
    for (const [where, content] of Object.entries(foundBy(outcome))) {
      const marks = content.match(/tenant\d+(round|script)\d+end/g) ?? [];
      expect(
        marks.filter((mark) => !mark.startsWith(`tenant${tenant}`)),
        where,
      ).toEqual([]);
      // Marks of the same account that a script left are ignored, because scripts run only in this test.
      const others = marks.filter((mark) => mark.includes("round") && mark !== markOf(tenant, round));
      expect(others, where).toEqual([]);
    }
    expect(foundBy(outcome)["markup"]).toContain(markOf(tenant, round));
  }
  await pool.closeIfIdle(0);
});

function foundBy(outcome: Awaited<ReturnType<TestPool["render"]>>): Record<string, string> {
  if (outcome.status !== "rendered") throw new Error(outcome.status);
  const found = outcome.warnings.map((warning) => warning.slice(warning.indexOf(":") + 1)).join("");
  return JSON.parse(found) as Record<string, string>;
}

it("a page is used for one account only", async () => {
  const accountsOf = new Map<string, Set<string>>();
  let [open, most] = [0, 0];
  const browser = faultyBrowser(env.BROWSER, (command) => {
    const tenant = /tenant\d+/.exec(JSON.stringify(command.params ?? {}))?.[0];
    const page = String(command.sessionId);
    if (tenant) accountsOf.set(page, (accountsOf.get(page) ?? new Set()).add(tenant));
    if (command.method === "Target.createBrowserContext") most = Math.max(most, ++open);
    if (command.method === "Target.disposeBrowserContext") open--;
    return command;
  });
  const pool = testPool(browser, { settings: limits });

  await Promise.all(Array.from({ length: 60 }, (_, i) => pool.render(marked((i * 7) % 11, i))));

  expect(accountsOf.size).toBeGreaterThan(10);
  for (const accounts of accountsOf.values()) expect(accounts.size).toBe(1);
  expect(most).toBeGreaterThanOrEqual(limits.concurrentPages);
  expect(most).toBeLessThanOrEqual(limits.maxPages);
  await pool.closeIfIdle(0);
});

const predecessors: Record<string, Partial<RenderJob> & { markup: string }> = {
  "other styles": { markup: "<style>*{color:red!important;font-size:50px}@page{size:A6;margin:0}</style><p>x</p>" },
  "a font of the same name": {
    markup: "<style>@font-face{font-family:'Open Sans';src:local('none'),url(data:font/woff2,x)}</style><p>x</p>",
  },
  "another viewport and density": { markup: "<p>x</p>", format: "png", deviceScaleFactor: 3 },
  "a focused, scrolled page": {
    markup: `<div style="height:9000px"></div><input autofocus id="f"><dialog open>x</dialog><a id="x" href="#f">x</a>`,
  },
  "broken markup": { markup: "</section></body></html><!-- <script> <svg><template><b><table><frameset>" },
  "a base URL and a direction": {
    markup: `<base href="https://x.test/"><html lang="ar" dir="rtl"><title>t</title>`,
  },
  "counters and zoom": {
    markup: "<style>html{counter-reset:page 99;zoom:2}body{writing-mode:vertical-rl}</style>",
  },
};

/** Returns the file without its dates and identifier, which differ between files. */
function withoutTime(bytes: Uint8Array): string {
  return new TextDecoder("latin1").decode(bytes).replace(/\(D:\d{14}[^)]*\)|\/ID \[[^\]]*\]/g, "");
}

for (const format of ["png", "pdf"] as const) {
  it(`renders the same bytes after an earlier document of the account as on a fresh page (${format})`, async () => {
    const accountId = "one";
    const page = job("<h1>The next</h1><p>document of the account</p><ul><li>x</ul>", { accountId, format });
    const rendered = async (pool: TestPool, fileKey: string) => {
      await pool.render({ ...page, fileKey });
      return withoutTime(pool.files.get(fileKey) ?? new Uint8Array());
    };
    const fresh = testPool(env.BROWSER);
    const expected = await rendered(fresh, "fresh");
    const used = testPool(env.BROWSER);
    expect(expected.length).toBeGreaterThan(1_000);

    for (const [name, { markup, ...rest }] of Object.entries(predecessors)) {
      expect(await used.render(job(markup, { accountId, ...rest })), name).toMatchObject({ status: "rendered" });
      expect((await rendered(used, name)) === expected, name).toBe(true);
    }
    await Promise.all([fresh.closeIfIdle(0), used.closeIfIdle(0)]);
  });
}
