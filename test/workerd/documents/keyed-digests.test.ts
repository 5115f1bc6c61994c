// Repeats of requests while the service's key, with which the digests of bodies are stored, is replaced.
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { newTenant, type Tenant } from "../../fixtures/tenant.ts";
import { create, dataOf, testService, type TestService } from "../app.ts";
import { ndjson, postBatch, postNdjson } from "../batches/batches.ts";

const keyText = (byte: number) => btoa(String.fromCharCode(...new Uint8Array(32).fill(byte)));

function serviceWith(current: number, previous?: number): TestService {
  const previousText = previous === undefined ? "" : keyText(previous);
  const keys = { WEBHOOK_SECRETS_KEY: keyText(current), WEBHOOK_SECRETS_KEY_PREVIOUS: previousText };
  return testService(undefined, { ...env, ...keys });
}

const key = { "Idempotency-Key": "order-1" };
const items = [{ data: { name: "Ada" } }];

const kinds: [string, (service: TestService, tenant: Tenant) => Promise<Response>][] = [
  ["a create", (service, tenant) => create(service, tenant, key)],
  ["an asynchronous create", (service, tenant) => create(service, tenant, { ...key, Prefer: "respond-async" })],
  ["a batch", (service, tenant) => postBatch(service, tenant, { items }, key)],
  [
    "a batch of NDJSON",
    (service, tenant) => postNdjson(service, tenant, ndjson({ templateId: tenant.templateId }, ...items), key),
  ],
];

it.each(kinds)(
  "%s is recognised as a repeat during a replacement of the service's key, and not after two",
  async (_, send) => {
    const tenant = await newTenant(env, { plan: "pro" });
    const first = await send(serviceWith(1), tenant);

    const during = await send(serviceWith(2, 1), tenant);
    const afterTwo = await send(serviceWith(3, 2), tenant);

    expect([first.ok, during.ok, (await dataOf(during)).id]).toEqual([true, true, (await dataOf(first)).id]);
    expect(afterTwo.status).toBe(422);
  },
);
