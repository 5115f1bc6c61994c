import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { rm } from "node:fs/promises";
import { Webhook as Verifier } from "standardwebhooks";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startService, type RunningService } from "./service.ts";

type Message = { id: string; headers: Record<string, string>; body: string };
type Webhook = { id: string; status: string; attempts: number; lastStatus: number | null };

let service: RunningService;
let receiver: Server;
let variables: Record<string, string>;
let account: { id: string };
let create: () => Promise<string>;
const messages: Message[] = [];
let isAnswering = true;

beforeAll(async () => {
  receiver = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => (body += String(chunk)));
    request.on("end", () => {
      if (!isAnswering) return;
      const headers = request.headers as Record<string, string>;
      messages.push({ id: headers["webhook-id"] ?? "", headers, body });
      response.end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  variables = { DEMO: "0", WEBHOOK_ALLOWED_ORIGINS: origin };
  service = await startService(variables);
  ({ account } = await service.cli<{ account: { id: string } }>(
    ...["account", "create", "--name", "N", "--plan", "enterprise"],
  ));
  const { key } = await service.cli<{ key: string }>("key", "create", "--account", account.id);
  const { template } = await service.cli<{ template: { id: string } }>(
    ...["template", "push", "templates/certificate", "--account", account.id],
  );
  const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
  const detail = await fetch(`${service.baseUrl}/templates/${template.id}`, { headers });
  const { data } = (await detail.json()) as { data: { sampleData: object } };
  const body = JSON.stringify({ templateId: template.id, data: data.sampleData, webhookUrl: `${origin}/hook` });
  create = async () => {
    const answer = await fetch(`${service.baseUrl}/documents`, { method: "POST", headers, body });
    const { data } = (await answer.json()) as { data: { id: string } };
    return `evt_${data.id.replaceAll("-", "")}`;
  };
});

afterAll(async () => {
  await service.stop();
  receiver.closeAllConnections();
  receiver.close();
  await rm(service.stateDir, { recursive: true, force: true });
});

function webhooks(...options: string[]): Promise<{ webhooks: Webhook[] }> {
  return service.cli("webhook", "list", "--account", account.id, ...options);
}

it("tells a receiver, who verifies it with the secret that the operator shows", async () => {
  const { secrets } = await service.cli<{ secrets: string[] }>("webhook-secret", "show", "--account", account.id);

  const id = await create();

  await expect.poll(() => messages.map((message) => message.id), { timeout: 10_000 }).toContain(id);
  const [message] = messages;
  const event = new Verifier(secrets[0] ?? "").verify(message?.body ?? "", message?.headers ?? {});
  expect(event).toMatchObject({ type: "document.completed", data: { status: "completed" } });
  await expect
    .poll(() => webhooks("--status", "delivered"), { timeout: 10_000 })
    .toMatchObject({
      webhooks: [{ id, status: "delivered", attempts: 1, nextAttemptAt: null, lastStatus: 200, lastError: null }],
    });
});

it("sends a webhook again when the operator asks for it", async () => {
  messages.length = 0;
  const { webhooks: listed } = await webhooks();
  const id = listed[0]?.id ?? "";

  const answer = await service.cli("webhook", "redeliver", "--id", id);

  expect(answer).toEqual({ id, status: "pending" });
  await expect.poll(() => messages.map((message) => message.id), { timeout: 15_000 }).toEqual([id]);
});

it("signs with two secrets after a rotation", async () => {
  messages.length = 0;
  const { secrets } = await service.cli<{ secrets: string[] }>("webhook-secret", "rotate", "--account", account.id);

  const id = await create();

  await expect.poll(() => messages.map((message) => message.id), { timeout: 10_000 }).toEqual([id]);
  expect(secrets).toHaveLength(2);
  for (const secret of secrets) new Verifier(secret).verify(messages[0]?.body ?? "", messages[0]?.headers ?? {});
});

it("delivers after it was killed between completion and delivery", async () => {
  messages.length = 0;
  isAnswering = false;
  const ids = await Promise.all(Array.from({ length: 6 }, () => create()));
  await service.killHard();
  isAnswering = true;

  service = await startService(variables, service.stateDir);

  await expect
    .poll(() => new Set(messages.map((message) => message.id)), { timeout: 70_000, interval: 200 })
    .toEqual(new Set(ids));
  await expect.poll(() => webhooks("--status", "pending"), { timeout: 10_000 }).toEqual({ webhooks: [] });
});
