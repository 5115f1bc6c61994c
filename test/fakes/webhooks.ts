// What delivers webhooks and what brings them to their senders, in memory; see `services.ts` for the rest of the house.
import { eventIdsByAccount, type WebhookEvent } from "../../src/core/webhooks/webhook-event.ts";
import { newWebhookSecret } from "../../src/core/webhooks/webhook-signature.ts";
import type {
  WebhookRequest,
  WebhookTransport,
  DeliveryServices,
  DispatchServices,
  LogEntry,
} from "../../src/ports.ts";
import type { EventAddress } from "../../src/core/webhooks/webhook-event.ts";
import { fakeNow } from "./services.ts";
import { fakeWebhookStore } from "./webhook-store.ts";

export type WebhookResponse = Awaited<ReturnType<WebhookTransport["post"]>>;

/** An answer of a receiver; without more, a good one. */
export function answerOf(rest: Partial<WebhookResponse> = {}): WebhookResponse {
  return { status: 200, error: null, response: "ok", retryAfter: null, ...rest };
}

export type FakeDelivery = DeliveryServices & {
  state: { nowMs: number; sent: WebhookRequest[]; secrets: string[]; answer: WebhookResponse };
};

/** A delivery whose receiver answers `state.answer` after 40 ms. */
export function fakeDelivery(overrides: Partial<DeliveryServices> = {}): FakeDelivery {
  const state: FakeDelivery["state"] = {
    nowMs: fakeNow,
    sent: [],
    secrets: [newWebhookSecret()],
    answer: answerOf(),
  };
  return {
    now: () => state.nowMs,
    log: () => {},
    random: () => 0,
    webhooks: fakeWebhookStore(),
    secrets: { valid: async () => state.secrets, rotate: async () => {} },
    transport: {
      post: async (request) => {
        state.sent.push(request);
        state.nowMs += 40;
        return state.answer;
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

export type HandOver = { accountId: string; eventIds: string[] };
export type FakeDispatch = DispatchServices & {
  state: {
    /** What the senders were given, call by call. */
    handedOver: HandOver[];
    log: (LogEntry & { level: string })[];
    /** What the outbox says was left behind. */
    overdue: EventAddress[];
    putOff: (HandOver & { until: number })[];
    /** How many it was asked for, and as of when. */
    asked: { nowMs: number; limit: number }[];
  };
};

/** The senders of the accounts in `unreachable` cannot be reached. */
export function fakeDispatch(unreachable: string[] = []): FakeDispatch {
  const state: FakeDispatch["state"] = { handedOver: [], log: [], overdue: [], putOff: [], asked: [] };
  return {
    now: () => fakeNow,
    log: (level, entry) => void state.log.push({ level, ...entry }),
    webhooks: {
      overdue: async (nowMs, limit) => {
        state.asked.push({ nowMs, limit });
        return eventIdsByAccount(state.overdue);
      },
      putOff: async (accountId, eventIds, until) => void state.putOff.push({ accountId, eventIds, until }),
    },
    senders: {
      accept: async (accountId, eventIds) => {
        if (unreachable.includes(accountId)) throw new Error("the object is away");
        state.handedOver.push({ accountId, eventIds });
      },
    },
    state,
  };
}
