// Passwords of items and of documents that are rendered after the response.
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, it, vi } from "vitest";
import type { RenderJob } from "colophon-render/render-job";
import { get, newTenant, post, type Tenant } from "../../fixtures/tenant.ts";
import { dataOf, refusalOf, renderFile, testService, usageOf } from "../app.ts";
import { laterRenders } from "../worker.ts";
import { ended, heldBack, ndjson, postBatch, postNdjson, resultsOf } from "./batches.ts";

const service = testService();
const data = { name: "Ada" };
const item = (userPassword: string) => ({ data, encryption: { userPassword, permissions: ["copy"] } });
const newPayroll = () => newTenant(env, { plan: "pro" });
const textOf = (password: Uint8Array | null | undefined) => password && new TextDecoder().decode(password);
const userPasswords = (jobs: RenderJob[]) => jobs.map(({ encryption }) => textOf(encryption?.userPassword) ?? null);

it.each([
  [
    "merged files",
    { output: ["documents", "merged"] },
    [{ data }, item("a")],
    "items.1.encryption",
    /^1 of 2 items cannot be rendered\. Item 1: `encryption` is not allowed with "merged"/,
  ],
  [
    "images",
    { format: "png" },
    [{ customId: "x", ...item("a") }],
    "items.0.encryption",
    /Item 0 \(`x`\): `encryption` is only allowed with the `format` "pdf"\./,
  ],
  [
    "a conformance",
    { conformance: ["pdf/a-2b"] },
    [{ data }, item("a")],
    "items.1.encryption",
    /Item 1: `encryption` is not allowed with the conformance "pdf\/a-2b"/,
  ],
  [
    "an unknown permission",
    {},
    [{ data, encryption: { userPassword: "a", permissions: ["copy", "Copy"] } }],
    "items.0.encryption.permissions.1",
    /must be "print"/,
  ],
  [
    "an empty password",
    {},
    [{ data }, { data, encryption: { userPassword: "" } }],
    "items.1.encryption.userPassword",
    /An empty password protects nothing/,
  ],
  ["a password for all items", { encryption: { userPassword: "a" } }, [{ data }], "encryption", /not a known property/],
])("a batch with passwords and %s is refused, and stores nothing", async (_, options, items, path, message) => {
  const tenant = await newPayroll();
  const body = ndjson({ templateId: tenant.templateId, ...options }, ...items);

  const refusals = [await postBatch(service, tenant, { ...options, items }), await postNdjson(service, tenant, body)];

  for (const refusal of await Promise.all(refusals.map(refusalOf))) {
    expect(refusal).toMatchObject({ status: 400, code: "VALIDATION_ERROR", details: [{ path }] });
    expect(refusal.message).toMatch(message);
  }
  expect(await usageOf(tenant)).toEqual({ used: 0, reserved: 0 });
  const listed = () => env.TEMPLATES.list({ prefix: `${tenant.accountId}/batches/` });
  await vi.waitUntil(async () => (await listed()).objects.length === 0, { timeout: 5_000 });
});

/** Returns everything that the account's object and the bucket with its items contain, as text. */
async function storedOf({ accountId }: Tenant): Promise<string> {
  const { objects } = await env.TEMPLATES.list({ prefix: `${accountId}/` });
  const contents = objects.map(async ({ key }) => (await env.TEMPLATES.get(key))?.text());
  const runner = env.BATCH_RUNNER.get(env.BATCH_RUNNER.idFromName(accountId));
  const rows = await runInDurableObject(runner, (_object, { storage: { sql } }) =>
    ["batches", "batch_inputs", "items", "chunks", "documents", "document_parts"].map((table) =>
      sql.exec(`SELECT * FROM ${table}`).toArray(),
    ),
  );
  return JSON.stringify([await Promise.all(contents), rows]);
}

it.each([
  ["JSON", (tenant: Tenant, items: object[]) => postBatch(service, tenant, { items })],
  [
    "NDJSON",
    (tenant: Tenant, items: object[]) =>
      postNdjson(service, tenant, ndjson({ templateId: tenant.templateId }, ...items)),
  ],
])(
  "each item of a batch of %s is rendered with its own passwords, which are stored only encrypted",
  async (_, send) => {
    const tenant = await newPayroll();
    const { release, jobs } = heldBack(tenant);
    const items = [item("pässwort-1"), { data }, item("pässwort-2")];

    const { id } = await dataOf(await send(tenant, items));
    await vi.waitUntil(() => jobs.length > 0, { timeout: 10_000 });
    const waiting = await storedOf(tenant);
    release();
    await ended(service, tenant, id);

    expect(waiting).toMatch(/ciphertext/);
    expect(waiting).not.toMatch(/p.{1,2}sswort/);
    expect(await storedOf(tenant)).not.toMatch(/ciphertext|p.{1,2}sswort/);
    expect(userPasswords(jobs).toSorted()).toEqual([null, "pässwort-1", "pässwort-2"].toSorted());
    expect(jobs.flatMap(({ encryption }) => (encryption ? [encryption.permissions] : []))).toEqual([
      ["copy"],
      ["copy"],
    ]);
  },
);

it("a canceled batch keeps no passwords", async () => {
  const tenant = await newPayroll();
  const { release } = heldBack(tenant);
  const items = Array.from({ length: 60 }, (_each, index) => item(`p${index}`));
  const { id } = await dataOf(await postBatch(service, tenant, { items }));

  await service.fetch(`https://colophon.test/api/v1/batches/${id}/cancel`, {
    method: "POST",
    headers: { Authorization: `Bearer ${tenant.key}` },
  });
  release();
  await ended(service, tenant, id);

  expect(await storedOf(tenant)).not.toContain("ciphertext");
});

it("a queued document is rendered with its passwords, also when it is tried again, and keeps none", async () => {
  const tenant = await newPayroll();
  const jobs: RenderJob[] = [];
  laterRenders.set(tenant.accountId, async (job) =>
    jobs.push(job) === 1 ? { status: "no_capacity", retryAfterSeconds: 1 } : renderFile(job),
  );
  const body = { templateId: tenant.templateId, data, encryption: { ownerPassword: "pässwort-3" } };

  const { id } = await dataOf(await post(service, tenant, body, { Prefer: "respond-async" }));
  const waiting = await storedOf(tenant);
  await vi.waitUntil(
    async () => (await dataOf(await get(service, tenant, `/documents/${id}`))).status === "completed",
    {
      timeout: 20_000,
      interval: 100,
    },
  );

  expect(jobs.map(({ encryption }) => [encryption?.userPassword, textOf(encryption?.ownerPassword)])).toEqual([
    [null, "pässwort-3"],
    [null, "pässwort-3"],
  ]);
  expect(waiting).toMatch(/ciphertext/);
  expect(waiting).not.toMatch(/p.{1,2}sswort/);
  await vi.waitUntil(async () => !/ciphertext/.test(await storedOf(tenant)), { timeout: 5_000 });
});

it("if the service's keys have been replaced twice, waiting documents with passwords fail with the reason, and others are rendered", async () => {
  const tenant = await newPayroll();
  const keys = { WEBHOOK_SECRETS_KEY: btoa("\x07".repeat(32)), WEBHOOK_SECRETS_KEY_PREVIOUS: "" };
  const before = testService(undefined, { ...env, ...keys });

  const { id } = await dataOf(await postBatch(before, tenant, { items: [item("a"), { data }, item("b")] }));
  const body = { templateId: tenant.templateId, data, encryption: { userPassword: "a" } };
  const document = await dataOf(await post(before, tenant, body, { Prefer: "respond-async" }));
  const { counts } = await ended(service, tenant, id);
  const read = async () => dataOf(await get(service, tenant, `/documents/${document.id}`));
  await vi.waitUntil(async () => (await read()).status === "failed", { timeout: 10_000, interval: 50 });

  const error = {
    code: "RENDER_FAILED",
    message: expect.stringContaining("passwords of the document cannot be decrypted"),
  };
  expect(counts).toMatchObject({ completed: 1, failed: 2 });
  const results = await resultsOf(service, tenant, id);
  expect(results.map(({ status }) => status)).toEqual(["failed", "completed", "failed"]);
  expect([results[0]?.error, results[2]?.error, (await read()).error]).toEqual([error, error, error]);
});
