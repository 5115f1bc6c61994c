// Resends webhooks whose delivery has ended, or that should not wait for their next attempt.
import type { Account } from "../../core/accounts/account.ts";
import { webhookNotFound } from "../../core/errors.ts";
import type { OperatorServices, Services } from "../../ports/services.ts";
import { auditEvent } from "../accounts/manage-accounts.ts";

/** Events beyond this number wait for the scheduled run, which comes every minute. */
const maxQueued = 100;

/** Throws WEBHOOK_NOT_FOUND. */
export async function redeliverWebhook(
  services: Services,
  manage: OperatorServices,
  account: Account,
  { id, actor }: { id: string; actor: string },
): Promise<void> {
  const event = { accountId: account.id, actor, action: "webhook.redelivered", subject: id };
  const exists = (await manage.webhooks.find(account.id, id)) !== null;
  if (!exists) throw webhookNotFound();
  queue(services, account, await manage.webhooks.redeliver(id, auditEvent(manage, event)));
}

/** Resends all dead webhooks that were created since then. Returns their number. */
export async function redeliverDead(
  services: Services,
  manage: OperatorServices,
  account: Account,
  { since, actor }: { since: number; actor: string },
): Promise<number> {
  const subject = new Date(since).toISOString();
  const event = { accountId: account.id, actor, action: "webhooks.redelivered", subject };
  const ids = await manage.webhooks.redeliverDead(since, auditEvent(manage, event));
  queue(services, account, ids);
  return ids.length;
}

/** If a message is lost, the scheduled run dispatches the event. */
function queue({ webhookQueue, background }: Services, { id: accountId }: Account, ids: string[]): void {
  for (const eventId of ids.slice(0, maxQueued))
    background("queue a webhook", webhookQueue.send({ accountId, eventId }));
}
