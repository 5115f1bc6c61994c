// What delivers callbacks and what brings them to their senders, in memory; see `services.ts` for the rest of the house.
import type { CallbackEvent } from "../../src/core/callback.ts";
import { newWebhookSecret } from "../../src/core/webhook-signature.ts";
import type {
  CallbackRequest,
  CallbackTransport,
  DeliveryServices,
  EventAddress,
  HandOverServices,
  LogEntry,
} from "../../src/ports.ts";
import { fakeNow } from "./services.ts";

export type CallbackAnswer = Awaited<ReturnType<CallbackTransport["post"]>>;

/** An answer of a receiver; without more, a good one. */
export function answerOf(rest: Partial<CallbackAnswer> = {}): CallbackAnswer {
  return { status: 200, error: null, response: "ok", retryAfter: null, ...rest };
}

export type FakeDelivery = DeliveryServices & {
  state: { nowMs: number; sent: CallbackRequest[]; secrets: string[]; answer: CallbackAnswer };
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
    callbacks: {
      pending: async () => [],
      report: async () => {},
      overdue: async () => new Map(),
      putOff: async () => {},
      list: async () => [],
      redeliver: async () => false,
    },
    secrets: { valid: async () => state.secrets, rotate: async () => {} },
    transport: {
      post: async (request) => {
        state.sent.push(request);
        state.nowMs += 40;
        return state.answer;
      },
    },
    callbackUrls: { allowedOrigins: new Set(), ownHosts: new Set(["colophon.dev"]) },
    ...overrides,
    state,
  };
}

export function eventTo(url: string, rest: Partial<CallbackEvent> = {}): CallbackEvent {
  const payload = JSON.stringify({ type: "document.completed", data: { id: "d", title: "Ü 🎉" } });
  return { id: "evt_d", accountId: "a", documentId: "d", url, payload, createdAt: fakeNow, ...rest };
}

export type HandOver = { accountId: string; eventIds: string[] };
export type FakeHandOver = HandOverServices & {
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
export function fakeHandOver(unreachable: string[] = []): FakeHandOver {
  const state: FakeHandOver["state"] = { handedOver: [], log: [], overdue: [], putOff: [], asked: [] };
  return {
    now: () => fakeNow,
    log: (level, entry) => void state.log.push({ level, ...entry }),
    callbacks: {
      overdue: async (nowMs, limit) => {
        state.asked.push({ nowMs, limit });
        const byAccount = new Map<string, string[]>();
        for (const { accountId, eventId } of state.overdue)
          byAccount.set(accountId, [...(byAccount.get(accountId) ?? []), eventId]);
        return byAccount;
      },
      putOff: async (accountId, eventIds, until) => void state.putOff.push({ accountId, eventIds, until }),
    },
    senders: {
      handOver: async (accountId, eventIds) => {
        if (unreachable.includes(accountId)) throw new Error("the object is away");
        state.handedOver.push({ accountId, eventIds });
      },
    },
    state,
  };
}
