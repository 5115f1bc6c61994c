// A page of a different origin uses the API in a real browser, and a client reads the raw headers of a create that responds
// with the file, which are visible only on a real connection.
import { createServer, request, type IncomingMessage, type Server } from "node:http";
import type { Browser, Page } from "puppeteer-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { launchChromium } from "./local-chromium.ts";
import { originOf, startService, type RunningService } from "./service.ts";

let service: RunningService;
let site: Server;
let browser: Browser;
let page: Page;
let create: { templateId: string; data: unknown };

beforeAll(async () => {
  site = createServer((_, response) => response.setHeader("Content-Type", "text/html").end("<title>Shop</title>"));
  [service, browser] = await Promise.all([startService(), launchChromium()]);
  page = await browser.newPage();
  await page.goto(await originOf(site));
  create = JSON.parse(/-d '(.*)'/.exec(service.output)?.[1] ?? "null");
}, 120_000);

afterAll(async () => {
  await browser?.close();
  await new Promise((resolve) => site.close(resolve));
  await service?.stop();
});

type Seen = { status: number; headers: Record<string, string>; size: number; text: string };

/** Sends a request from the page. Rejects if the browser refuses the request or its response. */
function fetchInPage(url: string, init: RequestInit = {}): Promise<Seen> {
  const send = async (address: string, options: RequestInit): Promise<Seen> => {
    const response = await fetch(address, options);
    const body = await response.blob();
    const headers = Object.fromEntries(response.headers);
    return { status: response.status, headers, size: body.size, text: await body.slice(0, 2_000).text() };
  };
  return page.evaluate(send, url, init as never);
}

const withKey = (more: Record<string, string> = {}) => ({ Authorization: `Bearer ${service.demoKey}`, ...more });
const json = { "Content-Type": "application/json" };

it("a page of a different origin creates, reads, downloads and deletes a document, and reads every header that it needs", async () => {
  const body = JSON.stringify({ ...create, filename: "Größe" });
  const headers = withKey({ ...json, "Idempotency-Key": crypto.randomUUID() });

  const created = await fetchInPage(`${service.baseUrl}/documents`, { method: "POST", headers, body });
  const asFile = { ...headers, Accept: "application/pdf" };
  const file = await fetchInPage(`${service.baseUrl}/documents`, { method: "POST", headers: asFile, body });
  const { data } = JSON.parse(created.text) as { data: { id: string; fileUrl: string; fileSize: number } };
  const publicFile = await fetchInPage(data.fileUrl);
  const url = `${service.baseUrl}/documents/${data.id}`;
  const part = await fetchInPage(`${url}/download`, { headers: withKey({ Range: "bytes=0-3" }) });
  const removed = await fetchInPage(url, { method: "DELETE", headers: withKey() });

  expect([created, file, publicFile, part, removed].map(({ status }) => status)).toEqual([201, 201, 200, 206, 200]);
  expect(created.headers).toMatchObject({ location: url, "x-document-id": data.id, ratelimit: expect.any(String) });
  expect(file.headers).toMatchObject({
    "idempotent-replayed": "true",
    "x-document-id": data.id,
    "content-disposition": expect.stringContaining("filename*=UTF-8''Gr%C3%B6%C3%9Fe.pdf"),
  });
  expect([file.size, publicFile.size, part.text]).toEqual([data.fileSize, data.fileSize, "%PDF"]);
});

it("a file is sent with its length, both in the response to a create and as a download", async () => {
  const headers = withKey({ ...json, Accept: "application/pdf" });
  const created = await rawRequest("POST", `${service.baseUrl}/documents`, headers, JSON.stringify(create));
  const id = String(created.headers["x-document-id"]);
  const download = await rawRequest("GET", `${service.baseUrl}/documents/${id}/download`, withKey());

  expect([created.statusCode, created.headers["content-type"]]).toEqual([201, "application/pdf"]);
  expect(created.headers["content-length"]).toBe(String(created.size));
  expect(created.headers["transfer-encoding"]).toBeUndefined();
  expect(created.headers["server-timing"]).toContain("reserve");
  expect([download.headers["content-length"], download.headers.etag]).toEqual([
    String(created.size),
    created.headers.etag,
  ]);
});

/** Sends the request without the conveniences of `fetch`, to see the headers as transmitted. */
function rawRequest(method: string, url: string, headers: Record<string, string>, body = "") {
  return new Promise<IncomingMessage & { size: number }>((resolve, reject) => {
    const sent = request(url, { method, headers }, (response) => {
      let size = 0;
      response.on("data", (chunk: Buffer) => (size += chunk.length));
      response.on("end", () => resolve(Object.assign(response, { size })));
      response.on("error", reject);
    });
    sent.on("error", reject);
    sent.end(body);
  });
}
