// The types of the monthly quota: what a create request reserves, and what the account's Durable Object returns.
import type { DocumentDraft, DocumentStatus } from "../documents/document.ts";
import type { PlanName } from "./plans.ts";

/**
 * A hold on one render of the quota. It contains everything that is needed to settle the hold if the request ends
 * early.
 */
export type Hold = { draft: DocumentDraft; leaseMs: number; webhookUrl: string | null };

/**
 * The idempotency key of a request. Requests with the same key and body are repeats of one request. `bodyHash` is the
 * SHA-256 of the body, hex.
 */
export type IdempotencyKey = { key: string; bodyHash: string };

export type ReserveRequest = {
  hold: Hold;
  /** The maximum number of renders per month. */
  limit: number;
  /** The maximum number of the account's renders that may be in flight at the same time. */
  inFlightLimit: number;
  idempotency: IdempotencyKey | null;
};

/**
 * The state of an idempotency key. `other_body`: the key was used with a different body. `in_progress` or `done`: the
 * first request with the key is still running or has ended; `documentId` is its document.
 */
export type KnownKey =
  | { status: "unknown" }
  | { status: "other_body" }
  | { status: "in_progress"; documentId: string }
  | { status: "done"; documentId: string };

/** `used` is the number of renders in the month that are committed or held. */
export type Reservation =
  | { status: "reserved"; used: number }
  | { status: "exhausted"; used: number }
  /** Too many renders of the account are in flight, and none ended while the call waited. */
  | { status: "too_many_in_flight"; retryAfterSeconds: number }
  | Exclude<KnownKey, { status: "unknown" }>;

/** A delete in progress. After `leaseMs`, the alarm of the account's Durable Object finishes the delete. */
export type Deletion = { documentId: string; fileKey: string; status: DocumentStatus; leaseMs: number };

/**
 * The usage of the current month as the API shows it. The numbers count renders; `used` does not include `reserved`.
 */
export type UsageRecord = {
  plan: PlanName;
  /** The month, e.g. `2026-11`. */
  period: string;
  used: number;
  reserved: number;
  limit: number;
  remaining: number;
  /** An ISO timestamp. */
  resetsAt: string;
};
