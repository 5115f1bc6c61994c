import { describe, expect, it } from "vitest";
import { fakeApi } from "./fake-api.ts";

/** Sends a request with the key of a new account. */
async function request(method: string, path: string): Promise<Response> {
  const api = await fakeApi();
  return api.fetch(`https://colophon.test${path}`, { method, headers: { Authorization: `Bearer ${api.key}` } });
}

it.each([
  ...["pdf.example.com", "localhost.example.com", "10.0.0.5", "127.0.0.1.example.com", "0.0.0.0", "[2001:db8::1]"],
  ...["[::ffff:10.0.0.5]", "128.0.0.1", "xlocalhost"],
])("a request to %s without TLS is refused before it is authenticated", async (host) => {
  const { fetch } = await fakeApi();

  const response = await fetch(`http://${host}/api/v1/usage`, {
    headers: { "X-Forwarded-Proto": "https", Host: "localhost" },
  });

  expect(response.status).toBe(403);
  const message = expect.stringMatching(/https.*leaked/);
  expect(await response.json()).toMatchObject({ error: { code: "HTTPS_REQUIRED", message } });
});

it.each(["localhost:8787", "[::1]:8787", "127.9.9.9"])("without TLS this machine is reached as %s", async (host) => {
  const { fetch } = await fakeApi();

  expect((await fetch(`http://${host}/healthz`)).status).toBe(200);
});

it.each(["/healthz", "/api/v1/usage", "/nothing"])("without TLS browsers are told to use https by %s", async (path) => {
  expect((await request("GET", path)).headers.get("Strict-Transport-Security")).toBe("max-age=31536000");
});

const id = "00000000-0000-4000-8000-000000000000";
const paths: [path: string, allow: string][] = [
  ["/healthz", "GET, HEAD"],
  ["/files/nothing.pdf", "GET, HEAD"],
  ["/api/v1/documents", "GET, HEAD, POST"],
  [`/api/v1/documents/${id}`, "GET, HEAD, DELETE"],
  [`/api/v1/documents/${id}/download`, "GET, HEAD"],
  ["/api/v1/templates", "GET, HEAD"],
  [`/api/v1/templates/${id}`, "GET, HEAD"],
  ["/api/v1/usage", "GET, HEAD"],
  ["/api/v1/openapi.json", "GET, HEAD"],
];

describe.each(paths)("%s", (path, allow) => {
  const methods = ["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND"];

  it.each(methods.filter((method) => !allow.includes(method)))(
    "the method %s gets 405 with the allowed methods",
    async (method) => {
      const response = await request(method, path);

      expect([response.status, response.headers.get("Allow")]).toEqual([405, allow]);
      expect(await response.json()).toMatchObject({
        success: false,
        error: { code: "METHOD_NOT_ALLOWED", message: `This path allows ${allow}.` },
      });
    },
  );

  it.each(allow.split(", "))("the method %s is allowed", async (method) => {
    const { status } = await request(method, path);

    expect(status).not.toBe(405);
  });
});

it.each(["/documents/batch", "/documents/batch/download", "/templates/new"])(
  "the path %s, which has a name in place of an id, gets NOT_FOUND for other methods",
  async (path) => {
    for (const method of ["POST", "PUT", "PATCH"]) {
      const response = await request(method, `/api/v1${path}`);

      expect([method, response.status, response.headers.get("Allow")]).toEqual([method, 404, null]);
      expect(await response.json()).toMatchObject({ error: { code: "NOT_FOUND" } });
    }
  },
);

it.each([
  ...["/", "/nothing", "/documents/", "/templates/", "//documents", "/Documents", "/documents/1/", "/documents/1/file"],
  ...["/documents/1/download/", "/documents/1/download/again", "/documents/1/pages", "/templates/1/pages"],
])("the unknown path %s under the base URL gets NOT_FOUND for every method", async (path) => {
  await expectNotFound(`/api/v1${path}`);
});

it.each([
  ...["/", "/api", "/api/", "/api/v1", "/api/v1x", "/api/v2/documents", "/documents", "/files", "/files/a/b"],
  ...["/.git/config", "/%ff", "/%"],
])("the unknown path %s outside the base URL gets NOT_FOUND for every method", expectNotFound);

it.each([
  "/api//v1/templates",
  "/api/v1//templates",
  "/api/%76%31/templates",
  "/API/V1/templates",
  "/x/../api/v1/templates",
])("a request without a key for %s, which resembles a path of the API, gets 401 or 404", async (path) => {
  const { fetch } = await fakeApi();

  expect([401, 404]).toContain((await fetch(`https://colophon.test${path}`)).status);
});

async function expectNotFound(path: string): Promise<void> {
  for (const method of ["GET", "POST", "PUT", "DELETE", "OPTIONS"]) {
    const response = await request(method, path);

    expect([method, response.status]).toEqual([method, 404]);
    const error = { code: "NOT_FOUND", message: "Nothing exists at this path." };
    expect(await response.json()).toMatchObject({ success: false, error });
  }
}
