// Query parameters that an operation does not know.
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { describedApp } from "../../fixtures/described-app.ts";
import { get, newTenant } from "../../fixtures/tenant.ts";
import { refusalOf, testService, unknownId } from "../app.ts";

const service = testService();
const app = describedApp({
  servicesOf: () => {
    throw new Error("no request is sent to this application");
  },
  log: () => {},
});

describe("an unknown query parameter", () => {
  const requests = [
    { method: "POST", path: "/documents", allowed: null },
    {
      method: "GET",
      path: "/documents",
      allowed:
        "`limit`, `offset`, `cursor`, `status`, `format`, `templateId`, `createdAfter`, `createdBefore`, `metadata[key]`",
    },
    { method: "GET", path: `/documents/${unknownId}`, allowed: null },
    { method: "DELETE", path: `/documents/${unknownId}`, allowed: null },
    { method: "GET", path: `/documents/${unknownId}/download`, allowed: null },
    { method: "HEAD", path: `/documents/${unknownId}/download`, allowed: null },
    { method: "GET", path: "/templates", allowed: "`limit`, `offset`, `cursor`" },
    { method: "GET", path: `/templates/${unknownId}`, allowed: null },
    { method: "GET", path: "/usage", allowed: null },
    { method: "GET", path: "/openapi.json", allowed: null },
  ];

  it.for(requests.filter(({ method }) => method !== "HEAD"))(
    "of $method $path is refused, with the allowed ones",
    async ({ method, path, allowed }) => {
      const tenant = await newTenant(env);

      const response = await get(service, tenant, `${path}?page=2`, { method });

      const rule = allowed === null ? "this request takes none" : `the allowed parameters are ${allowed}`;
      expect(await refusalOf(response)).toMatchObject({
        status: 400,
        code: "VALIDATION_ERROR",
        message: `\`page\` is not a known query parameter; ${rule}.`,
        details: [{ path: "page" }],
      });
    },
  );

  it("is refused by every operation of the API", () => {
    const operations = app.routes.filter(({ method, path }) => method !== "ALL" && path.startsWith("/api/"));
    const tested = requests.map(({ method, path }) => `${method} ${path.replace(unknownId, ":id")}`);

    expect(tested).toEqual(
      expect.arrayContaining(operations.map(({ method, path }) => `${method} ${path.replace("/api/v1", "")}`)),
    );
  });

  it.for(["__proto__", "constructor", "", "limit[]", "x".repeat(60), "\u0000", "ünï"])("%j is named", async (name) => {
    const tenant = await newTenant(env);

    const response = await get(service, tenant, `/templates?${encodeURIComponent(name)}=1`);

    const { message } = await refusalOf(response);
    expect(message).toContain(`\`${name}\` is not a known query parameter`);
  });

  it("is one of at most twenty shortened names in the response", async () => {
    const tenant = await newTenant(env);
    const names = Array.from({ length: 50 }, (_, index) => `${index}${"x".repeat(200)}`);

    const response = await get(service, tenant, `/usage?${names.join("=&")}`);

    const { details } = await refusalOf(response);
    expect(details?.map(({ path }) => path)).toEqual(names.slice(0, 20).map((name) => name.slice(0, 60)));
  });

  it("is reported together with other problems", async () => {
    const tenant = await newTenant(env);

    const response = await get(service, tenant, "/documents?limit=0&page=2&format=pdf&format=pdf");

    const { details } = await refusalOf(response);
    expect(details?.map(({ path }) => path)).toEqual(["format", "limit", "page"]);
  });
});
