import { describe, expect, it } from "vitest";
import { describedApp } from "../fixtures/described-app.ts";
import { fakeAccount, fakeServices } from "../fakes/services.ts";

/** Sends a request, with the key of a new account, to an application whose services are all fakes. */
async function request(method: string, path: string): Promise<Response> {
  const services = fakeServices();
  const { key } = await fakeAccount(services);
  const app = describedApp({ servicesOf: () => services, log: services.log });
  return app.request(`https://colophon.test${path}`, { method, headers: { Authorization: `Bearer ${key}` } });
}

const paths: [path: string, allow: string][] = [
  ["/healthz", "GET, HEAD"],
  ["/files/nothing.pdf", "GET, HEAD"],
  ["/api/v1/documents", "GET, HEAD, POST"],
  ["/api/v1/documents/1", "GET, HEAD, DELETE"],
  ["/api/v1/documents/1/download", "GET, HEAD"],
  ["/api/v1/templates", "GET, HEAD"],
  ["/api/v1/templates/1", "GET, HEAD"],
  ["/api/v1/usage", "GET, HEAD"],
  ["/api/v1/openapi.json", "GET, HEAD"],
];

describe.each(paths)("%s", (path, allow) => {
  it.each(["PUT", "PATCH", "OPTIONS"])("responds to %s with 405 and the allowed methods", async (method) => {
    const response = await request(method, path);

    expect([response.status, response.headers.get("Allow")]).toEqual([405, allow]);
    expect(await response.json()).toMatchObject({
      success: false,
      error: { code: "METHOD_NOT_ALLOWED", message: `This path allows ${allow}.` },
    });
  });

  it.each(allow.split(", "))("does not respond to %s with 405", async (method) => {
    const { status } = await request(method, path);

    expect(status).not.toBe(405);
  });
});

it.each(["/", "/api/v1", "/api/v1/nothing", "/api/v1/documents/1/pages", "/files/a/b", "/files"])(
  "responds with 404 to every method on the unknown path %s",
  async (path) => {
    const responses = await Promise.all(["GET", "POST", "PUT", "DELETE"].map((method) => request(method, path)));

    expect(responses.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
  },
);
