// Passwords of documents on a service that runs as on a machine of its own, and where they could be left: everything that the service has
// written is searched.
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getDocumentProxy } from "unpdf";
import { afterAll, beforeAll, expect, it } from "vitest";
import { killBelow } from "./processes.ts";
import { newAccount, originOf, pushSample, read, startService, type Account, type RunningService } from "./service.ts";

/** Every password contains it. It has only letters and digits, so it is the same in JSON and in URLs. */
const mark = "Kx7qWz9LmB4vT2";
/** It is in the metadata of a document, so it must be found. */
const control = "Zr5nYc8HdJ6wP3";
const documents = 200;
const items = 120;

let service: RunningService;
let account: Account;
let folder: string;
let templateId: string;
const outside: Buffer[] = [];
const receiver = createServer((request, response) => {
  request.on("data", (chunk: Buffer) => outside.push(chunk));
  request.on("end", () => response.end());
});
let webhookUrl: string;

beforeAll(async () => {
  const origin = await originOf(receiver);
  webhookUrl = `${origin}/hook`;
  service = await startService({ RATE_LIMITS: "off", WEBHOOK_ALLOWED_ORIGINS: origin }, undefined, "serve");
  for (const stream of [service.process.stdout, service.process.stderr])
    stream?.on("data", (chunk: Buffer) => outside.push(chunk));
  account = await newAccount(service, "enterprise");
  folder = await mkdtemp(join(tmpdir(), "colophon-test-"));
  await cp("bench/one-line", join(folder, "template"), { recursive: true });
  const files = {
    "pages/1.liquid": "<p>{{ name }} {{ 100 | divided_by: divisor }}</p>",
    "template.json": JSON.stringify({ title: "Division", pageSize: "A4", fields: ["name", "divisor"].map(fieldOf) }),
    "sample.json": JSON.stringify({ name: "n", divisor: 1 }),
  };
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, "template", name), content);
  ({ templateId } = await pushSample(service, account, join(folder, "template")));
}, 120_000);

afterAll(async () => {
  await service.stop();
  receiver.closeAllConnections();
  receiver.close();
  for (const path of [service.stateDir, folder]) await rm(path, { recursive: true, force: true });
});

function fieldOf(key: string) {
  return { key, label: key, type: key === "name" ? "string" : "number" };
}

const passwordOf = (name: string | number) => `${mark}-${name}-ü"\\`;
const dataOf = (name: string, divisor = 1) => ({ name, divisor });

async function send(path: string, body: object | string, headers: Record<string, string> = {}): Promise<Response> {
  const type = typeof body === "string" ? "application/x-ndjson" : "application/json";
  return fetch(service.baseUrl + path, {
    method: "POST",
    headers: { Authorization: `Bearer ${account.key}`, "Content-Type": type, ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
}

/** The kinds of requests; `n` is different for each. Each responds with one of the statuses. */
const kinds: { statuses: number[]; body(n: number): object; headers?(n: number): Record<string, string> }[] = [
  { statuses: [201], body: () => ({}) },
  { statuses: [201], body: () => ({ webhookUrl }), headers: (n) => ({ "Idempotency-Key": `sync-${n}` }) },
  {
    statuses: [202],
    body: () => ({ webhookUrl }),
    headers: (n) => ({ Prefer: "respond-async", "Idempotency-Key": `later-${n}` }),
  },
  {
    statuses: [422],
    body: (n) => ({ data: dataOf(`n${n}`, 0), webhookUrl }),
    headers: (n) => ({ "Idempotency-Key": `failing-${n}` }),
  },
  { statuses: [400], body: (n) => ({ encryption: { userPassword: passwordOf(n), permissions: [passwordOf(n)] } }) },
  {
    statuses: [400],
    body: (n) => ({ format: "png", metadata: { n: String(n) } }),
    headers: (n) => ({ "Idempotency-Key": `image-${n}` }),
  },
  {
    statuses: [404],
    body: () => ({ templateId: crypto.randomUUID() }),
    headers: (n) => ({ "Idempotency-Key": `lost-${n}` }),
  },
  { statuses: [400], body: (n) => ({ encryption: { userPassword: passwordOf(n).repeat(9) } }) },
];

async function createAll(): Promise<void> {
  for (let first = 0; first < documents; first += 8) {
    const requests = kinds.map(async ({ statuses, body, headers = () => ({}) }, index) => {
      const n = first + index;
      const encryption = { userPassword: passwordOf(n), ownerPassword: passwordOf(`owner-${n}`) };
      const sent = { templateId, data: dataOf(`n${n}`), encryption, ...body(n) };
      const responses = [await send("/documents", sent, headers(n))];
      if (first % 40 === 0) responses.push(await send("/documents", sent, headers(n)));
      for (const response of responses) {
        expect([...statuses, 201]).toContain(response.status);
        outside.push(Buffer.from(await response.arrayBuffer()));
      }
    });
    await Promise.all(requests);
  }
}

/** The forms in which the text could be in bytes. In base64, it depends on what precedes it. */
function formsOf(text: string): Buffer[] {
  const bytes = Buffer.from(text);
  const wide = Buffer.from(text, "utf16le");
  const base64 = [bytes, wide].flatMap((each) =>
    [0, 1, 2].map((before) =>
      Buffer.concat([Buffer.alloc(before), each])
        .toString("base64")
        .slice(before === 0 ? 0 : 4, -4),
    ),
  );
  const hex = [bytes, wide].map((each) => each.toString("hex"));
  const encoded = [...base64, ...hex, ...hex.map((each) => each.toUpperCase())].map((each) => Buffer.from(each));
  return [bytes, wide, Buffer.from(wide).swap16(), ...encoded];
}

const containsAny = (bytes: Buffer, forms: Buffer[]) => forms.some((form) => bytes.includes(form));

/** Returns the files below the folders, and the places outside, that contain the text in any form. */
async function placesOf(text: string, folders: string[]): Promise<string[]> {
  const forms = formsOf(text);
  const places = containsAny(Buffer.concat(outside), forms) ? ["logs, responses and webhooks"] : [];
  for (const directory of folders)
    for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      if (entry.isFile() && containsAny(await readFile(path), forms)) places.push(path);
    }
  return places;
}

async function opens(bytes: Uint8Array, password: string): Promise<boolean> {
  return getDocumentProxy(bytes.slice(), { password, verbosity: 0 }).then(
    () => true,
    () => false,
  );
}

it("the passwords of documents are nowhere in the state, the logs, the webhooks or an export, and each file opens with its own", async () => {
  const found = await send("/documents", { templateId, data: dataOf("n"), metadata: { control } });
  expect(found.status).toBe(201);
  await createAll();
  const lines = Array.from({ length: items }, (_, index) => ({
    customId: `c-${index}`,
    data: dataOf(`n${index}`, index % 20 === 7 ? 0 : 1),
    encryption: { userPassword: passwordOf(`item-${index}`), permissions: ["print"] },
  }));
  const refused = await send("/batches", { templateId, output: ["merged"], items: lines.slice(0, 5) });
  expect(refused.status).toBe(400);
  const body = [{ templateId, webhookUrl }, ...lines].map((line) => `${JSON.stringify(line)}\n`).join("");
  const { data } = (await (await send("/batches", body, { "Idempotency-Key": "payroll" })).json()) as {
    data: { id: string };
  };
  const batch = () =>
    read<{ status: string; counts: Record<string, number> }>(service, account, `/batches/${data.id}`).catch(() => null);

  await expect
    .poll(async () => (await batch())?.counts["completed"] ?? 0, { timeout: 120_000, interval: 20 })
    .toBeGreaterThan(items / 8);
  killBelow(service.process.pid ?? 0, "workerd serve");
  const during = await placesOf(mark, [service.stateDir]);
  await expect.poll(async () => (await batch())?.status, { timeout: 300_000, interval: 200 }).toBe("ended");

  expect(during).toEqual([]);
  expect((await batch())?.counts).toMatchObject({ completed: items - items / 20, failed: items / 20 });
  const results = await fetch(`${service.baseUrl}/batches/${data.id}/results`, {
    headers: { Authorization: `Bearer ${account.key}` },
  });
  const ended = (await results.text())
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { index: number; documentId: string; status: string });
  const completed = ended.filter(({ status }) => status === "completed");
  for (const { index, documentId } of completed) {
    const file = await fetch(`${service.baseUrl}/documents/${documentId}/download`, {
      headers: { Authorization: `Bearer ${account.key}` },
    });
    const bytes = new Uint8Array(await file.arrayBuffer());
    const opened = await Promise.all([index, index + 1].map((each) => opens(bytes, passwordOf(`item-${each}`))));
    expect([index, ...opened]).toEqual([index, true, false]);
  }
  await service.cli("account", "export", join(folder, "export"), "--account", account.id);
  const folders = [service.stateDir, join(folder, "export")];
  expect((await placesOf(control, folders)).length).toBeGreaterThanOrEqual(2);
  expect(await placesOf(mark, folders)).toEqual([]);
}, 900_000);
