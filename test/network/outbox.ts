// Helpers for tests of webhook delivery. They write events to the outbox, and read the states of the deliveries.
import { env } from "cloudflare:workers";
import { inject, vi } from "vitest";
import type { EndedDocument } from "../../src/core/documents/document.ts";
import type { WebhookStatus } from "../../src/core/webhooks/delivery.ts";
import type { WebhookSummary } from "../../src/core/webhooks/webhook-event.ts";
import { createAccount } from "../../src/operations/accounts/manage-accounts.ts";
import { recordDocument } from "../../src/operations/documents/record-outcome.ts";
import { webhookStore } from "../../src/platform/webhooks/webhook-store.ts";
import { operatorServices } from "../../src/services/operator-services.ts";
import { settlementServices } from "../../src/services/shared-services.ts";
import { connect } from "../../src/services/shared-services.ts";
import { everything } from "../fixtures/audit.ts";
import { nextShard } from "../fixtures/databases.ts";
import { completedDocument } from "../fixtures/documents.ts";
import type { Received, VerifyRequest } from "./receiver.ts";

export type Account = { accountId: string; log: string };

export const store = webhookStore(connect(env, null, 5_000).databases);

/** Creates an account. `log` is the name of the log in which the receiver records the requests for this account. */
export async function newAccount(): Promise<Account> {
  const { id } = await createAccount(operatorServices(env), {
    name: "Test",
    plan: "enterprise",
    shard: nextShard(env),
  });
  return { accountId: id, log: id };
}

export function urlOf({ log }: Account, behaviour: string): string {
  return `${inject("receiverOrigin")}/${log}/${behaviour}`;
}

export function documentOf(accountId: string): EndedDocument {
  const now = Date.now();
  return completedDocument({ accountId, createdAt: now, completedAt: now });
}

/** Records a document with its event, and returns the event's id. If `send` is false, no queue message is sent. */
export async function recordEvent(
  { accountId }: Account,
  url: string,
  { document = documentOf(accountId), send = true } = {},
): Promise<string> {
  const services = settlementServices(env);
  const lost = { send: async () => {} };
  await recordDocument({ ...services, ...(send ? {} : { webhookQueue: lost }) }, document, {
    webhookUrl: url,
    cdnUrl: "https://files.test/files",
  });
  return `evt_${document.id.replaceAll("-", "")}`;
}

/** Returns all events of the account, newest first. */
export async function listOf({ accountId }: Pick<Account, "accountId">): Promise<WebhookSummary[]> {
  return (await store.list(accountId, {}, everything)).items;
}

export async function summaryOf({ accountId }: Account, eventId: string): Promise<WebhookSummary> {
  const row = (await listOf({ accountId })).find(({ id }) => id === eventId);
  if (!row) throw new Error(`no event ${eventId}`);
  return row;
}

/** Waits until the delivery has this status and, if `attempts` is given, this number of attempts. */
export async function waitForDelivery(
  account: Account,
  eventId: string,
  status: WebhookStatus,
  attempts?: number,
): Promise<WebhookSummary> {
  return vi.waitFor(
    async () => {
      const row = await summaryOf(account, eventId);
      const isReached = row.delivery.status === status && (attempts ?? row.delivery.attempts) === row.delivery.attempts;
      if (!isReached) throw new Error(`it is ${row.delivery.status} after ${row.delivery.attempts} attempts`);
      return row;
    },
    { timeout: 20_000, interval: 25 },
  );
}

export async function received({ log }: Account): Promise<Received[]> {
  return (await fetch(`${inject("receiverOrigin")}/log/${log}`)).json();
}

/** Whether a library for receivers accepts the message's signature. */
export async function isAccepted(request: VerifyRequest): Promise<boolean> {
  const init = { method: "POST", body: JSON.stringify(request) };
  return (await fetch(`${inject("receiverOrigin")}/verify`, init)).json();
}

export function senderOf({ accountId }: Account) {
  return env.WEBHOOK_SENDER.get(env.WEBHOOK_SENDER.idFromName(accountId));
}
