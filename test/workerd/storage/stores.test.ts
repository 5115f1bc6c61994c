import { env } from "cloudflare:workers";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { sha256Hex } from "colophon-base/encoding";
import type { FileMetadata } from "colophon-render/file-metadata";
import { templateContent } from "colophon-test-kit/template-content";
import type { ApiKeyParts } from "../../../src/core/accounts/api-key.ts";
import { scopes } from "../../../src/core/accounts/scopes.ts";
import { newFileKey, type StoredDocument } from "../../../src/core/documents/document.ts";
import { secretCipher } from "../../../src/core/webhooks/secret-encryption.ts";
import { revokeKey } from "../../../src/operations/accounts/manage-accounts.ts";
import { pushTemplate } from "../../../src/operations/templates/push-template.ts";
import { accountStore } from "../../../src/platform/accounts/account-store.ts";
import { keyDirectory } from "../../../src/platform/accounts/key-directory.ts";
import { auditLog } from "../../../src/platform/d1/audit-log.ts";
import { d1Client } from "../../../src/platform/d1/d1-client.ts";
import { documentStore } from "../../../src/platform/documents/document-store.ts";
import { fileStore, putFileOnce } from "../../../src/platform/documents/file-store.ts";
import { fileArchive } from "../../../src/platform/maintenance/object-archives.ts";
import { templateCatalog } from "../../../src/platform/templates/template-catalog.ts";
import { templateStore } from "../../../src/platform/templates/template-store.ts";
import { readEncryptionKeys } from "../../../src/services/encryption-keys.ts";
import { operatorServices } from "../../../src/services/operator-services.ts";
import { filesOf } from "../../../src/services/shared-services.ts";
import { alteredKey, partsOf as apiKeyParts, unknownKey } from "../../fixtures/api-keys.ts";
import { audit, everything } from "../../fixtures/audit.ts";
import { singleDatabase } from "../../fixtures/databases.ts";
import { completedDocument, failedDocument, failureOf } from "../../fixtures/documents.ts";
import { newTenant } from "../../fixtures/tenant.ts";
import { callTimeoutMs } from "../app.ts";
import { losingD1, spiedD1 } from "./spied-d1.ts";

const d1 = d1Client(env.DB, callTimeoutMs);
const documents = documentStore(singleDatabase(d1));
const files = fileStore(filesOf(env), callTimeoutMs);
const cipher = secretCipher(() => readEncryptionKeys(env));
const accounts = accountStore(singleDatabase(d1), cipher);
const keys = keyDirectory(singleDatabase(d1));
const templates = templateStore(d1, env.TEMPLATES);
const catalog = templateCatalog(d1, env.TEMPLATES);

/** The properties of a key that matter only to few tests. */
const anyKey = { name: "", scopes: [...scopes], isTest: false, expiresAt: null, createdAt: 1 };

afterEach(() => void vi.useRealTimers());

it.for(["completed", "failed"] as const)("the document store counts only the first, %s document", async (first) => {
  const completed = completedDocument();
  const failed = failureOf(completed);

  for (const document of first === "completed" ? [completed, failed] : [failed, completed])
    await documents.insert(document);

  expect(await countsOf(completed)).toEqual({ stored: 1, completed: first === "completed" ? 1 : 0 });
});

it("the document store counts completed documents by month and account, including deleted ones, and counts stored documents", async () => {
  const november = completedDocument();
  const more = { ...november, id: crypto.randomUUID() };
  const december = { ...more, id: crypto.randomUUID(), month: "2026-12" };
  const failed = { ...failedDocument(), accountId: november.accountId };
  const other = { ...november, id: crypto.randomUUID(), accountId: crypto.randomUUID() };
  for (const document of [november, more, december, failed, other]) await documents.insert(document);

  for (const { accountId, id } of [november, failed]) await documents.remove(accountId, id);

  expect(await Promise.all([november, december, other].map(countsOf))).toEqual([
    { stored: 2, completed: 2 },
    { stored: 2, completed: 1 },
    { stored: 1, completed: 1 },
  ]);
});

it.for([
  { range: undefined, length: 10 },
  { range: { offset: 0, length: 4 }, length: 4 },
  { range: { offset: 7, length: 100 }, length: 3 },
])("the file store reads $length bytes of a ten-byte file when the range is $range", async ({ range, length }) => {
  const key = newFileKey("pdf");
  await put(key, "0123456789");

  const file = await files.get(key, range);

  expect((await new Response(file?.body).arrayBuffer()).byteLength).toBe(length);
});

it("the file store keeps the first of two files with the same key", async () => {
  const key = newFileKey("pdf");
  const first = await put(key, "0123456789");

  expect(await put(key, "another")).toEqual(first);

  expect(await files.metadata(key)).toEqual({ fileSize: first.fileSize, sha256: first.sha256 });
});

it("the file store throws for a file without metadata", async () => {
  const key = newFileKey("pdf");
  await env.FILES.put(key, "put by hand");

  await expect(files.metadata(key)).rejects.toThrow("has no metadata");
});

it("the file store rejects bytes that do not match the digest", async () => {
  const key = newFileKey("pdf");
  const metadata = { ...(await metadataOf(Uint8Array.of(1, 2, 3))), sha256: "0".repeat(64) };

  const putting = putFileOnce(env.FILES, key, "pdf", Uint8Array.of(1, 2, 3), metadata);

  await expect(putting).rejects.toThrow();
  expect(await files.metadata(key)).toBeNull();
});

it.for([
  ["pdf", "application/pdf"],
  ["jpeg", "image/jpeg"],
] as const)("the file store stores a %s as %s, which caches keep for five minutes", async ([format, contentType]) => {
  const key = newFileKey(format);
  const bytes = Uint8Array.of(1);

  await putFileOnce(env.FILES, key, format, bytes, await metadataOf(bytes));

  expect((await env.FILES.head(key))?.httpMetadata).toMatchObject({
    contentType,
    cacheControl: "public, max-age=300",
  });
});

it("a private file is only in the bucket without a domain, and no cache keeps it", async () => {
  const key = newFileKey("pdf", "private");
  const bytes = Uint8Array.of(1, 2, 3);

  await putFileOnce(filesOf(env), key, "pdf", bytes, await metadataOf(bytes));

  expect(await env.FILES.head(key)).toBeNull();
  expect((await env.PRIVATE_FILES.head(key))?.httpMetadata).toMatchObject({ cacheControl: "private, no-store" });
  expect(await files.metadata(key)).toMatchObject({ fileSize: 3 });
  await files.remove(key);
  expect(await env.PRIVATE_FILES.head(key)).toBeNull();
});

it("the files of both buckets are listed once each, in the order of their keys, in pages of any size", async () => {
  const keys = Array.from({ length: 9 }, (_, at) => newFileKey("pdf", at % 3 === 0 ? "public" : "private"));
  const around = ["a", "p", "q", "z"].map((letter) => `${letter.repeat(43)}.pdf`);
  for (const key of [...keys, ...around]) await filesOf(env).put(key, Uint8Array.of(1), {});
  const archive = fileArchive(filesOf(env));
  const pagesOf = async (limit: number) => {
    const listed: string[] = [];
    for (let isLast = false; !isLast;) {
      const page = await archive.list(listed.at(-1) ?? "", limit);
      listed.push(...page.files.map(({ key }) => key));
      ({ isLast } = page);
    }
    return listed;
  };

  const [all = [], ...others] = await Promise.all([1_000, 1, 2, 5].map(pagesOf));

  expect(all).toEqual(expect.arrayContaining([...keys, ...around]));
  expect(all).toEqual([...new Set(all)].toSorted());
  expect(others).toEqual([all, all, all]);
  await archive.remove([...keys, ...around]);
  expect(await pagesOf(1_000)).toEqual(all.filter((key) => ![...keys, ...around].includes(key)));
});

describe("API keys", () => {
  // Reads the checksum secret, so that tests that count queries do not depend on their order.
  beforeAll(async () => void (await keys.findCaller(partsOf({ key: await unknownKey() }), Date.now())));

  it("API keys are stored with the digest of their secret, and without the secret", async () => {
    const tenant = await newTenant(env);

    const row = await env.DB.prepare("SELECT * FROM api_keys WHERE id = ?").bind(tenant.keyId).first();

    expect(row).toMatchObject({ secret_hash: await sha256Hex(partsOf(tenant).secret) });
    expect(JSON.stringify(row)).not.toContain(partsOf(tenant).secret);
  });

  it("callers with the complete key get the account with its plan, and the rights of the key", async () => {
    const { accountId: id, keyId, key } = await newTenant(env);
    const altered = alteredKey(key, { secret: "A".repeat(43) });

    const plan = { name: "pro", monthlyRenders: 500, apiAccess: true, retentionDays: "keep" };
    const account = { id, name: "Test", plan, retentionDays: "keep", access: "public", recordDownloads: false };
    const rights = { id: keyId, scopes: [...scopes], isTest: false, expiresAt: null };
    const caller = { account, key: rights };
    expect(await keys.findCaller(partsOf({ key }), Date.now())).toEqual({ status: "valid", caller });
    expect(await keys.findCaller(partsOf({ key: altered }), Date.now())).toEqual({ status: "unknown" });
    await accounts.revokeKey(id, keyId, audit(id));
    advanceClock(10_000);
    expect(await keys.findCaller(partsOf({ key: altered }), Date.now())).toEqual({ status: "unknown" });
  });

  it("changed settings of an account are in force ten seconds later, even if its key was cached", async () => {
    const tenant = await newTenant(env);
    const settings = { access: "private", recordDownloads: true } as const;
    await keys.findCaller(partsOf(tenant), Date.now());
    await accounts.updateAccount(tenant.accountId, settings, [audit(tenant.accountId)]);

    advanceClock(10_000);

    expect(await keys.findCaller(partsOf(tenant), Date.now())).toMatchObject({ caller: { account: settings } });
  });

  it("API keys are not found ten seconds after they are revoked, even if they were cached", async () => {
    const tenant = await newTenant(env);
    await keys.findCaller(partsOf(tenant), Date.now());
    await accounts.revokeKey(tenant.accountId, tenant.keyId, audit(tenant.accountId));

    advanceClock(10_000);

    expect(await keys.findCaller(partsOf(tenant), Date.now())).toEqual({ status: "revoked" });
  });

  describe.for(["an unknown id", "a wrong secret", "a revocation"])(
    "API keys that are invalid because of %s",
    (reason) => {
      it("invalid API keys are looked up in D1 at most once every five seconds", async () => {
        const key = await invalidKey(reason);
        const { directory, queries } = countingDirectory();

        for (let i = 0; i < 5; i++) await directory.findCaller(key, Date.now());
        const soon = queries();
        advanceClock(5_001);
        await directory.findCaller(key, Date.now());

        expect([soon, queries()]).toEqual([1, 2]);
      });
    },
  );

  it("API keys with a wrong secret are looked up even if the valid key with the same id is cached", async () => {
    const tenant = await newTenant(env);
    const { directory, queries } = countingDirectory();
    await directory.findCaller(partsOf(tenant), Date.now());

    await directory.findCaller(apiKeyParts(alteredKey(tenant.key, { secret: "A".repeat(43) })), Date.now());

    expect(queries()).toBe(2);
  });

  it("API keys with a wrong checksum are refused without a query to D1", async () => {
    const tenant = await newTenant(env);
    const { directory, queries } = countingDirectory();
    const { id, secret } = partsOf(tenant);

    const found = [];
    for (let i = 0; i < 100; i++) {
      const checksum = `wrong${String(i).padStart(3, "0")}`;
      found.push((await directory.findCaller({ id, secret, checksum }, Date.now())).status);
    }

    expect([new Set(found), queries()]).toEqual([new Set(["unknown"]), 0]);
  });

  it("API keys stay cached while thousands of invalid keys are refused", async () => {
    const tenant = await newTenant(env);
    const { directory, queries } = countingDirectory();
    const unreadable = keyDirectory(singleDatabase({ run: async () => null as never }));
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
    await directory.findCaller(partsOf(tenant), Date.now());

    for (let i = 0; i < 2_500; i++)
      await unreadable.findCaller(
        apiKeyParts(alteredKey(tenant.key, { secret: String(i).padStart(43, "A") })),
        Date.now(),
      );
    await directory.findCaller(partsOf(tenant), Date.now());

    expect(queries()).toBe(1);
  });

  it("API keys that are revoked again keep the time of the first revocation", async () => {
    const tenant = await newTenant(env);
    const { accountId, keyId } = tenant;
    for (const createdAt of [1_000, 2_000]) await accounts.revokeKey(accountId, keyId, audit(accountId, { createdAt }));

    const { items } = await accounts.listKeys(accountId, everything);
    expect(items.map(({ revokedAt }) => revokedAt)).toEqual([1_000]);
  });

  it("API keys can be revoked only by their own account", async () => {
    const [mine, theirs] = [await newTenant(env), await newTenant(env)];
    const revoke = (id: string) => revokeKey(operatorServices(env), { id: mine.accountId }, id);

    await expect(revoke("0000000000000000")).rejects.toMatchObject({ code: "KEY_NOT_FOUND" });
    await expect(revoke(theirs.keyId)).rejects.toMatchObject({ code: "KEY_NOT_FOUND" });
    await accounts.revokeKey(mine.accountId, theirs.keyId, audit(mine.accountId));

    expect(await accounts.findKey(theirs.accountId, theirs.keyId)).toMatchObject({ revokedAt: null });
  });
});

it("plans start with the limits of the contract and with API access", async () => {
  const defaults = env.MIGRATIONS.directory
    .flatMap(({ queries }) => queries)
    .find((query) => query.includes("INTO plans"));

  const seeded = [...(defaults ?? "").matchAll(/\('(\w+)', (\d+), (\d)\)/g)].map(([, ...plan]) => plan);

  expect(seeded).toEqual([
    ["free", "50", "1"],
    ["starter", "150", "1"],
    ["pro", "500", "1"],
    ["enterprise", "5000", "1"],
  ]);
});

it("plans change only the given properties", async () => {
  const first = await accounts.updatePlan("starter", { apiAccess: false });
  const second = await accounts.updatePlan("starter", { monthlyRenders: 7 });

  expect([first, second]).toEqual([
    { name: "starter", monthlyRenders: 150, apiAccess: false, retentionDays: "keep" },
    { name: "starter", monthlyRenders: 7, apiAccess: false, retentionDays: "keep" },
  ]);
});

it("templates are found immediately after they are created, even if an earlier lookup found nothing", async () => {
  const { accountId } = await newTenant(env);
  const id = crypto.randomUUID();
  const before = await catalog.find(accountId, id);
  await push(accountId, "new", { folder: "new", newId: id });

  expect([before, (await catalog.find(accountId, id))?.id]).toEqual([null, id]);
});

it("a write that is repeated after a lost response stores a document only once", async () => {
  const document = completedDocument();

  const outcome = await documentStore(singleDatabase(losingD1())).insert(document);

  expect([outcome, await countsOf(document)]).toEqual([{ status: "inserted" }, { stored: 1, completed: 1 }]);
});

it("a delete that is repeated after a lost response reports that the document existed", async () => {
  const document = completedDocument();
  await documents.insert(document);

  expect(await documentStore(singleDatabase(losingD1())).remove(document.accountId, document.id)).toBe(true);
});

it("a push that is repeated after a lost response succeeds", async () => {
  const { accountId } = await newTenant(env);

  const result = await push(accountId, "new", {
    folder: "new",
    store: templateStore(losingD1("batch"), env.TEMPLATES),
  });

  expect(result).toMatchObject({ template: { version: 1 }, changed: true });
});

it("a push of a new version that is repeated after a lost response does not conflict with its own first attempt", async () => {
  const { accountId, templateId } = await newTenant(env);
  const seen = await catalog.find(accountId, templateId);
  if (!seen) throw new Error("the template does not exist");
  const newer = { ...seen, version: 2, contentHash: "new" };

  const updated = await templateStore(losingD1("batch"), env.TEMPLATES).update(newer, audit(accountId));

  expect(updated).toBe(true);
});

it("an account, a key and its revocation are stored as given if the writes are repeated after a lost response", async () => {
  const id = crypto.randomUUID();
  const key = { ...anyKey, id: id.slice(0, 8), name: "k", isTest: true, expiresAt: 9 };
  const account = { id, name: "Lost", plan: "free", region: "weur", shard: 0, createdAt: 1 } as const;
  const settings = { access: "private", recordDownloads: true } as const;
  const own = { ...account, ...settings, monthlyRenders: 7, retentionDays: "keep" } as const;
  const losing = () => accountStore(singleDatabase(losingD1("batch")), cipher);
  const events = ["created", "key", "revoked"].map((action, index) => audit(id, { action, createdAt: index + 5 }));
  const [created = audit(id), keyCreated = audit(id), revoked = audit(id)] = events;
  await losing().insertAccount({ ...own, webhookSecret: "whsec_" }, created);
  await losing().insertKey({ ...key, accountId: id, secretHash: "h" }, keyCreated);

  await losing().revokeKey(id, key.id, revoked);

  expect(await accounts.findAccount(id)).toEqual(own);
  expect(await accounts.findKey(id, key.id)).toEqual({ ...key, revokedAt: 7, lastUsedAt: null });
  expect((await auditLog(d1).list(id, everything, 8)).items).toEqual(events.toReversed());
});

/** Returns the number of the account's documents, and of the renders completed in the document's month. */
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

type PushOptions = { folder?: string; newId?: string; store?: typeof templates };

function push(accountId: string, page: string, { folder = "folder", newId, store }: PushOptions = {}) {
  const services = operatorServices(env);
  return pushTemplate(
    { ...services, templates: store ?? services.templates, ...(newId ? { newId: () => newId } : {}) },
    { accountId, folder, content: templateContent({ page }) },
  );
}

function partsOf({ key }: { key: string }): ApiKeyParts {
  return apiKeyParts(key);
}

async function invalidKey(reason: string): Promise<ApiKeyParts> {
  const tenant = await newTenant(env);
  const { accountId, keyId } = tenant;
  if (reason === "a revocation") await accounts.revokeKey(accountId, keyId, audit(accountId));
  const valid = partsOf(tenant);
  if (reason === "a wrong secret") return apiKeyParts(alteredKey(tenant.key, { secret: "A".repeat(43) }));
  return reason === "an unknown id" ? partsOf({ key: await unknownKey() }) : valid;
}

/** Advances the clock that the caches use. */
function advanceClock(ms: number): void {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + ms });
}

/** Returns a directory, and the number of its queries. */
function countingDirectory() {
  let count = 0;
  const database = spiedD1(() => void count++);
  return { directory: keyDirectory(singleDatabase(d1Client(database, callTimeoutMs))), queries: () => count };
}
