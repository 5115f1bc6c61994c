import { readdirSync, readFileSync } from "node:fs";
import { Validator } from "@seriousme/openapi-schema-validator";
import { expect, it } from "vitest";
import { basePath, managePath } from "../../../src/core/api-paths.ts";
import { openApiDocument } from "../../../src/http/openapi/openapi-document.ts";
import { fakeServices } from "../../fakes/services.ts";
import { describedApp } from "../../fixtures/described-app.ts";
import {
  description,
  describedBaseUrl,
  describedOperations,
  managementDescription,
} from "../../fixtures/openapi/description.ts";

const url = `${describedBaseUrl}/openapi.json`;

function app() {
  const services = fakeServices();
  return describedApp({ servicesOf: () => services, log: services.log });
}

it("GET /openapi.json returns the description for the service's base URL without a key", async () => {
  const response = await app().request(url);

  expect(response.status).toBe(200);
  expect(response.headers.get("Content-Type")).toBe("application/json");
  expect(response.headers.get("Cache-Control")).toBe("public, max-age=300");
  expect(response.headers.get("X-Request-Id")).toMatch(/^[0-9a-f-]{36}$/);
  expect(await response.json()).toEqual(JSON.parse(JSON.stringify(openApiDocument(describedBaseUrl))));
});

it.each([
  ["304 without a body", "the ETag", (etag: string) => etag, 304],
  ["304 without a body", "the ETag as a weak one", (etag: string) => `W/${etag}`, 304],
  ["the description", "another ETag", () => '"other"', 200],
])("GET /openapi.json returns %s if the caller has %s", async (_what, _known, known, status) => {
  const application = app();
  const etag = (await application.request(url)).headers.get("ETag") ?? "";

  const response = await application.request(url, { headers: { "If-None-Match": known(etag) } });

  expect([response.status, (await response.text()) === ""]).toEqual([status, status === 304]);
  expect(response.headers.get("ETag")).toBe(etag);
});

it.each([
  ["documents", description],
  ["management", managementDescription],
])("the description of the API for %s is a valid OpenAPI 3.1 document", async (_api, document) => {
  const { valid, errors } = await new Validator().validate(document);

  expect([valid, errors]).toEqual([true, undefined]);
});

it.each([
  ["documents", basePath, description],
  ["management", managePath, managementDescription],
])("the description of the API for %s has exactly one operation for each route", (_api, base, { paths }) => {
  const routes = app().routes.filter(({ method, path }) => method !== "ALL" && path.startsWith(`${base}/`));
  const served = routes.map(({ method, path }) => `${method} ${path.slice(base.length).replace(/:(\w+)/g, "{$1}")}`);

  const described = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );

  // Hono lists a route once for each of its handlers. The route that returns the description is not part of it.
  const expected = new Set(served.filter((route) => route !== "GET /openapi.json"));
  expect(described.toSorted()).toEqual([...expected].toSorted());
});

it("the description explains every parameter and every property of a request", () => {
  const { properties } = description.components.schemas["CreateDocument"] as { properties: Record<string, object> };
  const parameters = describedOperations.flatMap(({ operation }) => operation.parameters ?? []);

  const unexplained = [
    ...parameters.map((parameter) => [parameter.name, parameter] as const),
    ...Object.entries(properties),
  ]
    .filter(([, value]) => !("description" in value))
    .map(([name]) => name);

  expect(unexplained).toEqual([]);
});

it("the description uses every component", () => {
  const text = JSON.stringify(description);
  const names = Object.entries(description.components).flatMap(([kind, named]) =>
    kind === "securitySchemes" ? [] : Object.keys(named).map((name) => `#/components/${kind}/${name}`),
  );

  expect(names.filter((name) => !text.includes(`"${name}"`))).toEqual([]);
});

it("the tests create the application in one place, which checks its responses against the description", () => {
  const root = new URL("../..", import.meta.url).pathname;
  const paths = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".ts"));

  const creating = paths.filter((path) => /\bcreateApp[(]/.test(readFileSync(`${root}/${path}`, "utf8")));

  expect(creating).toEqual(["fixtures/described-app.ts"]);
});
