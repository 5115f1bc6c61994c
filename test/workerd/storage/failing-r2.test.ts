// The errors for callers if R2 fails like a full disk in a local run.
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { loggableChain } from "colophon-base/loggable-error";
import { get, newTenant } from "../../fixtures/tenant.ts";
import { dataOf, create, testService } from "../app.ts";
import { ndjson, postNdjson } from "../batches/batches.ts";
import { callerWith, manageUrl, operatorKey, zipOf } from "../manage/manage.ts";

/** A bucket with one failing method, which does not read its input. */
function broken(bucket: R2Bucket, method: "put" | "get" | "list"): R2Bucket {
  const fail = async () => {
    throw new Error(`${method}: Unspecified error (0)`);
  };
  return new Proxy(bucket, {
    get(_, name) {
      const own: unknown = Reflect.get(bucket, name);
      return name === method ? fail : typeof own === "function" ? own.bind(bucket) : own;
    },
  });
}

const large = "x".repeat(1_200_000);
const metadata = encodeURIComponent(JSON.stringify({ customMetadata: { sha256: "0".repeat(64) } }));
const objectHeaders = {
  Authorization: `Bearer ${operatorKey}`,
  "X-Object-Metadata": metadata,
  "Content-Length": String(large.length),
};
const objectUrl = `${manageUrl}/admin/objects?bucket=files&key=${"b".repeat(43)}.pdf`;

it.each([
  ["a push", "TEMPLATES", "put"],
  ["a download of a version", "TEMPLATES", "get"],
  ["a batch", "TEMPLATES", "put"],
  ["an object of an import", "FILES", "put"],
  ["a download of a document", "FILES", "get"],
] as const)("%s gets 503 if %s cannot %s, and a log line that names the storage", async (door, bucket, method) => {
  const tenant = await newTenant(env);
  const { id } = await dataOf<{ id: string }>(await create(testService(), tenant));
  await callerWith(tenant.key).ok("PUT", "/templates/letter", zipOf("<p>1</p>"), 201);
  const service = testService(() => ({}), { ...env, [bucket]: broken(env[bucket], method) });
  const caller = callerWith(tenant.key, service);
  const lines = ndjson({ templateId: tenant.templateId }, { data: {}, metadata: { text: "a" } });

  const response = await {
    "a push": () => caller.send("PUT", "/templates/letter", zipOf(large)),
    "a download of a version": () => caller.send("GET", "/templates/letter/versions/1/files"),
    "a batch": () => postNdjson(service, tenant, lines),
    "an object of an import": () => service.fetch(objectUrl, { method: "PUT", headers: objectHeaders, body: large }),
    "a download of a document": () => get(service, tenant, `/documents/${id}/download`),
  }[door]();

  const { error } = await response.json<{ error: object }>();
  expect([response.status, error]).toMatchObject([503, { code: "SERVICE_UNAVAILABLE" }]);
  expect(Number(response.headers.get("Retry-After"))).toBeGreaterThanOrEqual(5);
  const failed = service.logged.find(({ event }) => event === "request.failed");
  expect(loggableChain(failed?.["cause"])).toContain(`storage: R2 ${method}`);
  expect(await callerWith(tenant.key).ok("GET", "/templates/letter")).toMatchObject({ version: 1 });
});
