// Private documents, and links to files.
import { env } from "cloudflare:workers";
import { expect, it, vi } from "vitest";
import { sealLink, type LinkTarget } from "../../../src/core/documents/links.ts";
import { readEncryptionKeys } from "../../../src/services/encryption-keys.ts";
import { get, newTenant, post, type Tenant } from "../../fixtures/tenant.ts";
import {
  create,
  dataOf,
  fileBytes,
  newWorld,
  refusalOf,
  renderFile,
  send,
  testService,
  usageOf,
  type DocumentJson,
  type TestService,
} from "../app.ts";

const origin = "https://colophon.test";
type Link = { url: string; expiresAt: string };

/** Creates a private document, and returns its record with the file that the renderer stored. */
async function privateDocument(body: object = {}, service = testService()) {
  const tenant = await newTenant(env);
  const response = await post(service, tenant, { templateId: tenant.templateId, data: {}, access: "private", ...body });
  const record = await dataOf(response);
  return {
    tenant,
    service,
    record,
    token: tokenOf(record.pdfUrl),
    bytes: fileBytes(service.jobs[0] ?? { fileKey: "" }),
  };
}

function tokenOf(url: string | null): string {
  return url?.replace(`${origin}/links/`, "") ?? "";
}

function open(service: TestService, token: string, init?: RequestInit): Promise<Response> {
  return service.fetch(`${origin}/links/${token}`, init);
}

async function newLink(service: TestService, tenant: Tenant, id: string, body?: object): Promise<Response> {
  return send(service, { method: "POST", path: `/documents/${id}/links`, body }, authorization(tenant));
}

function endLinks(service: TestService, tenant: Tenant, id: string): Promise<Response> {
  return send(service, { method: "DELETE", path: `/documents/${id}/links` }, authorization(tenant));
}

const authorization = ({ key }: Tenant) => ({ Authorization: `Bearer ${key}` });

/** The response without what differs between any two responses. */
async function comparable(response: Response): Promise<unknown> {
  const headers = [...response.headers].filter(([name]) => name !== "x-request-id");
  const text = await response.text();
  return [response.status, headers, text.replace(/"timestamp":"[^"]*","requestId":"[^"]*"/, "")];
}

it("a private document has a link in place of its public URL, and its file is only in the private bucket", async () => {
  const { record, service, token, bytes } = await privateDocument();
  const [job = expect.unreachable()] = service.jobs;

  const response = await open(service, token);

  expect(record).toMatchObject({ access: "private", pdfUrl: `${origin}/links/${token}`, fileUrl: record.pdfUrl });
  expect(Date.parse(record.linkExpiresAt ?? "") - Date.now()).toBeGreaterThan(890_000);
  expect(Date.parse(record.linkExpiresAt ?? "") - Date.now()).toBeLessThanOrEqual(900_000);
  expect([response.status, new Uint8Array(await response.arrayBuffer())]).toEqual([200, bytes]);
  expect(job.fileKey).toMatch(/^private\//);
  expect(await env.FILES.head(job.fileKey)).toBeNull();
  expect(await env.PRIVATE_FILES.head(job.fileKey)).not.toBeNull();
});

it("a public document has no new property, also if the request says that it is public", async () => {
  const { tenant, service } = await newWorld();
  const body = { templateId: tenant.templateId, data: {} };

  const records = await Promise.all(
    [body, { ...body, access: "public" }].map(async (each) => dataOf(await post(service, tenant, each))),
  );

  expect(records.map((record) => Object.keys(record))).toEqual(
    Array(2).fill(expect.not.arrayContaining(["access", "linkExpiresAt"])),
  );
});

it.each([
  ["inline under a plain name", {}, {}, "inline; filename=document.pdf"],
  ["inline under the name of the document", { filename: "June" }, {}, "inline; filename=June.pdf"],
  ["as an attachment", {}, { disposition: "attachment" }, "attachment; filename=document.pdf"],
  [
    "under the name of the link",
    { filename: "June" },
    { filename: "Zoë 6" },
    expect.stringContaining("filename*=UTF-8''Zo%C3%AB%206.pdf"),
  ],
])("a link sends the file %s, with headers that keep it out of caches", async (_, body, link, disposition) => {
  const { tenant, service, record } = await privateDocument(body);
  const { url } = await dataOf<Link>(await newLink(service, tenant, record.id, link));

  const { headers } = await open(service, tokenOf(url));

  expect(Object.fromEntries(headers)).toMatchObject({
    "content-type": "application/pdf",
    "content-disposition": disposition,
    "cache-control": "private, no-store",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "accept-ranges": "bytes",
    etag: `"${record.sha256}"`,
  });
});

it("a link supports HEAD, ranges and conditional requests", async () => {
  const { service, record, token, bytes } = await privateDocument();
  const range = await open(service, token, { headers: { Range: "bytes=2-4" } });
  const head = await open(service, token, { method: "HEAD" });
  const unchanged = await open(service, token, { headers: { "If-None-Match": `"${record.sha256}"` } });

  expect([range.status, await range.text()]).toEqual([206, new TextDecoder().decode(bytes.subarray(2, 5))]);
  expect([head.status, head.headers.get("Content-Length"), await head.text()]).toEqual([200, String(bytes.length), ""]);
  expect([unchanged.status, unchanged.headers.get("Cache-Control")]).toEqual([304, "private, no-store"]);
});

it("every guessed or changed token gets the same 404 as an unknown path", async () => {
  const { service, tenant, token } = await privateDocument();
  const { token: other } = await privateDocument({}, service);
  const flipped = Array.from(
    token,
    (char, at) => `${token.slice(0, at)}${char === "A" ? "B" : "A"}${token.slice(at + 1)}`,
  );
  const cut = Array.from({ length: 60 }, (_, at) => token.slice(0, at * 3));
  const guessed = Array.from({ length: 40 }, () =>
    Buffer.from(crypto.getRandomValues(new Uint8Array(160))).toString("base64url"),
  );
  const spelled = [
    `${token}A`,
    `${token}=`,
    `${token}==`,
    `A${token}`,
    `${token}.pdf`,
    `${token}/`,
    `${token}%0a`,
    `${token}%20`,
  ];
  const recoded = [
    token.replaceAll("-", "+").replaceAll("_", "/"),
    `%${(token.codePointAt(0) ?? 0).toString(16)}${token.slice(1)}`,
  ];
  const mixed = [
    token.slice(0, 43) + other.slice(43),
    other.slice(0, 43) + token.slice(43),
    token + other,
    "null",
    "%",
    "%00",
  ];
  const tokens = [...flipped, ...cut, ...guessed, ...spelled, ...recoded, ...mixed].filter((each) => each !== token);
  const expected = await comparable(await open(service, "x"));

  const different: string[] = [];
  for (const each of tokens) {
    const response = await comparable(await open(service, each));
    if (JSON.stringify(response) !== JSON.stringify(expected)) different.push(each);
  }

  expect(tokens.length).toBeGreaterThan(200);
  expect(different).toEqual([]);
  expect(expected).toEqual(await comparable(await service.fetch(`${origin}/links/a/b`)));
  expect((expected as [number])[0]).toBe(404);
  expect((await open(service, token)).status).toBe(200);
  expect((await get(service, tenant, "/documents")).status).toBe(200);
});

const keyText = (byte: number) => btoa(String.fromCharCode(...new Uint8Array(32).fill(byte)));
const withKeys = (current: number, previous?: number) =>
  testService(undefined, {
    ...env,
    WEBHOOK_SECRETS_KEY: keyText(current),
    WEBHOOK_SECRETS_KEY_PREVIOUS: previous === undefined ? "" : keyText(previous),
  } as Env);

it("a link remains valid while the service's key is replaced, and ends when its key is dropped", async () => {
  const { token } = await privateDocument({}, withKeys(1));

  const statuses = await Promise.all(
    [withKeys(1), withKeys(2, 1), withKeys(2), withKeys(3, 2)].map(
      async (service) => (await open(service, token)).status,
    ),
  );

  expect(statuses).toEqual([200, 200, 404, 404]);
});

const ends: [string, (world: Awaited<ReturnType<typeof privateDocument>>) => Promise<unknown>][] = [
  ["its links are ended", ({ service, tenant, record }) => endLinks(service, tenant, record.id)],
  [
    "the document is deleted",
    ({ service, tenant, record }) =>
      send(service, { method: "DELETE", path: `/documents/${record.id}` }, authorization(tenant)),
  ],
];

it.each(ends)("a link ends when %s, with the same 404 as an unknown path", async (_, end) => {
  const world = await privateDocument();
  const { service, token } = world;
  const before = await open(service, token);

  await end(world);

  expect(before.status).toBe(200);
  expect(await comparable(await open(service, token))).toEqual(await comparable(await open(service, "x")));
});

it("a link ends at its time, and with its document, which may expire earlier", async () => {
  const { service, token } = await privateDocument({ linkExpiresIn: 60 });
  const expiring = await privateDocument({ linkExpiresIn: 604_800, expiresIn: 3_600 }, service);
  const at = (seconds: number) => testService(() => ({ now: () => Date.now() + seconds * 1000 }));

  const statusesAt = async (seconds: number) =>
    Promise.all([token, expiring.token].map(async (each) => (await open(at(seconds), each)).status));

  expect(await statusesAt(58)).toEqual([200, 200]);
  expect(await statusesAt(61)).toEqual([404, 200]);
  expect(await statusesAt(3_601)).toEqual([404, 404]);
  expect(expiring.record.linkExpiresAt).toBe(expiring.record.expiresAt);
});

it("a link whose end was ended works again only as a new link, in the record and on request", async () => {
  const { service, tenant, record } = await privateDocument();
  const ended = await endLinks(service, tenant, record.id);

  const read = await dataOf(await get(service, tenant, `/documents/${record.id}`));
  const { url } = await dataOf<Link>(await newLink(service, tenant, record.id));

  expect(await dataOf<object>(ended)).toEqual({ id: record.id, linksEnded: true });
  expect((await open(service, tokenOf(read.pdfUrl))).status).toBe(200);
  expect((await open(service, tokenOf(url))).status).toBe(200);
});

it("a token of the service for a document of a different account, or of none, opens nothing", async () => {
  const { tenant, service, record, token } = await privateDocument();
  const { tenant: foreign } = await privateDocument();
  const keys = readEncryptionKeys(env as Parameters<typeof readEncryptionKeys>[0]);
  const target = {
    accountId: tenant.accountId,
    id: record.id,
    mergedFile: null,
    epoch: 0,
    endsAt: Date.now() + 60_000,
  };
  const seal = (change: Partial<LinkTarget>) =>
    sealLink(keys, { ...target, disposition: "inline", filename: null, ...change });
  const statusOf = async (change: Partial<LinkTarget>) => (await open(service, seal(change))).status;

  expect(await statusOf({})).toBe(200);
  expect(await statusOf({ accountId: foreign.accountId })).toBe(404);
  expect(await statusOf({ accountId: crypto.randomUUID() })).toBe(404);
  expect(await statusOf({ epoch: 1 })).toBe(404);
  expect(await statusOf({ mergedFile: 0 })).toBe(404);
  expect(await statusOf({ endsAt: Date.now() - 1 })).toBe(404);
  expect(token.length).toBe(seal({ accountId: `${tenant.accountId}-test` }).length);
});

it("a link to a public document does not contain its public URL", async () => {
  const { tenant, service } = await newWorld();
  const record = await dataOf(await create(service, tenant));

  const response = await newLink(service, tenant, record.id, { expiresIn: 60 });

  const { url, expiresAt } = await dataOf<Link>(response);
  expect(response.status).toBe(201);
  expect(url).not.toContain(record.pdfUrl?.split("/").at(-1)?.slice(0, 20));
  expect(Buffer.from(tokenOf(url), "base64url").toString("latin1")).not.toContain(record.id);
  expect(Date.parse(expiresAt) - Date.now()).toBeLessThanOrEqual(60_000);
  expect((await open(service, tokenOf(url))).status).toBe(200);
});

it("the key of a private file is not served as a public file, in any spelling", async () => {
  const { service, record } = await privateDocument();
  const fileKey = service.jobs[0]?.fileKey ?? "";
  const local = testService(({ settings }) => ({ settings: { ...settings, cdnUrl: `${origin}/files` } }));

  const spellings = [
    fileKey,
    fileKey.replace("/", "%2F"),
    fileKey.replace("private/", ""),
    `./${fileKey}`,
    `%70rivate%2f${fileKey.slice(8)}`,
  ];
  const statuses = await Promise.all(
    spellings.map(async (each) => (await local.fetch(`${origin}/files/${each}`)).status),
  );

  expect(record.id).not.toBe("");
  expect(statuses).toEqual(spellings.map(() => 404));
});

it.each(["linkExpiresIn", "expiresIn"])("%s must be a whole number of seconds from 60 to 604,800", async (name) => {
  const { tenant, service, record } = await privateDocument();
  const body = { templateId: tenant.templateId, data: {}, access: "private" };
  const sendWith = (value: unknown) =>
    name === "linkExpiresIn"
      ? post(service, tenant, { ...body, [name]: value })
      : newLink(service, tenant, record.id, { [name]: value });

  const accepted = await Promise.all([60, 604_800].map(async (value) => (await sendWith(value)).status));
  const refused = await Promise.all(
    [59, 604_801, 60.5, "900", null, -1].map(async (value) => refusalOf(await sendWith(value))),
  );

  expect(accepted).toEqual([201, 201]);
  for (const refusal of refused)
    expect(refusal).toMatchObject({ status: 400, code: "VALIDATION_ERROR", details: [{ path: name }] });
});

it.each([
  [{ disposition: "open" }, "disposition"],
  [{ filename: "a/b.pdf" }, "filename"],
  [{ filename: "" }, "filename"],
  [{ url: "https://a.test" }, "url"],
])("POST /documents/{id}/links refuses %j", async (body, path) => {
  const { tenant, service, record } = await privateDocument();

  const refusal = await refusalOf(await newLink(service, tenant, record.id, body));

  expect(refusal).toMatchObject({ status: 400, code: "VALIDATION_ERROR", details: [{ path }] });
});

it.each([null, "secret", 1, ["private"], "Private"])("a create with the access %j is refused", async (access) => {
  const { tenant, service } = await newWorld();

  const refusal = await refusalOf(await post(service, tenant, { templateId: tenant.templateId, data: {}, access }));

  expect(refusal).toMatchObject({ status: 400, code: "VALIDATION_ERROR", details: [{ path: "access" }] });
  expect(service.jobs).toEqual([]);
});

it("a document without a file, or of a different account, has no links", async () => {
  const { tenant, service, record } = await privateDocument();
  const { tenant: foreign } = await privateDocument();
  service.render = async () => ({ status: "impossible", message: "The table is too long." });
  await create(service, tenant);
  const { documents } = await dataOf<{ documents: DocumentJson[] }>(
    await get(service, tenant, "/documents?status=failed"),
  );
  service.render = renderFile;

  const refused = [
    await newLink(service, tenant, documents[0]?.id ?? ""),
    await newLink(service, foreign, record.id),
    await endLinks(service, foreign, record.id),
  ];

  for (const response of refused)
    expect(await refusalOf(response)).toMatchObject({ status: 404, code: "DOCUMENT_NOT_FOUND" });
});

it("a list and a repeat have fresh links, and the file of a private document can be the response to its create", async () => {
  const { tenant, service } = await newWorld();
  const body = { templateId: tenant.templateId, data: {}, access: "private", linkExpiresIn: 3_600 };
  const first = await dataOf(await post(service, tenant, body, { "Idempotency-Key": "k" }));
  await endLinks(service, tenant, first.id);

  const repeated = await dataOf(await post(service, tenant, body, { "Idempotency-Key": "k" }));
  const { documents } = await dataOf<{ documents: DocumentJson[] }>(await get(service, tenant, "/documents"));
  const file = await post(service, tenant, body, { Accept: "application/pdf" });
  const download = await get(service, tenant, `/documents/${first.id}/download`);

  for (const { pdfUrl, linkExpiresAt } of [repeated, ...documents]) {
    expect((await open(service, tokenOf(pdfUrl))).status).toBe(200);
    expect(Date.parse(linkExpiresAt ?? "") - Date.now()).toBeGreaterThan(3_590_000);
  }
  expect((await open(service, tokenOf(first.pdfUrl))).status).toBe(404);
  expect([file, download].map(({ status, headers }) => [status, headers.get("Cache-Control")])).toEqual([
    [201, "private, no-store"],
    [200, "private, no-store"],
  ]);
});

it("a link gets 503 with Retry-After, and never a redirect, if the private bucket is down", async () => {
  const { token, tenant, record } = await privateDocument();
  const fail = () => {
    throw new Error("R2 is down");
  };
  const down = testService(() => ({}), { ...env, PRIVATE_FILES: new Proxy({}, { get: () => fail }) as R2Bucket });

  const responses = [await open(down, token), await get(down, tenant, `/documents/${record.id}/download`)];

  for (const response of responses) {
    expect([response.status, response.headers.get("Location")]).toEqual([503, null]);
    expect(Number(response.headers.get("Retry-After"))).toBeGreaterThanOrEqual(5);
  }
});

it("without a valid key of the service, private documents and batches get 500 before anything is rendered or counted", async () => {
  const { tenant, service: working } = await newWorld();
  const encryptionKeys = () => readEncryptionKeys({ WEBHOOK_SECRETS_KEY: "abc" });
  const service = testService(() => ({ encryptionKeys }));
  const create = (body: object) => post(service, tenant, { templateId: tenant.templateId, data: {}, ...body });
  const batch = { templateId: tenant.templateId, access: "private", items: [{ data: {} }] };
  const { id } = await dataOf(
    await send(working, { method: "POST", path: "/batches", body: batch }, authorization(tenant)),
  );
  await vi.waitUntil(async () => (await usageOf(tenant)).used === 1, { timeout: 10_000 });

  const refused = [
    await create({ access: "private" }),
    await post(service, tenant, { ...batch, items: undefined, data: {} }, { Prefer: "respond-async" }),
    await send(service, { method: "POST", path: "/batches", body: batch }, authorization(tenant)),
    await get(service, tenant, `/batches/${id}/results`),
  ];
  const usage = await usageOf(tenant);

  expect(await Promise.all(refused.map(async (each) => (await refusalOf(each)).code))).toEqual(
    Array(4).fill("INTERNAL_ERROR"),
  );
  expect([service.jobs.length, usage]).toEqual([0, { used: 1, reserved: 0 }]);
  expect((await create({})).status).toBe(201);
});
