import { execFile } from "node:child_process";
import { chmod, mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { hostileServer, type HostileServer } from "../fixtures/hostile-server.ts";
import { listeningAddresses, processesWith, processTree } from "./processes.ts";
import {
  createDocument,
  newAccount,
  originOf,
  pushSample,
  startService,
  type Account,
  type RunningService,
} from "./service.ts";

const publicUrl = "https://pdf.example.com";
const healthSecret = "the-secret-of-the-operator-of-this-machine";
/** 127.0.0.1 and ::1 in the notation of `/proc/net/tcp`. */
const loopback = ["0100007F", "00000000000000000000000001000000"];

let service: RunningService;
let account: Account;
let body: { templateId: string; data: object };
let log = "";

/** The guard asks for responses without encoding, which distinguishes its requests from the runtime's. */
const received: unknown[] = [];
const receiver = createServer((request, response) => {
  received.push(request.headers["accept-encoding"]);
  response.end();
});
let receiverOrigin = "";
let hostile: HostileServer;
let hostileOrigin = "";

beforeAll(async () => {
  receiverOrigin = await originOf(receiver);
  hostile = await hostileServer();
  hostileOrigin = `http://127.0.0.1:${hostile.port}`;
  const variables = {
    PUBLIC_URL: publicUrl,
    TRUSTED_PROXY: "127.0.0.1",
    WEBHOOK_ALLOWED_ORIGINS: `${receiverOrigin},${hostileOrigin}`,
    IMAGE_ALLOWED_ORIGINS: hostileOrigin,
    WEBHOOKS_IN_FLIGHT: "20",
    HEALTH_SECRET: healthSecret,
  };
  const stateDir = await mkdtemp(join(tmpdir(), "colophon-test-"));
  await chmod(stateDir, 0o755);
  service = await startService(variables, stateDir, "serve");
  service.process.stdout?.on("data", (chunk) => (log += String(chunk)));
  account = await newAccount(service, "enterprise");
  body = await pushSample(service, account, "templates/certificate");
}, 120_000);

afterAll(async () => {
  await service.stop();
  await rm(service.stateDir, { recursive: true, force: true });
  receiver.close();
  hostile.close();
});

it("npm run serve renders documents, with URLs of the public address", async () => {
  const response = await createDocument(service, account, body);
  const { data } = (await response.json()) as { data: { pdfUrl: string } };

  expect(response.status).toBe(201);
  expect(data.pdfUrl).toMatch(/^https:\/\/pdf\.example\.com\/files\//);
  expect(response.headers.get("Location")).toMatch(/^https:\/\/pdf\.example\.com\/api\/v1\/documents\//);
  const file = await fetch(data.pdfUrl.replace(publicUrl, service.origin));
  expect((await file.text()).slice(0, 5)).toBe("%PDF-");
});

it("npm run serve limits the rate of failed authentication for each client", async () => {
  const attempt = (client: string) =>
    fetch(`${service.baseUrl}/documents`, { headers: { "X-Forwarded-For": client, Authorization: "Bearer no" } });

  const statuses = await Promise.all(Array.from({ length: 60 }, async () => (await attempt("203.0.113.5")).status));

  expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(0);
  expect((await attempt("203.0.113.6")).status).toBe(401);
});

it("npm run serve sends webhooks through the guard, which accepts the allowed origin", async () => {
  const response = await createDocument(service, account, { ...body, webhookUrl: `${receiverOrigin}/hook` });

  expect(response.status).toBe(201);
  await expect.poll(() => received, { timeout: 10_000 }).toEqual(["identity"]);
});

it("npm run serve survives every kind of hostile receiver and image server, counts each attempt, and closes each connection", async () => {
  const [failed, timedOut] = ["the connection failed", "no response within 15 s"];
  // The status that the receiver has sent, or the reason why there is none. The guard refuses some statuses.
  const outcomes: Record<string, number | string> = {
    ...{ "status-204-with-a-body": 204, "status-304": 304, "500-headers": 200, "redirect-to-inside": 302 },
    ...{ endless: 200, bomb: 200, "slow-body": 200, "silent-body": 200, "cut-in-the-body": 200 },
    ...{ silent: timedOut, "slow-headers": timedOut },
    ...{ "status-101": failed, "status-600": failed, "status-999": failed, "not-http": failed },
    ...{ "reset-at-once": failed, "nul-in-a-header": failed, "large-header": failed, "cut-in-a-header": failed },
  };
  const other = await newAccount(service, "enterprise");
  const hostileBody = await pushSample(service, other, "templates/certificate");
  const attempts = async () => {
    type Webhook = { url: string; attempts: number; history: { status: number | null; error: string }[] };
    const list = await service.cli<{ webhooks: Webhook[] }>("webhook", "list", "--account", other.id);
    return Object.fromEntries(
      list.webhooks.map(({ url, attempts: count, history }) => {
        const first = history.at(-1);
        return [url.split("/").at(-1), [count > 0 && count === history.length, first?.status ?? first?.error]];
      }),
    );
  };

  const created = await Promise.all(
    Object.keys(outcomes).map(async (behaviour) => {
      const url = `${hostileOrigin}/${behaviour}`;
      const data = { ...hostileBody.data, signatures: [{ name: "N", image: url }] };
      const response = await createDocument(service, other, { ...hostileBody, data, webhookUrl: url });
      return [response.status, ((await response.json()) as { data: { warnings: string[] } }).data.warnings.length];
    }),
  );

  expect(created).toEqual(Object.keys(outcomes).map(() => [201, 1]));
  await expect
    .poll(attempts, { timeout: 40_000, interval: 1_000 })
    .toMatchObject(Object.fromEntries(Object.entries(outcomes).map(([name, outcome]) => [name, [true, outcome]])));
  // Deliveries that timed out have their next attempt.
  const ended = Object.keys(outcomes).filter((name) => outcomes[name] !== timedOut);
  await expect.poll(() => ended.filter((name) => hostile.open(name) > 0), { timeout: 5_000 }).toEqual([]);
  expect((await createDocument(service, account, body)).status).toBe(201);
}, 90_000);

it("npm run serve listens on loopback only, unless HOST says otherwise", () => {
  const addresses = listeningAddresses(processTree(service.process.pid ?? 0));

  expect(addresses.length).toBeGreaterThan(2);
  for (const address of addresses) expect(loopback).toContain(address);
});

it("npm run serve logs one JSON object on each line", async () => {
  await expect.poll(() => log).toContain("request.ended");

  for (const line of log.trim().split("\n")) expect(JSON.parse(line)).toHaveProperty("event");
});

it("npm run serve keeps its data and its secrets from other users of the machine", async () => {
  const file = join(service.stateDir, "secrets.env");

  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect((await stat(service.stateDir)).mode & 0o777).toBe(0o700);
  expect(processesWith(healthSecret)).toEqual([]);
  expect(await readFile(file, "utf8")).toMatch(/^WEBHOOK_SECRETS_KEY=/);
});

it("npm run serve ends with status 78, which requires a person to act, if its configuration is wrong", async () => {
  const run = (variables: Record<string, string>) =>
    new Promise<[number | null, string]>((resolve) => {
      const env = { ...process.env, STATE_DIR: service.stateDir, ...variables };
      execFile(process.execPath, ["src/cli/serve.ts"], { env }, (error, stdout) =>
        resolve([Number(error?.code ?? 0), stdout]),
      );
    });

  expect(await run({ PORT: "http" })).toEqual([78, expect.stringContaining("PORT must be a number")]);
  expect(await run({ STATE_DIR: "" })).toEqual([78, expect.stringContaining("STATE_DIR must name")]);
  expect(await run({})).toEqual([78, expect.stringContaining("already running")]);
});

it("npm run serve finishes creates in flight when it is ended, and leaves no process behind", async () => {
  log = "";
  const creates = Array.from({ length: 12 }, () => createDocument(service, account, body));
  await expect
    .poll(() => (log.match(/render\.ended/g) ?? []).length, { interval: 10, timeout: 20_000 })
    .toBeGreaterThan(1);
  const ended = new Promise<number | null>((resolve) => service.process.once("exit", resolve));

  service.process.kill("SIGTERM");

  const statuses = (await Promise.all(creates)).map(({ status }) => status);
  expect(statuses).toEqual(creates.map(() => 201));
  expect(await ended).toBe(0);
  expect(processesWith(service.stateDir)).toEqual([]);
}, 60_000);
