// Reserves a hold on the account's quota for one render, or returns the document of the earlier request with the same
// key.
import type { Account } from "../../core/accounts/account.ts";
import type { IdempotencyKey, Reservation, ReserveRequest } from "../../core/accounts/quota.ts";
import type { Creation } from "../../core/documents/document.ts";
import { renderFailed, renderLimitExceeded, type ServiceError } from "../../core/errors.ts";
import type { Services } from "../../ports/services.ts";
import type { DocumentPlan } from "./plan-document.ts";
import { releaseFailedKey, replayDocument } from "./replay.ts";

export type HoldOrReplay = { status: "held"; used: number } | { status: "replayed"; creation: Creation };

type ReserveInput = {
  plan: DocumentPlan;
  idempotency: IdempotencyKey | null;
  /** See `ReserveRequest`. */
  isQueued?: boolean;
};

/**
 * Reserves the hold, or returns the document of an earlier request. Throws RENDER_LIMIT_EXCEEDED, RENDER_FAILED if too
 * many renders are in flight, or an error of `replayDocument`.
 */
export async function reserveHold(
  services: Services,
  account: Account,
  { plan, idempotency, isQueued = false }: ReserveInput,
): Promise<HoldOrReplay> {
  const limit = account.plan.monthlyRenders;
  const inFlightLimit = services.settings.rendersInFlight[account.plan.name];
  const { leaseMs, cdnUrl } = services.settings;
  const hold = { draft: plan.draft, webhookUrl: plan.webhookUrl, leaseMs, cdnUrl };
  const { deadline } = plan.render;
  const request = { hold, limit, inFlightLimit, idempotency, isQueued };
  const reservation = await reserve(services, account, request, deadline).catch((cause: unknown) => {
    services.earlyRenders.refused(account.id);
    throw cause;
  });
  if (reservation.status !== "reserved") services.earlyRenders.refused(account.id);
  switch (reservation.status) {
    case "reserved":
      logThreshold(services, account, reservation.used);
      noteRoom(services, account, reservation);
      return { status: "held", used: reservation.used };
    case "exhausted":
      throw renderLimitExceeded({ used: reservation.used, limit, month: plan.draft.month, nowMs: services.now() });
    case "too_many_in_flight":
      throw tooManyInFlight(inFlightLimit, reservation.retryAfterSeconds);
    case "other_body":
    case "in_progress":
    case "done":
      return { status: "replayed", creation: await replayDocument(services, account, reservation) };
  }
}

type Request = Omit<ReserveRequest, "timeoutMs">;

/** Reserves a hold. If the key belongs to a failed render that still has its hold, releases that hold and tries again. */
async function reserve(services: Services, account: Account, request: Request, deadline: number): Promise<Reservation> {
  const { quota, now } = services;
  const reservation = await quota.reserve({ ...request, timeoutMs: deadline - now() });
  if (reservation.status !== "in_progress") return reservation;
  const isReleased = await releaseFailedKey(services, account, reservation.documentId);
  return isReleased ? quota.reserve({ ...request, timeoutMs: deadline - now() }) : reservation;
}

function noteRoom(
  { earlyRenders, settings }: Services,
  { id, plan }: Account,
  { used, inFlight }: Extract<Reservation, { status: "reserved" }>,
): void {
  const room = Math.min(plan.monthlyRenders - used + inFlight, settings.rendersInFlight[plan.name]);
  earlyRenders.reserved(id, { room, inFlight });
}

function tooManyInFlight(inFlightLimit: number, retryAfterSeconds: number): ServiceError {
  const message = `The account already has ${inFlightLimit} renders in progress, which is the maximum of its plan. Try again shortly.`;
  return renderFailed("no_capacity", message, { retryAfterSeconds });
}

/** Logs when an account reaches 80 % or 100 % of its monthly allowance, to inform operators. */
function logThreshold(services: Services, account: Account, used: number): void {
  const limit = account.plan.monthlyRenders;
  for (const percent of [80, 100]) {
    if (used === Math.ceil((limit * percent) / 100)) {
      services.log("info", { event: "quota.threshold_reached", accountId: account.id, percent, used, limit });
    }
  }
}
