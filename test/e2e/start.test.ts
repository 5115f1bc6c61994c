import { execFile } from "node:child_process";
import { once } from "node:events";
import { stat } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { newAccount, startService, type RunningService } from "./service.ts";

type DocumentRecord = { pdfUrl: string; fileSize: number };
type Listed = { data: { templates: { id: string }[] } };

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

it("npm start prints each step while it starts, because the first start takes a minute", () => {
  const { output } = service;
  const lines = output.slice(0, output.indexOf("Base URL")).trim().split("\n");

  // The log of the Worker is included.
  expect(lines.filter((line) => !line.startsWith("{"))).toEqual([
    "Preparing the browser",
    expect.stringMatching(/^Building the Worker, the fonts and the pages/),
    "Starting the Worker",
    "Pushing the sample templates to the demo account",
  ]);
});

it("npm start prints a curl command that renders a PDF", async () => {
  const line = /^curl .*$/m.exec(service.output)?.[0] ?? "";

  const { stdout } = await promisify(execFile)("sh", ["-c", line]);

  const { success, data } = JSON.parse(stdout) as { success: boolean; data: DocumentRecord };
  expect(success).toBe(true);
  const file = await fetch(data.pdfUrl);
  expect(file.headers.get("Content-Type")).toBe("application/pdf");
  expect(file.headers.get("Cache-Control")).toBe("public, max-age=300");
  expect((await file.arrayBuffer()).byteLength).toBe(data.fileSize);
});

it("npm start keeps the demo key in a file that only the owner can read", async () => {
  const { mode } = await stat(join(service.stateDir, "demo.json"));

  expect(mode & 0o777).toBe(0o600);
});

it("npm start redirects the root to the reference page", async () => {
  const response = await fetch(`${service.origin}/`, { redirect: "manual" });

  expect([response.status, response.headers.get("Location")]).toEqual([302, "/docs"]);
});

it("the deep health check reports that all parts of the running service work and run the same version", async () => {
  const headers = { Authorization: `Bearer ${healthSecret}` };
  const response = await fetch(`${service.origin}/healthz?deep=1`, { headers });

  const ok = { status: "ok" };
  const version = expect.stringMatching(/^(Headless)?Chrome\/\d+\.\d+\.\d+\.\d+$/) as string;
  const { success, data } = (await response.json()) as { success: boolean; data: { parts: Record<string, object> } };
  expect([response.status, success]).toEqual([200, true]);
  expect(data.parts).toMatchObject({
    ...{ database: ok, files: ok, templates: ok, webhookQueue: ok, browser: { ...ok, version } },
    worker: { version: expect.stringMatching(/./) },
    pool: data.parts["worker"],
  });
});

it.each([
  ["for a wrong key", "documents", "application/json", 401],
  ["for a body that is too large", "documents", "application/json", 413],
  ["for a wrong first line", "batches", "application/x-ndjson", 400],
])("a client that reads only after sending its whole request gets an error %s", async (_why, path, type, status) => {
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

it("the operator's command creates accounts, keys and templates that a running service can use immediately", async () => {
  const account = await newAccount(service, "free");
  const pushed = await service.cli<{ template: { id: string; version: number }; changed: boolean }>(
    ...["template", "push", "templates/shipping-label", "--account", account.id],
  );

  const listed = (await (await call("/templates", undefined, account.key)).json()) as Listed;

  expect(pushed).toMatchObject({ changed: true, template: { version: 1 } });
  expect(listed.data.templates.map(({ id }) => id)).toEqual([pushed.template.id]);
});

it("the operator's command exits with 1 if the account does not exist, and with 2 if an argument is missing", async () => {
  const unknown = service.cli("key", "create", "--account", "nobody");
  await expect(unknown).rejects.toMatchObject({ code: 1, stderr: "There is no account with this id.\n" });
  const stderr = expect.stringMatching(/^missing: --account\nusage:/) as string;
  await expect(service.cli("key", "create")).rejects.toMatchObject({ code: 2, stderr });
});
