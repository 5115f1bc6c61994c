// Fakes of the services that deliver webhooks, and of the services that dispatch events to webhook senders.
import type { LogEntry } from "colophon-base/log";
import type { Delivery } from "../../src/core/webhooks/delivery.ts";
import { eventIdsByAccount, type WebhookEvent } from "../../src/core/webhooks/webhook-event.ts";
import type { EventAddress } from "../../src/core/webhooks/webhook-event.ts";
import { newWebhookSecret } from "../../src/core/webhooks/webhook-signature.ts";
import type { EventArchive } from "../../src/ports/maintenance.ts";
import type { DeliveryServices, DispatchServices } from "../../src/ports/services.ts";
import type { WebhookRequest, WebhookTransport } from "../../src/ports/webhooks.ts";
import { fakeNow } from "./services.ts";

/** An outbox in memory. */
export function fakeOutbox() {
  const entries = new Map<string, WebhookEvent & { delivery: Delivery }>();
  return {
    add(event: WebhookEvent) {
      const nextAttemptAt = event.createdAt;
      const delivery: Delivery = { status: "pending", attempts: 0, nextAttemptAt, round: 0, history: [] };
      entries.set(event.id, { ...event, delivery });
    },
    stored: () => [...entries.values()],
    pending: async (_accountId: string, eventIds: string[]) =>
      [...entries.values()].filter(({ id, delivery }) => eventIds.includes(id) && delivery.status === "pending"),
    report: async (_accountId: string, reports: { eventId: string; delivery: Delivery }[]) => {
      for (const { eventId, delivery } of reports) {
        const entry = entries.get(eventId);
        if (entry) entries.set(eventId, { ...entry, delivery: structuredClone(delivery) });
      }
    },
  };
}

export type WebhookResponse = Awaited<ReturnType<WebhookTransport["post"]>>;

/** Returns the response of a receiver. Its status is 200 unless `rest` has another status. */
export function responseOf(rest: Partial<WebhookResponse> = {}): WebhookResponse {
  return { status: 200, error: null, response: "ok", retryAfter: null, ...rest };
}

export type FakeDelivery = DeliveryServices & {
  state: { nowMs: number; sent: WebhookRequest[]; secrets: string[]; response: WebhookResponse };
};

/** Returns fake services for delivering webhooks. The receiver responds with `state.response` after 40 ms. */
export function fakeDelivery(overrides: Partial<DeliveryServices> = {}): FakeDelivery {
  const state: FakeDelivery["state"] = {
    nowMs: fakeNow,
    sent: [],
    secrets: [newWebhookSecret()],
    response: responseOf(),
  };
  return {
    now: () => state.nowMs,
    log: () => {},
    random: () => 0,
    webhooks: fakeOutbox(),
    documents: { find: async () => null },
    batches: { find: async () => null },
    encryptionKeys: () => ({ current: new Uint8Array(32).fill(1), previous: null }),
    secrets: { valid: async () => state.secrets },
    transport: {
      post: async (request) => {
        state.sent.push(request);
        state.nowMs += 40;
        return state.response;
      },
    },
    webhookUrls: { allowedOrigins: new Set(), ownHosts: new Set(["colophon.dev"]) },
    ...overrides,
    state,
  };
}

export function eventTo(url: string, rest: Partial<WebhookEvent> = {}): WebhookEvent {
  const payload = JSON.stringify({ type: "document.completed", data: { id: "d", title: "Ü 🎉" } });
  return { id: "evt_d", accountId: "a", documentId: "d", url, payload, createdAt: fakeNow, ...rest };
}

type FakeDispatch = DispatchServices & {
  events: Pick<EventArchive, "overdue">;
  state: {
    /** The events that senders accepted, one entry per call. */
    accepted: { accountId: string; eventIds: string[] }[];
    log: (LogEntry & { level: string })[];
    /** The events that the outbox returns as overdue. */
    overdue: EventAddress[];
    /** The arguments of each call to `overdue`. */
    asked: { nowMs: number; limit: number }[];
  };
};

/** Returns fake services for dispatching events. `unreachable` lists the accounts whose senders fail. */
export function fakeDispatch(unreachable: string[] = []): FakeDispatch {
  const state: FakeDispatch["state"] = { accepted: [], log: [], overdue: [], asked: [] };
  return {
    now: () => fakeNow,
    log: (level, entry) => void state.log.push({ level, ...entry }),
    events: {
      overdue: async (nowMs, limit) => {
        state.asked.push({ nowMs, limit });
        return eventIdsByAccount(state.overdue);
      },
    },
    senders: {
      accept: async (accountId, eventIds) => {
        if (unreachable.includes(accountId)) throw new Error("the object is away");
        state.accepted.push({ accountId, eventIds });
      },
    },
    state,
  };
}
