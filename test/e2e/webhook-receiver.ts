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
  const running: ServiceWithReceiver = {
    service,
    account,
    messages: [],
    isResponding: true,
    async create() {
      const response = await createDocument(running.service, account, { ...body, webhookUrl: `${origin}/hook` });
      const { data } = (await response.json()) as { data: { id: string } };
      return `evt_${data.id.replaceAll("-", "")}`;
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
