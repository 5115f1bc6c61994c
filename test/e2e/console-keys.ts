// How the console treats keys: keys in the address, refused keys, and keys without all scopes.
import type { Page } from "puppeteer-core";
import { expect, it } from "vitest";
import { world } from "./console-reader.ts";

it("a key is removed from the address and the history before the first request, and is sent only to the service", async () => {
  const { filled, running } = world;
  const { page, requested } = await world.open(filled.key);

  const addresses = (await page.evaluate("window.addresses")) as string[];

  expect(addresses.length).toBeGreaterThan(0);
  expect(addresses.join()).not.toContain(filled.key);
  expect(await historyOf(page)).not.toContain(filled.key);
  // A fragment is not sent.
  expect(requested.map(({ url }) => url.replace(/#.*/, "")).join()).not.toContain(filled.key);
  const withKey = requested.filter(({ key }) => key !== undefined);
  expect(new Set(withKey.map(({ url }) => new URL(url).origin))).toEqual(new Set([running.service.origin]));
});

it("a key replaces the previous key only if the reader, who sees its id, agrees", async () => {
  const { filled, hostile } = world;
  const { page, settled, show, text } = await world.open(hostile.key);
  const [, id] = /_([0-9a-f]{16})_/.exec(filled.key) ?? [];
  const follow = async (agrees: boolean) => {
    await page.evaluate(`globalThis.confirm = (message) => ((globalThis.asked = message), ${agrees})`);
    await page.evaluate(`location.hash = ${JSON.stringify(`#key=${filled.key}&utm=1`)}`);
    await page.waitForFunction("!location.hash.includes('key')");
    await settled();
    await show("/templates");
    return text();
  };

  const [declined, accepted] = [await follow(false), await follow(true)];

  expect(await page.evaluate("globalThis.asked")).toContain(`the key ${id}, replacing the current key`);
  expect(declined).not.toContain("letter");
  expect(accepted).toContain("letter");
  expect(await historyOf(page)).not.toContain(filled.key);
});

it("a key is stored only for the session of the tab, and nothing else is stored", async () => {
  const { filled } = world;
  const { page, show } = await world.open(filled.key);
  await show(`/documents/${filled.completed}`);

  const stored = await page.evaluate(
    "Promise.all([indexedDB.databases(), caches.keys()]).then((found) => [...Object.entries(localStorage), ...found.flat()])",
  );

  expect([stored, await page.browserContext().cookies()]).toEqual([[], []]);
  expect(await page.evaluate("Object.values(sessionStorage)")).toEqual([filled.key]);
});

it.each([
  ["unknown", "colophon_0123456789abcdef_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA_AAAAA", "INVALID_API_KEY"],
  ["of no kind", "secret", "INVALID_API_KEY"],
  ["not ASCII", "<img src=x onerror=alert(1)>é", "NOT_A_KEY"],
])("a key that is %s shows the problem and nothing else", async (_, key, code) => {
  const reader = await world.open(key);

  expect(await reader.text()).toContain(code);
  expect(await reader.page.$$eval("main > *", (elements) => elements.map(({ tagName }) => tagName))).toEqual([
    ...["H1", "P", "FORM"],
    ...(code === "INVALID_API_KEY" ? ["P"] : []),
    "DIV",
  ]);
  expect(await reader.page.evaluate("sessionStorage.length")).toBe(0);
});

it("a key that is revoked while the console is open shows no further data", async () => {
  const { filled } = world;
  const { key, id } = await filled.call<{ key: string; id: string }>("POST", "/manage/v1/keys", { name: "short" });
  const reader = await world.open(key);
  await reader.show("/documents");
  await filled.call("DELETE", `/manage/v1/keys/${id}`);

  await reader.show("/keys");

  expect(await reader.text()).toContain("INVALID_API_KEY");
  expect(await reader.page.evaluate("document.querySelectorAll('table, nav').length")).toBe(0);
  expect(await reader.page.evaluate("sessionStorage.length")).toBe(0);
});

it("a key without a scope shows INSUFFICIENT_SCOPE where the scope is needed, and works elsewhere", async () => {
  const { filled } = world;
  const { key } = await filled.call<{ key: string }>("POST", "/manage/v1/keys", {
    name: "reads documents",
    scopes: ["documents:read"],
  });
  const reader = await world.open(key);
  const texts: Record<string, string> = {};

  for (const place of ["overview", "documents", `documents/${filled.failed}`, "batches", "keys", "events"]) {
    await reader.show(`/${place}`);
    texts[place] = await reader.text();
  }

  const lacking = Object.keys(texts).filter((place) => texts[place]?.includes("INSUFFICIENT_SCOPE"));
  expect(lacking).toEqual(["overview", `documents/${filled.failed}`, "keys", "events"]);
  expect(texts["documents"]).toContain("invoice-1017");
  expect(texts["overview"]).toContain("divided_by");
  expect(texts[`documents/${filled.failed}`]).toContain("RENDER_FAILED");
  expect(texts["keys"]).toMatch(/request id/i);
});

/** The addresses in the history of the tab. */
async function historyOf(page: Page): Promise<string> {
  const session = await page.createCDPSession();
  const { entries } = await session.send("Page.getNavigationHistory");
  return entries.map(({ url }) => url).join();
}
