// Starts a service with one account, and a receiver of the account's webhooks.
import { createServer } from "node:http";
import {
  createDocument,
  newAccount,
  originOf,
  pushSample,
  startService,
  type Account,
  type RunningService,
} from "./service.ts";

type Message = { headers: Record<string, string>; body: string };
export type ServiceWithReceiver = {
  service: RunningService;
  account: Account;
  /** The requests to which the receiver has responded. */
  messages: Message[];
  /** Creates a document with a `webhookUrl`. */
  create(): Promise<void>;
  stop(): Promise<void>;
};

export async function startWithReceiver(): Promise<ServiceWithReceiver> {
  const receiver = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => (body += String(chunk)));
    request.on("end", () => {
      const headers = request.headers as Record<string, string>;
      running.messages.push({ headers, body });
      response.end();
    });
  });
  const origin = await originOf(receiver);
  const service = await startService({ DEMO: "0", WEBHOOK_ALLOWED_ORIGINS: origin });
  const account = await newAccount(service, "enterprise");
  const body = await pushSample(service, account, "templates/certificate");
  const running: ServiceWithReceiver = {
    service,
    account,
    messages: [],
    async create() {
      await (await createDocument(service, account, { ...body, webhookUrl: `${origin}/hook` })).text();
    },
    async stop() {
      await service.stop();
      receiver.closeAllConnections();
      receiver.close();
    },
  };
  return running;
}
