// The accounts that the tests of the console look at: an empty one, one with a few of everything, and one with hostile texts.
import { randomBytes, randomUUID } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { templateZip } from "colophon-template-model/template-zip";
import { readLocalSecrets } from "../../src/cli/local/local-secrets.ts";
import { hostileText, longWord } from "./hostile-texts.ts";
import { startService, type RunningService } from "./service.ts";

export type Call = <T = { id: string }>(method: string, path: string, body?: unknown) => Promise<T>;
export type Owner = { id: string; key: string; call: Call };
/** The ids of the account's resources. */
export type Filled = Owner & Record<"completed" | "image" | "failed" | "template" | "batch" | "dead", string>;

export type ConsoleService = {
  service: RunningService;
  operatorKey: string;
  /** Calls the API as the operator. */
  operator: Call;
  /** The receiver of webhooks. Below `/gone`, it responds with 410. */
  receiver: string;
  stop(): Promise<void>;
};

export async function startConsoleService(): Promise<ConsoleService> {
  const server = createServer((request, response) => {
    if (request.url?.startsWith("/gone")) response.writeHead(410);
    response.end(`<script>alert("response")</script>${hostileText}`);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const receiver = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const service = await startService({ DEMO: "0", WEBHOOK_ALLOWED_ORIGINS: receiver });
  const { OPERATOR_KEY: operatorKey = "" } = await readLocalSecrets(service.stateDir);
  return {
    service,
    operatorKey,
    operator: callWith(service, operatorKey),
    receiver,
    async stop() {
      await service.stop();
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Paths begin with `/v1` or `/manage/v1`. Bytes are sent as a zip, and anything else as JSON. */
export function callWith({ origin }: Pick<RunningService, "origin">, key: string): Call {
  return async <T>(method: string, path: string, body?: unknown) => {
    const isZip = body instanceof Uint8Array;
    const response = await fetch(`${origin}/api${path}`, {
      method,
      headers: { Authorization: `Bearer ${key}`, "Content-Type": isZip ? "application/zip" : "application/json" },
      ...(body !== undefined && { body: isZip ? new Uint8Array(body) : JSON.stringify(body) }),
    });
    const { data, error } = (await response.json()) as { data: T; error?: { message: string } };
    if (error) throw new Error(`${method} ${path}: ${error.message}`);
    return data;
  };
}

/** Creates an account with a key. */
export async function newOwner({ service, operator }: ConsoleService, name: string): Promise<Owner> {
  const { id } = await operator("POST", "/manage/v1/admin/accounts", { name, plan: "enterprise" });
  const keys = `/manage/v1/admin/accounts/${id}/keys`;
  const { key } = await operator<{ key: string }>("POST", keys, { name: name.slice(0, 100) });
  return { id, key, call: callWith(service, key) };
}

type Sources = Record<string, string>;

/** The files of a template that fails on line 2 if `divisor` is 0. */
export function letterFiles(greeting = "Good morning,"): Sources {
  const fields = [
    { key: "name", label: "Name of the reader", type: "string", required: true, description: "As in the address." },
    { key: "divisor", label: "Divisor", type: "integer", default: 1 },
    { key: "sent", label: "Sent", type: "date" },
    { key: "isUrgent", label: "Urgent", type: "boolean" },
    { key: "text", label: "Text", type: "text" },
    { key: "logo", label: "Logo", type: "image" },
    { key: "lines", label: "Lines", type: "list", fields: [{ key: "item", label: "Item", type: "string" }] },
    { key: "sender", label: "Sender", type: "object", fields: [{ key: "city", label: "City", type: "string" }] },
  ];
  const manifest = { title: "Letter", description: "A letter of one page.", pageSize: "A5", fields };
  const sample = {
    name: "Ada",
    sent: "2026-11-26",
    text: "One\ntwo",
    lines: [{ item: "Pen" }],
    sender: { city: "Bern" },
  };
  return {
    "template.json": JSON.stringify(manifest, null, 2),
    "sample.json": JSON.stringify(sample, null, 2),
    "pages/1.liquid": `<h1>${greeting} {{ name }}</h1>\n<p>{{ 10 | divided_by: divisor }}</p>\n{{ text }}\n`,
  };
}

export function zipOf(sources: Sources): Uint8Array {
  const files = Object.entries(sources);
  return templateZip(files.map(([path, text]) => ({ path, bytes: new TextEncoder().encode(text) })));
}

async function push({ call }: Owner, folder: string, sources: Sources): Promise<string> {
  const path = `/manage/v1/templates/${folder}`;
  return (await call<{ template: { id: string } }>("PUT", path, zipOf(sources))).template.id;
}

/** An account with twelve documents in addition to the documents of its batch. */
export async function fillAccount(running: ConsoleService): Promise<Filled> {
  const owner = await newOwner(running, "Acme Print");
  const { receiver } = running;
  const template = await push(owner, "letter", letterFiles("Good morning,"));
  await push(owner, "letter", letterFiles("Hello"));
  await owner.call("PATCH", "/manage/v1/settings", { recordDownloads: true });
  const create = (body: object) =>
    owner.call("POST", "/v1/documents", { templateId: template, data: { name: "Ada" }, ...body });
  const metadata = { order: "1017", customer: "Grace" };
  const [first, image] = await Promise.all([
    create({ webhookUrl: `${receiver}/hook`, filename: "invoice-1017", metadata, access: "private" }),
    create({ format: "png", metadata }),
    create({ format: "jpeg" }),
    create({ format: "webp" }),
    create({ webhookUrl: `${receiver}/gone` }),
    create({ data: { name: "Ada", unknown: 1 } }),
    ...Array.from({ length: 4 }, () => create({})),
  ]);
  const failed = await failing(owner, { templateId: template, data: { name: "Ada", divisor: 0 }, metadata });
  await failing(owner, { templateId: template, data: { name: "Bo", divisor: 0 }, webhookUrl: `${receiver}/hook` });
  const divisors = [1, 0, 1, 0];
  const items = divisors.map((divisor, index) => ({ customId: `row-${index}`, data: { name: "Eve", divisor } }));
  const output = ["documents", "merged"];
  const batch = await batchOf(owner, { templateId: template, items, output, access: "private" });
  const dead = await deadWebhook(owner);
  return { ...owner, template, batch, dead, failed, completed: first?.id ?? "", image: image?.id ?? "" };
}

/** An account in which every string that it or its callers choose is hostile. */
export async function fillWithHostileTexts(running: ConsoleService): Promise<Filled> {
  const owner = await newOwner(running, hostileText.slice(0, 100));
  const template = await push(owner, "hostile", hostileFiles(1));
  await push(owner, "hostile", hostileFiles(2));
  const webhookUrl = `${running.receiver}/gone?${"x".repeat(300)}&q=<script>alert("url")</script>`;
  const filename = `\u{1F4A5}${"W".repeat(150)} name`;
  const metadata = { [longWord.slice(0, 40)]: hostileText.slice(0, 500), plain: longWord.slice(0, 500) };
  const data = { [hostileText]: 1, name: hostileText };
  const base = { templateId: template, filename, metadata, webhookUrl };
  const [completed, image] = await Promise.all([
    owner.call("POST", "/v1/documents", { ...base, data }),
    owner.call("POST", "/v1/documents", { ...base, data, format: "png" }),
  ]);
  await failing(owner, { ...base, data: { style: hostileText } });
  const items = [
    { customId: hostileText.slice(0, 200), data: { style: hostileText } },
    { customId: longWord.slice(0, 200), data },
  ];
  const batch = await batchOf(owner, { templateId: template, items });
  const failed = await importHostile(running, owner.id, template);
  const dead = await deadWebhook(owner);
  return { ...owner, template, batch, dead, failed, completed: completed.id, image: image.id };
}

function hostileFiles(version: number): Sources {
  const line = hostileText.slice(0, 200);
  const fields = [
    { key: "name", label: line, type: "string", description: hostileText.slice(0, 5_000) },
    { key: "style", label: longWord.slice(0, 200), type: "string" },
    { key: "list", label: line, type: "list", items: "string" },
  ];
  const manifest = { title: line, description: hostileText.slice(0, 5_000), pageSize: "A6", fields };
  return {
    "template.json": JSON.stringify(manifest),
    "sample.json": JSON.stringify({ name: hostileText, list: [hostileText, longWord] }),
    "pages/1.liquid": `<p>${version} {{ name }}</p>\n<!-- ${version} ${hostileText} -->\n{{ "2026-11-26" | date: style }}`,
  };
}

/** Adds a failed document with strings that renders do not produce to an account, like an operator's import. */
async function importHostile(running: ConsoleService, accountId: string, templateId: string): Promise<string> {
  const document = failedDocument({
    ...{ accountId, templateId, filename: longWord.slice(0, 200) },
    warnings: JSON.stringify([hostileText, longWord]),
    metadata: JSON.stringify({ [longWord.slice(0, 40)]: hostileText.slice(0, 500), word: longWord.slice(0, 500) }),
    error: JSON.stringify({ code: "RENDER_FAILED", message: `pages/1.liquid, line 2: ${hostileText}` }),
  });
  await importDocuments(running, accountId, [document]);
  return document.id;
}

/** Returns the row of a document that needs no file. */
export function failedDocument(properties: Record<string, unknown>) {
  const id = randomUUID();
  const error = {
    code: "RENDER_FAILED",
    message: "pages/1.liquid, line 2: `divided_by`: nothing can be divided by 0.",
  };
  return {
    ...{ id, templateVersion: 1, batchId: null, status: "failed", format: "pdf", width: 559, height: 794 },
    ...{ deviceScaleFactor: 2, imageQuality: null, pixelWidth: null, pixelHeight: null, filename: null },
    ...{ fileKey: `${randomBytes(32).toString("base64url")}.pdf`, month: "2026-11", createdAt: Date.now() },
    ...{ completedAt: null, expiresAt: null, pageCount: null, fileSize: null, sha256: null },
    ...{ warnings: "[]", metadata: "{}", error: JSON.stringify(error) },
    ...properties,
  };
}

/** Writes at most 200 rows. */
export async function importDocuments({ operator }: ConsoleService, accountId: string, rows: object[]): Promise<void> {
  const documents = rows.map((row) => ({ table: "documents", row }));
  await operator("POST", "/manage/v1/admin/import", { accountId, rows: documents });
}

/** Creates a document whose render fails, and returns its id. */
async function failing({ call }: Owner, body: object): Promise<string> {
  await call("POST", "/v1/documents", body).catch(() => {});
  const { documents } = await call<{ documents: { id: string }[] }>("GET", "/v1/documents?status=failed&limit=1");
  return documents[0]?.id ?? "";
}

/** Creates a batch, waits until it has ended, and returns its id. */
async function batchOf({ call }: Owner, body: object): Promise<string> {
  const { id } = await call("POST", "/v1/batches", body);
  await until(async () => (await call<{ status: string }>("GET", `/v1/batches/${id}`)).status === "ended");
  return id;
}

async function deadWebhook({ call }: Owner): Promise<string> {
  const list = () => call<{ webhooks: { id: string }[] }>("GET", "/manage/v1/webhooks?status=dead");
  await until(async () => (await list()).webhooks.length > 0);
  return (await list()).webhooks[0]?.id ?? "";
}

export async function until(isTrue: () => Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await sleep(100);
}
