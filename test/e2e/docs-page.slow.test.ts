// The reference page of a running service: its headers over HTTP, and its use in a real browser.
import type { Browser, Page } from "puppeteer-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { launchChromium } from "./local-chromium.ts";
import { read, startService, type RunningService } from "./service.ts";

let service: RunningService;
let browser: Browser;

beforeAll(async () => {
  [service, browser] = await Promise.all([startService(), launchChromium()]);
}, 120_000);

afterAll(() => Promise.all([service.stop(), browser.close()]));

// The files and their policy are tested in test/cli/assets. This test checks that the platform sends both as `_headers` says.
it("the pages are served with their policy, their files as immutable, and no other files of the folder", async () => {
  const get = (path: string) => fetch(service.origin + path);
  const pages = await Promise.all(["/docs", "/docs/templates"].map(get));
  const html = (await pages[0]?.text()) ?? "";
  const files = Array.from(html.matchAll(/(?:src|href)="(\/assets\/[^"]*)"/g), ([, path = ""]) => path);
  const responses = await Promise.all(files.map(get));
  const others = await Promise.all(["/assets/", "/docs/nothing", "/_headers", "/_redirects"].map(get));

  for (const { headers } of pages)
    expect(Object.fromEntries(headers)).toMatchObject({
      "content-type": "text/html; charset=utf-8",
      "cache-control": "public, max-age=0, must-revalidate",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
      "content-security-policy": expect.stringMatching(/^default-src 'none'; script-src 'self'; connect-src 'self';/),
    });
  expect(responses.map(({ status, headers }) => [status, headers.get("Cache-Control")])).toEqual(
    files.map(() => [200, "public, max-age=31536000, immutable"]),
  );
  expect(files).toHaveLength(3);
  for (const response of others) expect(await response.json()).toMatchObject({ error: { code: "NOT_FOUND" } });
});

type Visit = {
  page: Page;
  /** The URLs of all requests that the page has made or tried to make. */
  requested: string[];
  /** Violations of the content security policy, and other errors of the page. */
  problems: string[];
};

type Reader = { width: number; scheme: "light" | "dark" };

/** Opens the page as a reader with this window and these settings, and waits until the reference is displayed. */
async function visit({ width, scheme }: Reader): Promise<Visit> {
  // Cookies and storage are separate in each context.
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  const [requested, problems]: [string[], string[]] = [[], []];
  page.on("request", (request) => requested.push(request.url()));
  page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
  page.on("pageerror", (error) => problems.push(String(error)));
  await page.evaluateOnNewDocument(
    `document.addEventListener("securitypolicyviolation", (event) => console.error(event.violatedDirective, event.blockedURI));`,
  );
  await page.setViewport({ width, height: 900 });
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
  await page.goto(`${service.origin}/docs`);
  await page.waitForSelector("#reference h1", { timeout: 60_000 });
  await page.waitForSelector(keyField);
  return { page, requested, problems };
}

const keyField = 'input[placeholder="Token"]';

/** Clicks the first visible button whose text begins like this, as soon as it exists. */
async function clickButton(page: Page, text: string): Promise<void> {
  const button = await page.waitForSelector(`::-p-xpath(//button[starts-with(normalize-space(.), "${text}")])`, {
    visible: true,
    timeout: 30_000,
  });
  await button?.click();
}

/** Sends a request to create a document from the page, with this key and body. Returns the response. */
async function createFromPage(page: Page, key: string, body: object) {
  await page.type(keyField, key);
  await clickButton(page, "Test Request");
  const editor = await page.waitForSelector(".scalar-client .cm-content", { visible: true, timeout: 30_000 });
  await editor?.click();
  await page.keyboard.down("Control");
  await page.keyboard.press("a");
  await page.keyboard.up("Control");
  await page.keyboard.sendCharacter(JSON.stringify(body));
  const responded = page.waitForResponse(
    (response) => response.url().endsWith("/documents") && response.request().method() === "POST",
    { timeout: 60_000 },
  );
  await clickButton(page, "Send");
  return responded;
}

/** Returns everything that the page has stored in the browser. */
async function storedBy(page: Page): Promise<unknown[]> {
  const stored = (await page.evaluate(
    "Promise.all([indexedDB.databases(), caches.keys()]).then((found) => [...Object.entries(localStorage), ...Object.entries(sessionStorage), ...found.flat()])",
  )) as unknown[];
  return [...stored, ...(await page.browserContext().cookies())];
}

it.each([
  { width: 1440, scheme: "light", background: "rgb(244, 244, 242)" },
  { width: 390, scheme: "dark", background: "rgb(27, 28, 30)" },
] as const)("the page in a browser fits a window of $width px and is $scheme if the reader asks", async (reader) => {
  const { page, problems } = await visit(reader);

  expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(reader.width);
  expect(await page.evaluate("getComputedStyle(document.body).backgroundColor")).toBe(reader.background);
  expect(problems).toEqual([]);
});

it("the reference page creates a document with the reader's key, stores nothing, and reaches no other host", async () => {
  const account = { key: service.demoKey };
  const { templates } = await read<{ templates: { id: string; title: string }[] }>(service, account, "/templates");
  const templateId = templates.find(({ title }) => /label/i.test(title))?.id ?? "";
  const detail = await read<{ sampleData: object }>(service, account, `/templates/${templateId}`);
  const { page, requested, problems } = await visit({ width: 1440, scheme: "light" });

  const response = await createFromPage(page, service.demoKey, { templateId, data: detail.sampleData });

  expect(response.status()).toBe(201);
  const { data } = (await response.json()) as { data: { pdfUrl: string } };
  expect(Buffer.from(await (await fetch(data.pdfUrl)).arrayBuffer()).subarray(0, 5)).toEqual(Buffer.from("%PDF-"));
  expect(response.request().headers()["authorization"]).toBe(`Bearer ${service.demoKey}`);
  expect(requested.filter((url) => new URL(url).origin !== service.origin)).toEqual([]);
  expect(requested.join()).not.toContain(service.demoKey);
  expect(problems).toEqual([]);
  expect(await storedBy(page)).toEqual([]);
  await page.reload();
  expect(await page.waitForSelector(keyField).then((field) => field?.evaluate((input) => input.value))).toBe("");
});

it("the reference page sends only filters that the reader has chosen", async () => {
  const { page } = await visit({ width: 1440, scheme: "light" });
  await page.type(keyField, service.demoKey);
  const link = await page.waitForSelector('::-p-xpath(//a[starts-with(normalize-space(.), "List documents")])');
  await link?.click();
  await clickButton(page, "Test Request(get /documents)");
  const listed = page.waitForResponse((response) => new URL(response.url()).pathname === "/api/v1/documents");

  await clickButton(page, "Send");

  const response = await listed;
  expect([response.status(), new URL(response.url()).search]).toEqual([200, "?limit=20"]);
});
