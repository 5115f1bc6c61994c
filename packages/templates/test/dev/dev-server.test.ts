import { request as httpRequest, type RequestOptions } from "node:http";
import { networkInterfaces } from "node:os";
import { expect, it, onTestFinished, vi } from "vitest";
import { startDevServer, type DevServerParts } from "../../src/dev/dev-server.ts";
import type { FolderState, RenderResult } from "../../src/dev/messages.ts";

const none = { problems: [], moreProblems: 0, warnings: [], moreWarnings: 0, template: null };
const state: FolderState = { revision: 3, folder: "invoice", ...none };

async function startServer(parts: Partial<DevServerParts> = {}) {
  const render = vi.fn<DevServerParts["render"]>(async () => ({
    result: { status: "failed", revision: 3, message: "No.", details: [], problems: [] },
    file: null,
  }));
  const server = await startDevServer({
    port: 0,
    files: new Map([["/", { contentType: "text/html", content: "<p>page</p>" }]]),
    state: () => state,
    sampleData: (file) => (file === "sample.json" ? { a: 1 } : null),
    render,
    test: async () => "<title>2 cases passed</title>",
    ...parts,
  });
  onTestFinished(() => server.close());
  return { server, render, origin: `http://127.0.0.1:${server.port}` };
}

/** Sends a request with any headers, which `fetch` does not allow. Returns the status of the response. */
function statusOf(port: number, { body = "", ...options }: RequestOptions & { body?: string }): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest({ host: "127.0.0.1", port, ...options }, (response) => {
      resolve(response.resume().statusCode ?? 0);
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

it("the report of the tests is served with its own policy, and only the page may frame it", async () => {
  const { origin } = await startServer();

  const response = await fetch(`${origin}/tests`);

  expect(await response.text()).toBe("<title>2 cases passed</title>");
  const policy = response.headers.get("Content-Security-Policy");
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("frame-ancestors 'self'");
  expect(policy).not.toContain("script-src");
});

it("the report of the tests is sent without content if the tests were stopped, so that the page keeps its report", async () => {
  const { origin } = await startServer({ test: async () => null });

  expect((await fetch(`${origin}/tests`)).status).toBe(204);
});

it("the tests are stopped when the page requests a new report", async () => {
  const stopped = Promise.withResolvers<void>();
  const { origin } = await startServer({
    test: (signal) => {
      signal.addEventListener("abort", () => stopped.resolve());
      return stopped.promise.then(() => null);
    },
  });
  const request = new AbortController();

  const response = fetch(`${origin}/tests`, { signal: request.signal });
  setTimeout(() => request.abort(), 50);

  await expect(response).rejects.toThrow();
  await stopped.promise;
});

it("the server of template dev serves the page with a policy that allows only its own files", async () => {
  const { origin } = await startServer();

  const response = await fetch(origin);

  expect(await response.text()).toBe("<p>page</p>");
  const policy = response.headers.get("Content-Security-Policy") ?? "";
  expect(policy).toMatch(/^default-src 'none'; script-src 'self'; worker-src 'self'; style-src 'self'; /);
  expect(policy).not.toContain("unsafe");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(response.headers.get("Access-Control-Allow-Origin")).toBeNull();
});

it.each([
  ["another host, as after DNS rebinding", { Host: "evil.example" }],
  ["another port", { Host: "127.0.0.1:1" }],
  ["the origin of another page", { Host: "127.0.0.1:PORT", Origin: "https://evil.example" }],
  ["another local page", { Host: "localhost:PORT", Origin: "http://localhost:1" }],
  ["a picture or a link in another page", { Host: "127.0.0.1:PORT", "Sec-Fetch-Site": "cross-site" }],
  ["another service of this machine", { Host: "127.0.0.1:PORT", "Sec-Fetch-Site": "same-site" }],
])("the server of template dev refuses a request from %s", async (_from, headers) => {
  const { server, render } = await startServer();
  const entries = Object.entries(headers).map(([name, value]) => [name, value.replace("PORT", String(server.port))]);
  const own = { "Content-Type": "application/json", ...Object.fromEntries(entries) };
  const body = JSON.stringify({ sample: "sample.json", format: "pdf" });

  const responses = [
    await statusOf(server.port, { headers: own }),
    await statusOf(server.port, { headers: own, path: "/events" }),
    await statusOf(server.port, { headers: own, path: "/sample?file=sample.json" }),
    await statusOf(server.port, { headers: own, path: "/render", method: "POST", body }),
  ];

  expect(responses).toEqual([403, 403, 403, 403]);
  expect(render).not.toHaveBeenCalled();
});

it.each([
  ["the address", { Host: "127.0.0.1:PORT", Origin: "http://127.0.0.1:PORT", "Sec-Fetch-Site": "same-origin" }],
  ["the name localhost", { Host: "localhost:PORT", Origin: "http://localhost:PORT" }],
  ["a typed address", { Host: "127.0.0.1:PORT", "Sec-Fetch-Site": "none" }],
])("the server of template dev accepts a request from its page under %s", async (_from, headers) => {
  const { server } = await startServer();
  const entries = Object.entries(headers).map(([name, value]) => [name, value.replaceAll("PORT", String(server.port))]);

  expect(await statusOf(server.port, { headers: Object.fromEntries(entries) })).toBe(200);
});

it("the server of template dev cannot be reached through the network", async () => {
  const { server } = await startServer();
  const addresses = Object.values(networkInterfaces()).flatMap((found) => found ?? []);
  const [outer] = addresses.filter(({ family, internal }) => family === "IPv4" && !internal);
  if (!outer) return; // This machine has no network.

  await expect(fetch(`http://${outer.address}:${server.port}`)).rejects.toThrow();
});

it("the server of template dev sends the state immediately and after each change", async () => {
  const { origin, server } = await startServer();
  const abort = new AbortController();
  const { body } = await fetch(`${origin}/events`, { signal: abort.signal });
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();

  const first = await reader?.read();
  server.send({ ...state, revision: 4 });
  const second = await reader?.read();
  abort.abort();

  expect([first?.value, second?.value]).toEqual([
    `data: ${JSON.stringify(state)}\n\n`,
    `data: ${JSON.stringify({ ...state, revision: 4 })}\n\n`,
  ]);
});

it.each([
  ["text/plain", '{"sample":"sample.json","format":"pdf"}', 415],
  ["application/json", "{", 400],
  ["application/json", '{"sample":"sample.json","format":"pdf","width":1}', 400],
  ["application/json", '{"sample":"sample.json","format":"pdf","locale":"no locale"}', 400],
  ["application/json", `{"sample":"sample.json","format":"pdf","data":{"a":"${"x".repeat(1_100_000)}"}}`, 413],
])("the server of template dev refuses to render a body of the type %s: %.60s", async (type, body, status) => {
  const { origin, render } = await startServer();

  const response = await fetch(`${origin}/render`, { method: "POST", headers: { "Content-Type": type }, body });

  expect(response.status).toBe(status);
  expect(render).not.toHaveBeenCalled();
});

it("the server of template dev returns the result of a render with the document", async () => {
  const result: RenderResult = { status: "failed", revision: 3, message: "é", details: [], problems: [] };
  const { origin } = await startServer({ render: async () => ({ result, file: new Uint8Array([1, 2, 3]) }) });
  const body = JSON.stringify({ sample: "sample.json", format: "png", height: "auto" });

  const headers = { "Content-Type": "application/json" };
  const form = await (await fetch(`${origin}/render`, { method: "POST", headers, body })).formData();

  expect(JSON.parse(String(form.get("result")))).toEqual(result);
  const file = form.get("file");
  expect(file instanceof Blob && [file.type, file.size]).toEqual(["image/png", 3]);
});

it.each(["//:", "/../../etc/passwd", "/..%2f..%2fetc/passwd", "/%"])(
  "template dev serves nothing at %s",
  async (path) => {
    const { server } = await startServer();
    const print = vi.spyOn(console, "error").mockImplementation(() => {});
    onTestFinished(() => print.mockRestore());

    const status = await statusOf(server.port, { path, headers: { Host: `127.0.0.1:${server.port}` } });

    expect(status).toBe(404);
    expect(print).not.toHaveBeenCalled();
  },
);

it("the server of template dev returns a sample only by its exact name", async () => {
  const { origin } = await startServer();
  const names = ["sample.json", "../sample.json", "./sample.json", "samples/../sample.json", ""];

  const samples = await Promise.all(
    names.map(async (name) => (await fetch(`${origin}/sample?file=${encodeURIComponent(name)}`)).json()),
  );

  expect(samples).toEqual([{ a: 1 }, null, null, null, null]);
});
