// A reader's actions in the console: follows links, previews, pushes and rolls back templates, and cancels batches.
import { randomUUID } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { extractText } from "unpdf";
import { afterAll, beforeAll, expect, it } from "vitest";
import { failedDocument, importDocuments, letterFiles, newOwner, until } from "./console-accounts.ts";
import { world, type Reader } from "./console-reader.ts";

let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "colophon-console-"));
});

afterAll(() => rm(directory, { recursive: true, force: true }));

it("a link to a document in the console shows the document after the key was pasted", async () => {
  const { filled } = world;
  const reader = await world.open(null);
  await reader.show(`/documents/${filled.failed}`);

  await reader.page.type("input[name=key]", filled.key);
  await reader.press("Open the console");

  // The overview also lists the document, but without the code.
  expect(await reader.text()).toMatch(/RENDER_FAILED[^]*divided_by/);
});

it("a link to a template in the console shows the template by its name when the tab is loaded again", async () => {
  const reader = await world.open(world.filled.key);
  await reader.show("/templates/letter/versions");

  await reader.page.reload();
  await reader.settled();

  expect(await reader.text()).toContain("Roll back");
});

it("a preview is rendered from the form and from JSON with a test key, and does not count", async () => {
  const { filled } = world;
  const used = () => filled.call<{ used: number }>("GET", "/v1/usage").then((usage) => usage.used);
  const before = await used();
  const reader = await world.open(filled.key);
  await reader.show("/templates/letter");

  const name = await reader.page.waitForSelector("::-p-aria(Name of the reader (required))");
  await name?.click({ count: 3 });
  await name?.type("Grace");
  const byForm = await renderedText(reader);
  await writeJson(reader, '{ "name": "Alan", "divisor": 5 }');
  const byJson = await renderedText(reader);

  expect(byForm).toContain("Grace");
  expect(byJson).toMatch(/Alan[^]*2/);
  expect(await used()).toBe(before);
});

it("a preview keeps the reader's data while another part of the template is shown", async () => {
  const reader = await world.open(world.filled.key);
  await reader.show("/templates/letter");
  await writeJson(reader, '{ "name": "Barbara", "divisor": 5 }');

  await reader.press("Versions");
  await reader.press("Preview");

  expect(await renderedText(reader)).toContain("Barbara");
});

it("a preview with a live key says that it counts", async () => {
  const reader = await world.open(world.filled.key);
  await reader.show("/templates/letter");

  const key = await reader.page.waitForSelector("::-p-aria([name='Key'][role='combobox'])");
  await key?.select("my live key");

  await until(async () => (await reader.text()).includes("counts against the monthly allowance"));
});

it("a preview whose data lacks a field shows the code, the field and the request id", async () => {
  const reader = await world.open(world.filled.key);
  await reader.show("/templates/letter");
  await writeJson(reader, "{}");

  await reader.press("Render");

  expect(await reader.text()).toMatch(/MISSING_FIELD[^]*name[^]*Request id\s+\w{8}-/);
});

async function writeJson(reader: Reader, json: string): Promise<void> {
  await reader.press("JSON");
  await reader.page.evaluate("document.querySelector('textarea.json').select()");
  await reader.page.keyboard.sendCharacter(json);
}

/** Renders the preview, and returns the text of the file that the page shows. */
async function renderedText(reader: Reader): Promise<string> {
  await reader.press("Render");
  const bytes = (await reader.page.evaluate(
    "window.shownBlob.arrayBuffer().then((bytes) => [...new Uint8Array(bytes)])",
  )) as number[];
  const { text } = await extractText(new Uint8Array(bytes));
  return text.join("\n");
}

it("a reader sees the problems of a folder at their lines, pushes it, and compares and restores versions", async () => {
  const { empty } = world;
  const reader = await world.open(empty.key);
  await reader.show("/templates");

  await choose(
    reader,
    await folder(directory, { ...letterFiles(), "pages/1.liquid": "<p>\n{{ name | shout }}\n</p>" }),
  );
  const refused = await reader.text();
  await choose(
    reader,
    await folder(directory, {
      ...letterFiles("Good morning,"),
      "pages/1.liquid": '<h1 onclick="x">Good morning,</h1>',
    }),
  );
  const shown = await reader.text();
  await reader.press("Push");
  const pushed = await reader.text();
  const other = {
    ...letterFiles("Hello"),
    "template.json": '{ "title": "Receipt", "pageSize": "A4", "fields": [] }',
    "sample.json": "{}",
  };
  await choose(reader, await folder(directory, { ...other, "pages/1.liquid": "<h1>Hello</h1>" }));
  await reader.press("Push");
  const asked = await reader.text();
  await reader.press("Push");
  await reader.show("/templates/report/versions");
  const compared = await reader.text();
  await reader.press("Roll back");
  await reader.press("Roll back");

  expect(refused).toMatch(/Nothing was pushed[^]*pages\/1\.liquid:2[^]*shout[^]*\{\{ name \| shout \}\}/);
  expect(shown).toMatch(/creates the template “report”[^]*pages\/1\.liquid:1[^]*onclick/);
  expect(asked).toMatch(/Replace “[^”]+” by “Receipt” from the folder “report”\?/);
  expect(pushed).toContain("Version 1 of “report” was pushed.");
  expect(compared).toMatch(/pages\/1\.liquid\s+changed[^]*−\s*<h1[^>]*>Good morning[^]*\+\s*<h1>Hello/);
  const { version } = await empty.call<{ version: number }>("GET", "/manage/v1/templates/report");
  expect(version).toBe(3);
  await until(async () => (await reader.page.$$("tbody tr")).length === 3);
});

/** Chooses the folder in the field for folders, and waits for the response. */
async function choose(reader: Reader, path: string): Promise<void> {
  const input = await reader.page.$("input[type=file]");
  const responded = reader.page.waitForResponse((response) => response.request().method() === "PUT");
  await input?.uploadFile(path);
  await responded;
  await reader.settled();
}

async function folder(directory: string, sources: Record<string, string>): Promise<string> {
  const path = join(directory, "report");
  for (const [name, text] of Object.entries(sources)) {
    await mkdir(dirname(join(path, name)), { recursive: true });
    await writeFile(join(path, name), text);
  }
  return path;
}

it("a reader sees each reason why a document cannot conform, with its page and its line in the template", async () => {
  const { id: accountId, key, template: templateId } = world.filled;
  const details = [
    { path: "conformance", clause: "7.4.2", page: 3, message: "The level is wrong.", file: "pages/1.liquid", line: 1 },
    { path: "conformance", clause: "6.2.11.8-1", page: 4, message: "A glyph is missing." },
  ];
  const message = "The document cannot conform. See pages/1.liquid, line 1.";
  const error = JSON.stringify({ code: "RENDER_FAILED", message, details });
  const document = failedDocument({ accountId, templateId, createdAt: 1_000_000, templateVersion: 2, error });
  await importDocuments(world.running, accountId, [document]);
  const reader = await world.open(key);

  await reader.show(`/documents/${document.id}`);

  const text = (await reader.text()).replace(/\s+/g, " ");
  expect(text).toContain("pages/1.liquid:1 Page 3: The level is wrong. conformance Page 4: A glyph is missing.");
  expect(text).toContain("<h1>Hello {{ name }}</h1>");
});

it("a reader finds a document beyond the first page of a search", async () => {
  const owner = await newOwner(world.running, "Archive");
  const accountId = owner.id;
  const templateId = randomUUID(); // The template of the documents has been deleted.
  const rows = Array.from({ length: 1_200 }, (_, index) =>
    failedDocument({
      ...{ accountId, templateId, createdAt: Date.now() - index },
      metadata: JSON.stringify({ order: String(index) }),
    }),
  );
  for (let at = 0; at < rows.length; at += 200)
    await importDocuments(world.running, accountId, rows.slice(at, at + 200));
  const reader = await world.open(owner.key);
  await reader.show("/documents?metadata[order]=1100");
  const first = await reader.text();

  await reader.press("Next page");

  expect(first).not.toContain("No document matches the filters");
  expect(await reader.text()).toContain("order: 1100");
});

it("a reader sees why items of a batch failed, and downloads the batch's results", async () => {
  const { filled, browser } = world;
  const reader = await world.open(filled.key);
  const session = await browser.target().createCDPSession();
  const { id: browserContextId } = reader.page.browserContext();
  const to = { behavior: "allow", downloadPath: directory, browserContextId } as const;
  await session.send("Browser.setDownloadBehavior", to);
  await reader.show(`/batches/${filled.batch}`);

  await reader.press("Download the results");

  expect(await reader.text()).toMatch(/2 of 4 completed, 2 failed[^]*row-1[^]*divided_by[^]*row-3[^]*divided_by/);
  const name = `batch-${filled.batch}.ndjson`;
  await until(async () => (await readdir(directory)).includes(name));
  const lines = (await readFile(join(directory, name), "utf8")).trim().split("\n");
  expect(lines.map((line) => (JSON.parse(line) as { customId: string }).customId)).toEqual([
    "row-0",
    "row-1",
    "row-2",
    "row-3",
  ]);
});

it("a reader makes a link to a private file, opens it without a key, ends it, and sees who has downloaded the file", async () => {
  const { filled } = world;
  const reader = await world.open(filled.key);
  await reader.show(`/documents/${filled.completed}`);
  const before = await reader.text();

  const duration = await reader.page.waitForSelector("::-p-aria([name='Valid for'][role='combobox'])");
  await duration?.select("86400");
  await reader.press("New link");
  const made = await reader.text();
  const validUntil = await reader.page.evaluate("document.querySelector('[role=status] time').dateTime");
  const [url = ""] = /http\S+\/links\/\S+/.exec(made) ?? [];
  const opened = await fetch(url);
  await reader.press("End links");
  await reader.press("End links");

  expect(before).not.toMatch(/Public URL|http\S+\/(links|files)\//);
  expect([opened.status, opened.headers.get("Content-Type")]).toEqual([200, "application/pdf"]);
  expect((Date.parse(String(validUntil)) - Date.now()) / 3_600_000).toBeCloseTo(24, 0);
  expect(await reader.text()).toContain("All links that existed have ended.");
  expect((await fetch(url)).status).toBe(404);
  await until(async () => {
    await reader.show("/documents");
    await reader.show(`/documents/${filled.completed}`);
    return /Downloads[^]*a link/.test(await reader.text());
  });
});

it("a reader opens the merged file of a private batch, although the links of the page have been ended", async () => {
  const { filled } = world;
  const reader = await world.open(filled.key);
  await reader.show(`/batches/${filled.batch}`);
  await filled.call("DELETE", `/v1/batches/${filled.batch}/links`);

  await reader.page.evaluate("window.open = (url) => void (window.opened = url)");
  await reader.press(/Open \(2 pages, .+?\)/.exec(await reader.text())?.[0] ?? "");

  const opened = await fetch(String(await reader.page.evaluate("window.opened")));
  expect([opened.status, opened.headers.get("Content-Type")]).toEqual([200, "application/pdf"]);
});

it("a reader cancels a batch, and sees its progress", async () => {
  const { filled } = world;
  const items = Array.from({ length: 200 }, () => ({ data: { name: "Ada" } }));
  const { id } = await filled.call("POST", "/v1/batches", { templateId: filled.template, items });
  const reader = await world.open(filled.key);
  await reader.show(`/batches/${id}`);

  await reader.press("Cancel");
  await reader.press("Cancel");
  await until(async () => (await reader.text()).includes("ended"));

  expect(await reader.text()).toMatch(/\d+ of 200 completed, \d+ canceled/);
});

it("the operator finds the account of a document by its id", async () => {
  const { filled, running } = world;
  const reader = await world.open(running.operatorKey);

  await reader.page.type("input[name=id]", filled.failed);
  await reader.press("Find");

  expect(await reader.text()).toMatch(/Account Acme Print, plan enterprise[^]*RENDER_FAILED[^]*divided_by/);
});

it("the operator sees that an id belongs to nothing", async () => {
  const reader = await world.open(world.running.operatorKey);

  await reader.page.type("input[name=id]", "00000000-0000-4000-8000-000000000000");
  await reader.press("Find");

  expect(await reader.text()).toMatch(/Nothing has the id|NOT_FOUND/);
});
