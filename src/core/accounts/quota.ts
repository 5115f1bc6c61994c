// The vocabulary of the monthly quota: what a create reserves, and what the account's object says to it.
import type { DocumentDraft, DocumentStatus } from "../documents/document.ts";
import type { PlanName } from "./plans.ts";

/** A place of the allowance, held while its document is made. Carries all that settling it without its maker needs. */
export type Hold = { draft: DocumentDraft; leaseMs: number; webhookUrl: string | null };

/** A caller's promise that requests of this key and body are one and the same. */
export type IdempotencyKey = { key: string; bodyHash: string };

export type ReserveRequest = {
  hold: Hold;
  /** Completed renders a month. */
  limit: number;
  /** Renders of the account that may be under way at once. */
  inFlightLimit: number;
  idempotency: IdempotencyKey | null;
};

/** What is known of an idempotency key: whose document it made or is making, and how that stands. */
export type KnownKey =
  | { status: "unknown" }
  | { status: "other_body" }
  | { status: "in_progress"; documentId: string }
  | { status: "done"; documentId: string };

/** `used`: places taken in the month, committed and held together. */
export type Reservation =
  | { status: "reserved"; used: number }
  | { status: "exhausted"; used: number }
  /** Too many renders of the account are under way, and none ended while the call waited. */
  | { status: "too_many_in_flight"; retryAfterSeconds: number }
  | Exclude<KnownKey, { status: "unknown" }>;

/** A delete that has begun. */
export type Deletion = { documentId: string; fileKey: string; status: DocumentStatus; leaseMs: number };

/** The usage of the current month as the API shows it. The numbers are renders. */
export type UsageRecord = {
  plan: PlanName;
  /** The month, e.g. `2026-11`. */
  period: string;
  used: number;
  reserved: number;
  limit: number;
  remaining: number;
  /** ISO timestamp. */
  resetsAt: string;
};
