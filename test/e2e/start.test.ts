import { execFile } from "node:child_process";
import { once } from "node:events";
import { appendFile, cp, mkdtemp, rm, stat } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { extractText, getDocumentProxy } from "unpdf";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createDocument, newAccount, read, startService, type RunningService } from "./service.ts";

type DocumentRecord = {
  id: string;
  status: string;
  pdfUrl: string;
  pageCount: number;
  fileSize: number;
  warnings: string[];
};
type Pushed = { changed: boolean; template: { id: string }; warnings: object[] };
type Listed = { data: { templates: { id: string; title: string; fieldsCount: number }[] } };

const healthSecret = "the-secret-of-the-operator";

let service: RunningService;
let key: string;

beforeAll(async () => {
  service = await startService({ HEALTH_SECRET: healthSecret, WORKER_BUNDLE: "" });
  key = service.demoKey;
}, 120_000);

afterAll(() => service.stop());

function call(path: string, body?: unknown, bearer = key): Promise<Response> {
  return fetch(service.baseUrl + path, {
    method: body === undefined ? "GET" : "POST",
    headers: { Authorization: `Bearer ${bearer}`, "Content-Type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

async function renderSample(
  title: RegExp,
  options: object = {},
): Promise<{ record: DocumentRecord; bytes: Uint8Array }> {
  const { data } = (await (await call("/templates")).json()) as Listed;
  const id = data.templates.find((template) => title.test(template.title))?.id;
  const detail = (await (await call(`/templates/${id}`)).json()) as { data: { sampleData: object } };
  const response = await call("/documents", { templateId: id, data: detail.data.sampleData, ...options });
  const created = (await response.json()) as { data: DocumentRecord };
  expect(response.status, JSON.stringify(created)).toBe(201);
  return { record: created.data, bytes: new Uint8Array(await (await fetch(created.data.pdfUrl)).arrayBuffer()) };
}

async function textOf(pdf: Uint8Array): Promise<string> {
  const { text } = await extractText(await getDocumentProxy(pdf), { mergePages: true });
  return text.normalize("NFKC").replace(/[\s\u200b-\u200f\u202a-\u202e\u2066-\u2069]+/g, "");
}

describe("npm start", () => {
  it("names each step while it starts, because the first start takes a minute", () => {
    const { output } = service;
    const lines = output.slice(0, output.indexOf("Base URL")).trim().split("\n");

    // The log of the Worker is among them.
    expect(lines.filter((line) => !line.startsWith("{"))).toEqual([
      "Preparing the browser",
      expect.stringMatching(/^Building the Worker, the fonts and the pages/),
      "Starting the Worker",
      "Pushing the sample templates to the demo account",
    ]);
  });

  it("prints a curl command that renders a PDF", async () => {
    const line = /^curl .*$/m.exec(service.output)?.[0] ?? "";

    const { stdout } = await promisify(execFile)("sh", ["-c", line]);

    const { success, data } = JSON.parse(stdout) as { success: boolean; data: DocumentRecord };
    expect(success).toBe(true);
    const file = await fetch(data.pdfUrl);
    expect(file.headers.get("Content-Type")).toBe("application/pdf");
    expect(file.headers.get("Cache-Control")).toBe("public, max-age=300");
    expect((await file.arrayBuffer()).byteLength).toBe(data.fileSize);
  });

  it("keeps the demo key in a file that only the owner can read", async () => {
    const { mode } = await stat(join(service.stateDir, "demo.json"));

    expect(mode & 0o777).toBe(0o600);
  });

  it("starts a service that responds to /healthz with the envelope", async () => {
    const response = await fetch(`${service.origin}/healthz`);

    expect(await response.json()).toMatchObject({ success: true, data: { status: "ok" } });
  });

  it("redirects the root to the reference page", async () => {
    const response = await fetch(`${service.origin}/`, { redirect: "manual" });

    expect([response.status, response.headers.get("Location")]).toEqual([302, "/docs"]);
  });

  it("prints what the Worker logs, one JSON object on each line", async () => {
    let printed = "";
    service.process.stdout?.on("data", (chunk: Buffer) => (printed += String(chunk)));

    const requestId = (await call("/templates")).headers.get("X-Request-Id") ?? "";

    const lineOfRequest = () => printed.match(/^.*\n/gm)?.find((line) => line.includes(requestId)) ?? "{}";
    await expect.poll(lineOfRequest, { timeout: 20_000 }).toContain(requestId);
    expect(JSON.parse(lineOfRequest())).toMatchObject({
      level: "info",
      event: "request.ended",
      requestId,
      status: 200,
    });
  });
});

describe("the deep health check", () => {
  const deepCheck = (secret: string) =>
    fetch(`${service.origin}/healthz?deep=1`, { headers: { Authorization: `Bearer ${secret}` } });

  it("finds all parts of the running service well", async () => {
    const response = await deepCheck(healthSecret);

    const ok = { status: "ok" };
    const version = expect.stringMatching(/^(Headless)?Chrome\/\d+\.\d+\.\d+\.\d+$/) as string;
    expect(await response.json()).toMatchObject({
      success: true,
      data: { parts: { database: ok, files: ok, templates: ok, webhookQueue: ok, browser: { ...ok, version } } },
    });
    expect(response.status).toBe(200);
  });

  it("shows that the Worker and the pool run the same version", async () => {
    const { data } = (await (await deepCheck(healthSecret)).json()) as { data: { parts: Record<string, object> } };

    expect(data.parts["worker"]).toMatchObject({ version: expect.stringMatching(/./) });
    expect(data.parts["pool"]).toEqual(data.parts["worker"]);
  });

  it("is refused without the operator's secret", async () => {
    expect((await deepCheck("another-secret-than-that")).status).toBe(401);
  });
});

it.each([
  ["for a wrong key", "documents", "application/json", 401],
  ["for a body that is too large", "documents", "application/json", 413],
  ["for a wrong first line", "batches", "application/x-ndjson", 400],
])("a client that reads only after it has sent everything gets the error %s", async (_why, path, type, status) => {
  const body = '{"wrong":1}\n'.repeat(2_000_000);
  const head = [
    `POST /api/v1/${path} HTTP/1.1`,
    "Host: localhost",
    `Authorization: Bearer ${status === 401 ? "none" : key}`,
    `Content-Type: ${type}`,
    `Content-Length: ${body.length}`,
  ];
  const socket = connect({ port: Number(new URL(service.origin).port), host: "localhost" }).pause();

  await new Promise((resolve, reject) => {
    socket.once("error", reject).write(`${head.join("\r\n")}\r\n\r\n${body}`, resolve);
  });
  const [response] = (await once(socket.resume(), "data")) as [Buffer];

  socket.destroy();
  expect(String(response)).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
});

describe("the sample templates", () => {
  it("include an invoice that renders on two numbered pages", async () => {
    const { record, bytes } = await renderSample(/invoice/i);

    expect(record).toMatchObject({ pageCount: 2, warnings: [] });
    expect(await textOf(bytes)).toMatch(/2\/2|2of2/);
  });

  it("include a certificate whose PNG size is the page size times the scale factor", async () => {
    for (const deviceScaleFactor of [1, 2, 3]) {
      const { bytes } = await renderSample(/certificate/i, { format: "png", deviceScaleFactor });
      const view = new DataView(bytes.buffer, bytes.byteOffset);
      expect([view.getUint32(16), view.getUint32(20)]).toEqual([1123 * deviceScaleFactor, 794 * deviceScaleFactor]);
    }
  });

  it("include a shipping label that renders on one page of the label's size", async () => {
    const { record } = await renderSample(/label/i);

    expect(record).toMatchObject({ width: 384, height: 576, pageCount: 1, warnings: [] });
  });

  it("include a report that renders Chinese, Arabic and emoji as text", async () => {
    const { bytes } = await renderSample(/report/i);

    const text = await textOf(bytes);
    expect(text).toMatch(/[\u4e00-\u9fff]{4}/);
    expect(text).toMatch(/[\u0600-\u06ff]{4}/);
    expect(text).toMatch(/\p{Extended_Pictographic}/u);
  });
});

describe("the operator's command", () => {
  it("creates accounts, keys and templates that a running service can use at once", async () => {
    const account = await newAccount(service, "free");
    const pushed = await service.cli<{ template: { id: string; version: number }; changed: boolean }>(
      ...["template", "push", "templates/shipping-label", "--account", account.id],
    );

    const listed = (await (await call("/templates", undefined, account.key)).json()) as Listed;

    expect(pushed).toMatchObject({ changed: true, template: { version: 1 } });
    expect(listed.data.templates.map(({ id }) => id)).toEqual([pushed.template.id]);
  });

  it("names CSS that browsers ignore when it pushes a template, and not in each document", async () => {
    const account = await newAccount(service, "free");
    const folder = await mkdtemp(join(tmpdir(), "colophon-"));
    await cp("templates/shipping-label", folder, { recursive: true });
    await appendFile(join(folder, "style.css"), "\n.x { colr: red }".repeat(20));

    const pushed = await service.cli<Pushed>("template", "push", folder, "--account", account.id);
    const { sampleData: data } = await read<{ sampleData: object }>(
      service,
      account,
      `/templates/${pushed.template.id}`,
    );
    const created = await createDocument(service, account, { templateId: pushed.template.id, data });
    await rm(folder, { recursive: true });

    const message = "Chromium does not support the property `colr`; did you mean `color`?";
    expect(pushed.changed).toBe(true);
    expect(pushed.warnings).toEqual(
      Array.from({ length: 20 }, () => ({ file: "style.css", line: expect.any(Number), message })),
    );
    expect(await created.json()).toMatchObject({ data: { status: "completed", warnings: [] } });
  });

  it("revokes a key within ten seconds", async () => {
    const { key: revoked, keyId } = await newAccount(service, "free");
    expect((await call("/documents", undefined, revoked)).status).toBe(200);

    await service.cli("key", "revoke", "--id", keyId);

    await expect.poll(async () => (await call("/documents", undefined, revoked)).status, { timeout: 10_000 }).toBe(401);
  });

  it("exits with 1 if the account does not exist, and with 2 if an argument is missing", async () => {
    await expect(service.cli("key", "create", "--account", "nobody")).rejects.toMatchObject({
      code: 1,
      stderr: "There is no account with this id.\n",
    });
    await expect(service.cli("key", "create")).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^missing: --account\nusage:/) as string,
    });
  });
});
