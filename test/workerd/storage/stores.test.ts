import { env } from "cloudflare:workers";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { newApiKey, type ApiKeyParts } from "../../../src/core/accounts/api-key.ts";
import { newFileKey, type StoredDocument } from "../../../src/core/documents/document.ts";
import type { FileMetadata } from "colophon-render/file-metadata";
import { sha256Hex } from "colophon-base/encoding";
import { secretCipher } from "../../../src/core/webhooks/secret-encryption.ts";
import { pushTemplate } from "../../../src/operations/templates/push-template.ts";
import { accountStore } from "../../../src/platform/accounts/account-store.ts";
import { keyDirectory } from "../../../src/platform/accounts/key-directory.ts";
import { d1Client } from "../../../src/platform/d1/d1-client.ts";
import { documentStore } from "../../../src/platform/documents/document-store.ts";
import { fileStore, putFileOnce } from "../../../src/platform/documents/file-store.ts";
import { templateCatalog } from "../../../src/platform/templates/template-catalog.ts";
import { templateStore } from "../../../src/platform/templates/template-store.ts";
import { operatorServices } from "../../../src/services/operator-services.ts";
import { readEncryptionKeys } from "../../../src/settings.ts";
import { alteredKey, checksumSecret, partsOf as apiKeyParts, unknownKey } from "../../fixtures/api-keys.ts";
import { completedDocument, failedDocument, failureOf } from "../../fixtures/documents.ts";
import { newTenant, templateContent } from "../../fixtures/tenant.ts";
import { callTimeoutMs } from "../app.ts";
import { losingD1, spiedD1 } from "./spied-d1.ts";

const d1 = d1Client(env.DB, callTimeoutMs);
const documents = documentStore(d1);
const files = fileStore(env.FILES, callTimeoutMs);
const cipher = secretCipher(() => readEncryptionKeys(env));
const accounts = accountStore(d1, cipher);
const keys = keyDirectory(d1);
const templates = templateStore(d1, env.TEMPLATES);
const catalog = templateCatalog(d1, env.TEMPLATES);

afterEach(() => void vi.useRealTimers());

describe("the document store", () => {
  it.for(["completed", "failed"] as const)("counts only the %s document that was stored first", async (first) => {
    const completed = completedDocument();
    const failed = failureOf(completed);

    for (const document of first === "completed" ? [completed, failed] : [failed, completed])
      await documents.insert(document);

    expect(await countsOf(completed)).toEqual({ stored: 1, completed: first === "completed" ? 1 : 0 });
  });

  describe("counts", () => {
    it.for([
      { document: completedDocument(), completed: 1 },
      { document: failedDocument(), completed: 0 },
    ])(
      "a deleted $document.status document as not stored, and as completed $completed times",
      async ({ document, completed }) => {
        await documents.insert(document);

        await documents.remove(document.accountId, document.id);

        expect(await countsOf(document)).toEqual({ stored: 0, completed });
      },
    );

    it("two deletes of the same document as one delete", async () => {
      const document = completedDocument();
      await documents.insert(document);
      await documents.insert({ ...document, id: crypto.randomUUID() });

      for (let i = 0; i < 2; i++) await documents.remove(document.accountId, document.id);

      expect(await countsOf(document)).toEqual({ stored: 1, completed: 2 });
    });

    it("completed documents by month and all documents by account", async () => {
      const november = completedDocument();
      const december = { ...november, id: crypto.randomUUID(), month: "2026-12" };
      const other = { ...november, id: crypto.randomUUID(), accountId: crypto.randomUUID() };

      for (const document of [november, december, other]) await documents.insert(document);

      expect(await Promise.all([november, december, other].map(countsOf))).toEqual([
        { stored: 2, completed: 1 },
        { stored: 2, completed: 1 },
        { stored: 1, completed: 1 },
      ]);
    });

    it("documents correctly under concurrent inserts and deletes", async () => {
      const accountId = crypto.randomUUID();
      const month = "2026-11";
      const all = Array.from({ length: 40 }, () => completedDocument({ accountId, month }));
      await Promise.all(all.map((document) => documents.insert(document)));

      await Promise.all(all.slice(0, 15).map(({ id }) => documents.remove(accountId, id)));

      expect(await countsOf({ accountId, month })).toEqual({ stored: 25, completed: 40 });
    });
  });
});

describe("the file store", () => {
  it("returns the metadata of the same file to all concurrent writers", async () => {
    const key = newFileKey("pdf");

    const writers = await Promise.all(["a", "bb", "ccc", "dddd"].map((text) => put(key, text)));

    const stored = await files.metadata(key);
    expect(writers).toMatchObject(Array(4).fill(stored));
  });

  it("rejects bytes that do not match the digest", async () => {
    const key = newFileKey("pdf");
    const metadata = { ...(await metadataOf(Uint8Array.of(1, 2, 3))), sha256: "0".repeat(64) };

    const putting = putFileOnce(env.FILES, key, "pdf", Uint8Array.of(1, 2, 3), metadata);

    await expect(putting).rejects.toThrow();
    expect(await files.metadata(key)).toBeNull();
  });

  it("throws for a file without metadata", async () => {
    const key = newFileKey("pdf");
    await env.FILES.put(key, "put by hand");

    await expect(files.metadata(key)).rejects.toThrow("has no metadata");
  });

  it.for([
    ["pdf", "application/pdf"],
    ["png", "image/png"],
    ["jpeg", "image/jpeg"],
    ["webp", "image/webp"],
  ] as const)(
    "stores a %s with the content type %s, for caches to keep for five minutes",
    async ([format, contentType]) => {
      const key = newFileKey(format);
      const bytes = Uint8Array.of(1);

      await putFileOnce(env.FILES, key, format, bytes, await metadataOf(bytes));

      expect((await env.FILES.head(key))?.httpMetadata).toMatchObject({
        contentType,
        cacheControl: "public, max-age=300",
      });
    },
  );
});

describe("API keys", () => {
  // Reads the secret of the checksums, so that the tests that count queries do not depend on their order.
  beforeAll(async () => void (await keys.findAccount(partsOf({ key: await unknownKey() }))));

  it("are stored with the digest of their secret, and without the secret", async () => {
    const tenant = await newTenant(env);

    const row = await env.DB.prepare("SELECT * FROM api_keys WHERE id = ?").bind(tenant.keyId).first();

    expect(row).toMatchObject({ secret_hash: await sha256Hex(partsOf(tenant).secret) });
    expect(JSON.stringify(row)).not.toContain(partsOf(tenant).secret);
  });

  it("are found five seconds after an earlier lookup found nothing", async () => {
    const { accountId } = await newTenant(env);
    const { id, key, secretHash } = await newApiKey(checksumSecret);
    const before = await keys.findAccount(partsOf({ key }));
    await accounts.insertKey({ id, accountId, name: "", secretHash, createdAt: 1 });

    advanceClock(5_001);

    expect([before, (await keys.findAccount(partsOf({ key })))?.id]).toEqual([null, accountId]);
  });

  it("are not found ten seconds after they are revoked, even if they were cached", async () => {
    const tenant = await newTenant(env);
    await keys.findAccount(partsOf(tenant));
    await accounts.revokeKey(tenant.keyId, Date.now());

    advanceClock(10_000);

    expect(await keys.findAccount(partsOf(tenant))).toBeNull();
  });

  it("give the account's new plan ten seconds after the plan changes", async () => {
    const tenant = await newTenant(env, { plan: "free" });
    await keys.findAccount(partsOf(tenant));
    await accounts.setAccountPlan(tenant.accountId, "enterprise");

    advanceClock(10_000);

    expect((await keys.findAccount(partsOf(tenant)))?.plan.monthlyRenders).toBe(5000);
  });

  it("are read from D1 only once for several lookups within a second", async () => {
    const tenant = await newTenant(env);
    const { directory, queries } = countingDirectory();

    for (let i = 0; i < 5; i++) await directory.findAccount(partsOf(tenant));

    expect(queries()).toBe(1);
  });

  describe.for(["an unknown id", "a wrong secret", "a revocation"])("that are invalid because of %s", (reason) => {
    it("are looked up in D1 at most once every five seconds", async () => {
      const key = await invalidKey(reason);
      const { directory, queries } = countingDirectory();

      for (let i = 0; i < 5; i++) await directory.findAccount(key);
      const soon = queries();
      advanceClock(5_001);
      await directory.findAccount(key);

      expect([soon, queries()]).toEqual([1, 2]);
    });
  });

  it("with a wrong secret are looked up even if the valid key with the same id is cached", async () => {
    const tenant = await newTenant(env);
    const { directory, queries } = countingDirectory();
    await directory.findAccount(partsOf(tenant));

    await directory.findAccount(apiKeyParts(await alteredKey(tenant.key, { secret: "A".repeat(43) })));

    expect(queries()).toBe(2);
  });

  it("with a wrong checksum are refused without a query to D1", async () => {
    const tenant = await newTenant(env);
    const { directory, queries } = countingDirectory();
    const { id, secret } = partsOf(tenant);

    const found = [];
    for (let i = 0; i < 100; i++) {
      found.push(await directory.findAccount({ id, secret, checksum: `wrong${String(i).padStart(3, "0")}` }));
    }

    expect([new Set(found), queries()]).toEqual([new Set([null]), 0]);
  });

  it("stay cached while thousands of invalid keys are refused", async () => {
    const tenant = await newTenant(env);
    const { directory, queries } = countingDirectory();
    const unreadable = keyDirectory({ run: async () => null as never });
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
    await directory.findAccount(partsOf(tenant));

    for (let i = 0; i < 2_500; i++)
      await unreadable.findAccount(apiKeyParts(await alteredKey(tenant.key, { secret: String(i).padStart(43, "A") })));
    await directory.findAccount(partsOf(tenant));

    expect(queries()).toBe(1);
  });

  it("keep the time of the first revocation when they are revoked again", async () => {
    const tenant = await newTenant(env);
    await accounts.revokeKey(tenant.keyId, 1_000);
    await accounts.revokeKey(tenant.keyId, 2_000);

    expect((await accounts.listKeys(tenant.accountId)).map(({ revokedAt }) => revokedAt)).toEqual([1_000]);
  });

  it("cannot be revoked if they do not exist", async () => {
    expect(await accounts.revokeKey("0000000000000000", 1)).toBe(false);
  });

  it("are listed for their account only, oldest first and without their digest", async () => {
    const [tenant] = await Promise.all([newTenant(env), newTenant(env)]);
    const newer = { id: "beefbeefbeefbeef", accountId: tenant.accountId, name: "newer", createdAt: Date.now() + 1_000 };
    await accounts.insertKey({ ...newer, secretHash: "h" });

    const listed = await accounts.listKeys(tenant.accountId);

    expect(listed).toEqual([
      { id: tenant.keyId, name: "test", createdAt: expect.any(Number), revokedAt: null },
      { id: newer.id, name: "newer", createdAt: newer.createdAt, revokedAt: null },
    ]);
  });
});

describe("plans", () => {
  it("start with the limits of the contract and with API access", async () => {
    const defaults = env.MIGRATIONS.flatMap(({ queries }) => queries).find((query) => query.includes("INTO plans"));

    const seeded = [...(defaults ?? "").matchAll(/\('(\w+)', (\d+), (\d)\)/g)].map(([, ...plan]) => plan);

    expect(seeded).toEqual([
      ["free", "50", "1"],
      ["starter", "150", "1"],
      ["pro", "500", "1"],
      ["enterprise", "5000", "1"],
    ]);
  });

  it("change only in the columns that are given", async () => {
    const first = await accounts.updatePlan("starter", { apiAccess: false });
    const second = await accounts.updatePlan("starter", { monthlyRenders: 7 });

    expect([first, second]).toEqual([
      { name: "starter", monthlyRenders: 150, apiAccess: false, retentionDays: "keep" },
      { name: "starter", monthlyRenders: 7, apiAccess: false, retentionDays: "keep" },
    ]);
  });

  it("cannot be set for an account that does not exist", async () => {
    expect(await accounts.setAccountPlan(crypto.randomUUID(), "pro")).toBe(false);
  });
});

describe("templates", () => {
  it("get a different version from each concurrent push, unless the push is reported as overtaken", async () => {
    const { accountId } = await newTenant(env);
    await push(accountId, "start", { folder: "new" });

    const results = await Promise.all(["a", "b", "c", "d"].map((page) => push(accountId, page, { folder: "new" })));

    const pushedVersions = results.flatMap((result) => (result.status === "pushed" ? [result.template.version] : []));
    expect(pushedVersions.length).toBeGreaterThanOrEqual(1);
    expect(pushedVersions.toSorted()).toEqual([2, 3, 4, 5].slice(0, pushedVersions.length));
    expect((await templates.findByFolder(accountId, "new"))?.version).toBe(Math.max(...pushedVersions));
    expect(results.filter(({ status }) => status !== "pushed" && status !== "overtaken")).toEqual([]);
  });

  it("are created by one of two simultaneous pushes of a new folder, which overtakes the other", async () => {
    const { accountId } = await newTenant(env);

    const results = await Promise.allSettled(["a", "b"].map((page) => push(accountId, page, { folder: "new" })));

    expect(
      results.map((result) => (result.status === "fulfilled" ? result.value.status : result.reason)).sort(),
    ).toEqual(["overtaken", "pushed"]);
  });

  it("are found at once after they are created, even if an earlier lookup found nothing", async () => {
    const { accountId } = await newTenant(env);
    const id = crypto.randomUUID();
    const before = await catalog.find(accountId, id);
    await push(accountId, "new", { folder: "new", newId: id });

    expect([before, (await catalog.find(accountId, id))?.id]).toEqual([null, id]);
  });

  it("are not found ten seconds after their removal", async () => {
    const { accountId, templateId } = await newTenant(env);
    await catalog.find(accountId, templateId);
    await templates.remove(templateId);

    advanceClock(10_000);

    expect(await catalog.find(accountId, templateId)).toBeNull();
  });

  it("are removed with all their contents, even if the bucket lists the contents on several pages", async () => {
    const { accountId, templateId } = await newTenant(env);
    const prefix = `${accountId}/${templateId}/`;
    await Promise.all(Array.from({ length: 1_001 }, (_, index) => env.TEMPLATES.put(`${prefix}${index}.json`, "{}")));

    await templates.remove(templateId);

    expect((await env.TEMPLATES.list({ prefix })).objects.length).toBe(0);
  });

  it("are removed without affecting the account's other templates", async () => {
    const { accountId, templateId } = await newTenant(env);
    const other = await push(accountId, "other", { folder: "other" });
    if (other.status !== "pushed") throw new Error(other.status);

    await templates.remove(templateId);

    expect(await catalog.content(other.template)).toMatchObject({ pages: [{ source: "other" }] });
  });
});

describe("a write whose response was lost is repeated", () => {
  it("and a document is stored only once", async () => {
    const document = completedDocument();

    const outcome = await documentStore(losingD1()).insert(document);

    expect([outcome, await countsOf(document)]).toEqual([{ status: "inserted" }, { stored: 1, completed: 1 }]);
  });

  it("and a delete reports that the document existed", async () => {
    const document = completedDocument();
    await documents.insert(document);

    expect(await documentStore(losingD1()).remove(document.accountId, document.id)).toBe(true);
  });

  it("and a new template is pushed", async () => {
    const { accountId } = await newTenant(env);

    const result = await push(accountId, "new", {
      folder: "new",
      store: templateStore(losingD1("batch"), env.TEMPLATES),
    });

    expect(result).toMatchObject({ status: "pushed", changed: true });
  });

  it("and a new version is not reported as overtaken by its own first attempt", async () => {
    const { templateId } = await newTenant(env);
    const seen = await templates.findById(templateId);
    if (!seen) throw new Error("the template does not exist");

    const updated = await templateStore(losingD1(), env.TEMPLATES).update({ ...seen, version: 2, contentHash: "new" });

    expect(updated).toBe(true);
  });

  it("and an account, a key and its revocation are stored as given", async () => {
    const id = crypto.randomUUID();
    const key = { id: id.slice(0, 8), accountId: id, name: "k", secretHash: "h", createdAt: 1 };
    await accountStore(losingD1(), cipher).insertAccount({
      id,
      name: "Lost",
      plan: "free",
      region: "weur",
      createdAt: 1,
      webhookSecret: "whsec_",
    });
    await accountStore(losingD1(), cipher).insertKey(key);

    const revoked = await accountStore(losingD1(), cipher).revokeKey(key.id, 5);

    expect([revoked, await accounts.findAccount(id), await accounts.listKeys(id)]).toEqual([
      true,
      { id, name: "Lost", plan: "free", retentionDays: "plan", region: "weur" },
      [{ id: key.id, name: "k", createdAt: 1, revokedAt: 5 }],
    ]);
  });
});

/** Returns the number of the account's documents, and of the renders that it completed in the document's month. */
async function countsOf({
  accountId,
  month,
}: Pick<StoredDocument, "accountId" | "month">): Promise<{ stored: number; completed: number }> {
  const counts = await env.DB.prepare(
    "SELECT sum(stored) AS stored, sum(ever) FILTER (WHERE month = ?2 AND status = 'completed') AS completed FROM document_counts WHERE account_id = ?1",
  )
    .bind(accountId, month)
    .first<{ stored: number | null; completed: number | null }>();
  return { stored: counts?.stored ?? 0, completed: counts?.completed ?? 0 };
}

async function metadataOf(bytes: Uint8Array<ArrayBuffer>): Promise<FileMetadata> {
  const sha256 = await sha256Hex(bytes);
  return { fileSize: bytes.length, sha256, pageCount: 2, width: 400, height: 300, imageSize: null, warnings: [] };
}

async function put(key: string, text: string) {
  const bytes = Uint8Array.from(new TextEncoder().encode(text));
  return putFileOnce(env.FILES, key, "pdf", bytes, await metadataOf(bytes));
}

type PushOptions = { id?: string; folder?: string; newId?: string; store?: typeof templates };

function push(accountId: string, page: string, { id, folder = "folder", newId, store }: PushOptions = {}) {
  const services = operatorServices(env);
  return pushTemplate(
    { ...services, templates: store ?? services.templates, ...(newId ? { newId: () => newId } : {}) },
    { accountId, id, folder, content: templateContent({ page }) },
  );
}

function partsOf({ key }: { key: string }): ApiKeyParts {
  return apiKeyParts(key);
}

async function invalidKey(reason: string): Promise<ApiKeyParts> {
  const tenant = await newTenant(env);
  if (reason === "a revocation") await accounts.revokeKey(tenant.keyId, 1);
  const valid = partsOf(tenant);
  if (reason === "a wrong secret") return apiKeyParts(await alteredKey(tenant.key, { secret: "A".repeat(43) }));
  return reason === "an unknown id" ? partsOf({ key: await unknownKey() }) : valid;
}

/** Advances the clock that the caches use. */
function advanceClock(ms: number): void {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + ms });
}

/** Returns a directory, and the number of queries that it has sent. */
function countingDirectory() {
  let count = 0;
  const database = spiedD1(() => void count++);
  return { directory: keyDirectory(d1Client(database, callTimeoutMs)), queries: () => count };
}
