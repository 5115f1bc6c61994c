// The types of the monthly quota: the requests to the account's Durable Object and its responses.
import type { DocumentDraft, DocumentStatus } from "../documents/document.ts";

/** A hold on the quota for one render, with all data needed to settle it if the request dies. */
export type Hold = {
  draft: DocumentDraft;
  leaseMs: number;
  webhookUrl: string | null;
  /**
   * The base URL of the create's files. It may depend on the origin of the request, which is not known when the hold is
   * settled.
   */
  cdnUrl: string;
};

/**
 * The idempotency key of a request. Requests with the same key and body are repeats of one request. `bodyHash` is the digest of the body
 * with the service's current key, and `previousHash` the one with the previous key, while the key is being replaced.
 */
export type IdempotencyKey = { key: string; bodyHash: string; previousHash?: string };

export type ReserveRequest = {
  hold: Hold;
  /** The maximum number of renders per month. */
  limit: number;
  /** The maximum number of the account's renders that may be in flight at the same time. */
  inFlightLimit: number;
  idempotency: IdempotencyKey | null;
  /**
   * True for a render that begins after the response. It waits in a different queue, so it does not count as in flight.
   */
  isQueued: boolean;
  /** The time until the deadline of the create in ms. It limits how long the create waits when too many renders are in flight. */
  timeoutMs: number;
};

/**
 * The status of an idempotency key. `other_body` means that the key was used with a different body. `in_progress` means that the first request with
 * the key is still running, for at most `retryAfterSeconds`; and `done` means that it has ended. `documentId` is the id of that request's document.
 */
export type KnownKey =
  | { status: "unknown" }
  | { status: "other_body" }
  | { status: "in_progress"; documentId: string; retryAfterSeconds: number }
  | { status: "done"; documentId: string };

/**
 * The result of a reservation. `used` is the number of renders in the month that are committed or held, and `inFlight` the number of
 * renders in flight; both include this render.
 */
export type Reservation =
  | { status: "reserved"; used: number; inFlight: number }
  | { status: "exhausted"; used: number }
  /** Too many renders of the account were in flight for the whole time that the create may wait. */
  | { status: "too_many_in_flight"; retryAfterSeconds: number }
  | Exclude<KnownKey, { status: "unknown" }>;

/** A hold for all renders of a batch, as one record. It has no lease: the object that runs the batch settles it. */
export type BatchHold = { batchId: string; month: string; total: number };

/** The result of reserving a batch. `used` is the number of renders in the month that are committed or held. */
export type BatchReservation = { status: "reserved"; used: number } | { status: "exhausted"; used: number };

/** The number of a batch's renders that have ended, and the number of those that completed. Neither ever decreases. */
export type BatchProgress = { completed: number; ended: number };

/**
 * A delete in progress. After `leaseMs`, the alarm of the account's Durable Object removes the file, unless the
 * document still exists.
 */
export type Deletion = { documentId: string; fileKey: string; status: DocumentStatus; leaseMs: number };
