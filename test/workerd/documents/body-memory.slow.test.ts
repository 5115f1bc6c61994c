// JSON whose values take much more memory than its text, sent to every kind of endpoint that reads JSON.
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { Semaphore } from "../../../src/core/rendering/semaphore.ts";
import { newTenant, post, type Tenant } from "../../fixtures/tenant.ts";
import { testService, type TestService } from "../app.ts";
import { ndjson, postNdjson } from "../batches/batches.ts";
import { callerWith, operatorKey } from "../manage/manage.ts";

const empty = { data: { list: Array.from({ length: 300_000 }, () => ({})) } };
const keys = { data: Object.fromEntries(Array.from({ length: 60_000 }, (_, index) => [`k${index}`, 0])) };
const rows = { data: { list: Array.from({ length: 1_500 }, (_, id) => ({ id, name: "Ada", price: 1.5 })) } };
const text = { data: { text: "a, b: {c}. ".repeat(9_000) } };

type Send = (service: TestService, tenant: Tenant, value: object) => Promise<Response>;
const doors: Record<string, Send> = {
  "a create": (service, tenant, value) => post(service, tenant, { templateId: tenant.templateId, ...value }),
  "a batch": (service, { key, templateId }, value) =>
    service.fetch("https://colophon.test/api/v1/batches", {
      method: "POST",
      headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
      body: JSON.stringify({ templateId, items: [value] }),
    }),
  "a line of NDJSON": (service, tenant, value) =>
    postNdjson(service, tenant, ndjson({ templateId: tenant.templateId }, value)),
  "the management API": (service, { key }, value) => callerWith(key, service).send("POST", "/keys", value),
  "an import": (service, _, { data }: { data?: unknown }) => {
    const body = { accountId: crypto.randomUUID(), rows: [{ table: "accounts", row: data }] };
    return callerWith(operatorKey, service).send("POST", "/admin/import", body);
  },
};

it.each(
  Object.keys(doors).flatMap((door) => [
    { door, what: "empty objects", value: empty, claims: true },
    { door, what: "different keys", value: keys, claims: true },
    { door, what: "rows of a table", value: rows, claims: false },
    { door, what: "text", value: text, claims: false },
  ]),
)("$door with $what claims memory for its values if they are large: $claims", async ({ door, value, claims }) => {
  const tenant = await newTenant(env);
  const memory = new Semaphore({ capacity: 20_000_000 });
  const amounts: number[] = [];
  const service = testService(() => ({
    memory: {
      acquire: (_part, claim) => {
        amounts.push(claim.amount);
        return memory.acquire(claim);
      },
    },
  }));

  await Promise.all([1, 2].map(() => doors[door]?.(service, tenant, value)));

  expect(amounts.map((amount) => amount > 4_000_000)).toEqual(claims ? [true, true] : []);
  expect(memory.inUse).toBe(0);
});
