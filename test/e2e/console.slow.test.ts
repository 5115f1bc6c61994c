// The console of a running service in a real browser: the appearance of its pages, who sees which data, and what a reader can
// do.
import { gzipSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { fillAccount, fillWithHostileTexts, newOwner, startConsoleService, type Filled } from "./console-accounts.ts";
import "./console-keys.ts";
import "./console-actions.ts";
import "./console-keyboard.ts";
import { flaws, modes, openConsole, unfold, violations, world, type Reader } from "./console-reader.ts";
import { launchChromium } from "./local-chromium.ts";

beforeAll(async () => {
  const [running, browser] = await Promise.all([startConsoleService(), launchChromium()]);
  const [empty, filled] = await Promise.all([newOwner(running, "Nothing yet"), fillAccount(running)]);
  const hostile = await fillWithHostileTexts(running);
  const open = (key: string | null) => openConsole(browser, running.service.origin, key);
  Object.assign(world, { running, browser, empty, filled, hostile, open });
}, 120_000);

/** Pages that stay open use processor time. */
afterEach(async () => {
  const contexts = world.browser.browserContexts().filter(({ id }) => id !== undefined);
  await Promise.all(contexts.map((context) => context.close()));
});

afterAll(() => Promise.all([world.running.stop(), world.browser.close()]));

/** The pages of an account, and one page for each type of resource that it has. */
function placesOf(filled: Filled | null, base = ""): string[] {
  const lists = ["overview", "documents", "documents?status=failed&format=pdf", "templates", "batches", "webhooks"];
  const places = [...lists, "webhooks?status=dead", "keys", "events", "documents/none", "nothing"];
  if (filled) {
    const { completed, image, failed, template, batch, dead } = filled;
    places.push(...[completed, image, failed].map((id) => `documents/${id}`));
    places.push(...["", "/versions", "/push", "/usage"].map((tab) => `templates/${template}${tab}`));
    places.push(`batches/${batch}`, `webhooks/${dead}`);
  }
  return places.map((place) => `${base}/${place}`);
}

/** Visits these pages in every mode, and returns their problems. */
async function problemsOf(reader: Reader, places: string[]): Promise<string[]> {
  const found: string[] = [];
  for (const place of places) {
    await reader.show(place);
    await unfold(reader);
    for (const mode of modes) {
      await reader.use(mode);
      // Of everything tested, only the contrast depends on the colour scheme.
      const isDark = mode.scheme === "dark";
      const problems = await violations(reader, isDark ? ["color-contrast"] : undefined);
      if (!isDark) problems.push(...(await flaws(reader)));
      found.push(...problems.map((problem) => `${place} ${mode.width} ${mode.scheme}: ${problem}`));
    }
  }
  // A missing document is shown as a problem, and the browser also reports the response status.
  const problems = reader.problems.filter((problem) => !problem.includes("status of 404"));
  return [...found, ...problems, ...strangeRequests(reader)];
}

/**
 * Returns whether the text after an account's name is displayed after it. If the name changes its own text direction, it could
 * be inside.
 */
const isPlanBehindName = `{
  const name = document.querySelector("main strong");
  const range = document.createRange();
  range.selectNodeContents(name.parentElement);
  range.setStartAfter(name);
  range.getBoundingClientRect().left >= name.getBoundingClientRect().right - 1
}`;

/** The console requests only its own files and the two APIs. Images of pages and files are data of the page. */
function strangeRequests({ requested }: Reader): string[] {
  const { origin } = world.running.service;
  const isOwn = (url: string) =>
    /^(data|blob):/.test(url) ||
    ["/console", "/assets/console/", "/api/"].some((path) => url.startsWith(origin + path));
  return requested.filter(({ url }) => !isOwn(url)).map(({ url }) => `requested ${url}`);
}

it("the console is complete and accessible for an account without any data, on a desktop and a phone, light and dark", async () => {
  const reader = await world.open(world.empty.key);

  expect(await problemsOf(reader, placesOf(null))).toEqual([]);
});

it("the console is complete and accessible for an account with some data of every kind, on a desktop and a phone, light and dark", async () => {
  const reader = await world.open(world.filled.key);

  expect(await problemsOf(reader, placesOf(world.filled))).toEqual([]);
});

it("the console shows hostile texts of an account as text, on a desktop and a phone, light and dark", async () => {
  const reader = await world.open(world.hostile.key);

  expect(await problemsOf(reader, placesOf(world.hostile))).toEqual([]);
  await reader.show(`/documents/${world.hostile.failed}`);
  expect(await reader.text()).toContain(`<img src=x onerror="alert('image')"><script>alert("script")</script>`);
});

it("the console is complete and accessible for the operator, even with hostile texts, on a desktop and a phone, light and dark", async () => {
  const reader = await world.open(world.running.operatorKey);
  const { hostile, filled } = world;
  const { id, failed, template, dead } = hostile;
  const pages = [
    "",
    "/documents",
    `/documents/${failed}`,
    `/templates/${template}`,
    `/webhooks/${dead}`,
    "/keys",
    "/events",
  ];
  const ofHostile = pages.map((page) => `/accounts/${id}${page}`);
  const places = ["/accounts", "/plans", `/accounts/${filled.id}`, ...ofHostile];

  expect(await problemsOf(reader, places)).toEqual([]);
  await reader.use({ width: 1280, scheme: "light" });
  await reader.show(`/accounts/${hostile.id}/webhooks/${hostile.dead}`);
  expect(await reader.page.evaluate(isPlanBehindName)).toBe(true);
  expect(await reader.text()).toContain(`<script>alert("response")</script>`);
});

it("the console is complete and accessible for a reader without a key, on a desktop and a phone, light and dark", async () => {
  const reader = await world.open(null);

  expect(await problemsOf(reader, ["/", "/documents"])).toEqual([]);
});

it("the script of the console takes less than 100 kB when it is compressed", async () => {
  const { origin } = world.running.service;
  const html = await (await fetch(`${origin}/console`)).text();
  const [, script = ""] = /src="([^"]+)"/.exec(html) ?? [];

  const bytes = await (await fetch(new URL(script, `${origin}/console`))).arrayBuffer();

  expect(bytes.byteLength).toBeGreaterThan(20_000);
  expect(gzipSync(Buffer.from(bytes)).byteLength).toBeLessThan(100_000);
});
