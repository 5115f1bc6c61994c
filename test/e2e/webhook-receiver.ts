// Starts a service with one account, and a receiver of the account's webhooks.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { rm } from "node:fs/promises";
import { createDocument, newAccount, pushSample, startService, type Account, type RunningService } from "./service.ts";

type Message = { id: string; headers: Record<string, string>; body: string };
type Webhook = { id: string; status: string; attempts: number; lastStatus: number | null };

export type ServiceWithReceiver = {
  service: RunningService;
  account: Account;
  /** The requests to which the receiver has responded. */
  messages: Message[];
  /** While false, the receiver accepts requests but never responds. */
  isResponding: boolean;
  /** Creates a document with a `webhookUrl`, and returns the event's id. */
  create(): Promise<string>;
  /** Creates a batch of two items with a `webhookUrl`, and returns the event's id. */
  createBatch(): Promise<string>;
  /** Runs the operator's command `webhook list`. */
  webhooks(...options: string[]): Promise<{ webhooks: Webhook[] }>;
  /** Kills the service, calls `whileStopped`, and starts the service again with the same state. */
  killAndRestart(whileStopped: () => void): Promise<void>;
  stop(): Promise<void>;
};

export async function startWithReceiver(): Promise<ServiceWithReceiver> {
  const receiver = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => (body += String(chunk)));
    request.on("end", () => {
      if (!running.isResponding) return;
      const headers = request.headers as Record<string, string>;
      running.messages.push({ id: headers["webhook-id"] ?? "", headers, body });
      response.end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  const variables = { DEMO: "0", WEBHOOK_ALLOWED_ORIGINS: origin };
  const service = await startService(variables);
  const { stateDir } = service;
  const account = await newAccount(service, "enterprise");
  const body = await pushSample(service, account, "templates/certificate");
  const webhookUrl = `${origin}/hook`;
  const running: ServiceWithReceiver = {
    service,
    account,
    messages: [],
    isResponding: true,
    create: () => eventOf(createDocument(running.service, account, { ...body, webhookUrl })),
    createBatch() {
      const { templateId, data } = body;
      const batch = { templateId, webhookUrl, items: [{ data }, { data }] };
      const headers = { Authorization: `Bearer ${account.key}`, "Content-Type": "application/json" };
      const request = { method: "POST", headers, body: JSON.stringify(batch) };
      return eventOf(fetch(`${running.service.baseUrl}/batches`, request));
    },
    webhooks: (...options) => running.service.cli("webhook", "list", "--account", account.id, ...options),
    async killAndRestart(whileStopped) {
      await running.service.killHard();
      whileStopped();
      running.service = await startService(variables, stateDir);
    },
    async stop() {
      await running.service.stop();
      receiver.closeAllConnections();
      receiver.close();
      await rm(stateDir, { recursive: true, force: true });
    },
  };
  return running;
}

/** Returns the id of the event for what the response contains. */
async function eventOf(response: Promise<Response>): Promise<string> {
  const { data } = (await (await response).json()) as { data: { id: string } };
  return `evt_${data.id.replaceAll("-", "")}`;
}
