// Ports for accounts, their keys and their monthly quota.
import { dayMs } from "colophon-base/calendar-day";
import type { AccountSettings, AccountSummary, ApiKey, Caller } from "../core/accounts/account.ts";
import type { ApiKeyParts } from "../core/accounts/api-key.ts";
import type { ShardState } from "../core/accounts/placement.ts";
import type { Plan, PlanName, AccountRetention, Retention } from "../core/accounts/plans.ts";
import type {
  BatchHold,
  BatchProgress,
  BatchReservation,
  Deletion,
  IdempotencyKey,
  KnownKey,
  Reservation,
  ReserveRequest,
} from "../core/accounts/quota.ts";
import type { Listed, Page } from "../core/pagination.ts";

/**
 * The account of a valid key, and what the key may do. A key is unknown if its id is unknown or its secret is wrong, and has expired or
 * been revoked only if it is completely right.
 */
export type FoundCaller = { status: "valid"; caller: Caller } | { status: "expired" | "revoked" | "unknown" };

/** Finds the account of an API key. A change may take up to ten seconds to become visible. */
export type KeyDirectory = {
  /**
   * Looks up the key. The result does not affect how long the call takes. If `isFresh`, a revocation takes effect immediately.
   */
  findCaller(key: ApiKeyParts, nowMs: number, options?: { isFresh: boolean }): Promise<FoundCaller>;
  /** Records the use of a key, accurate to one hour. */
  recordUse(keyId: string, nowMs: number): Promise<void>;
};

/** The time for which the events of an account are kept. */
export const auditRetentionMs = 90 * dayMs;

/**
 * A change of an account. `actor` is the id of a key, or `operator`. `subject` is the id of the changed key, template, webhook or account.
 */
export type AuditEvent = {
  id: string;
  accountId: string;
  createdAt: number;
  actor: string;
  action: string;
  subject: string;
};

export type AuditLog = {
  /** Events that have not expired, newest first, then by id. */
  list(accountId: string, page: Page, nowMs: number): Promise<Listed<AuditEvent>>;
};

/** Accounts, plans and keys. Deleted accounts are left out. */
export type AccountStore = {
  /** Stores the account together with its first webhook secret. */
  insertAccount(account: AccountSummary & { webhookSecret: string }, audit: AuditEvent): Promise<void>;
  /** The shards in which accounts can be placed. */
  shards(): Promise<ShardState[]>;
  listAccounts(page: Page): Promise<Listed<AccountSummary>>;
  /** The account; null when there is no such account. */
  findAccount(id: string): Promise<AccountSummary | null>;
  /** Changes the given properties, at least one, and returns the updated account; null when there is no such account. */
  updateAccount(id: string, change: AccountChange, audits: AuditEvent[]): Promise<AccountSummary | null>;
  /** All plans, the one with the smallest monthly allowance first. */
  listPlans(): Promise<Plan[]>;
  /** Changes the given properties and returns the updated plan. */
  updatePlan(name: PlanName, change: PlanChange): Promise<Plan>;
  /** The secret that keys the checksums of API keys. */
  checksumSecret(): Promise<string>;
  /** Stores a key. `secretHash` is the SHA-256 of the secret in hexadecimal. */
  insertKey(key: NewKey, audit: AuditEvent): Promise<void>;
  findKey(accountId: string, id: string): Promise<ApiKey | null>;
  /** The keys of the account, including revoked ones. */
  listKeys(accountId: string, page: Page): Promise<Listed<ApiKey>>;
  /** Revokes a key at the time of the event. A second revocation keeps the time of the first. */
  revokeKey(accountId: string, id: string, audit: AuditEvent): Promise<void>;
};

export type NewKey = Omit<ApiKey, "revokedAt" | "lastUsedAt"> & { accountId: string; secretHash: string };

export type AccountChange = Partial<AccountSettings> & {
  plan?: PlanName | undefined;
  monthlyRenders?: number | null | undefined;
  retentionDays?: AccountRetention | undefined;
};

export const ownedKinds = ["account", "document", "template", "key", "webhook"] as const;
export type Owner = { kind: (typeof ownedKinds)[number]; accountId: string };

/** Returns what the id identifies, and its account. */
export type Owners = (id: string) => Promise<Owner[]>;

export type PlanChange = { monthlyRenders?: number; apiAccess?: boolean; retentionDays?: Retention };

/**
 * Decides whether a create's render may begin while its hold is being reserved, which saves the time of that call. It may if the
 * last reservation left enough room, until a create is refused.
 */
export type EarlyRenders = {
  /** Notes that a create begins; `ended` must follow. Returns whether its render may also begin. */
  begin(accountId: string): boolean;
  /**
   * Notes a reservation. `room` is the maximum number of creates in flight, and `inFlight` the current number, including this
   * one.
   */
  reserved(accountId: string, seen: { room: number; inFlight: number }): void;
  /** Notes that a hold was refused. */
  refused(accountId: string): void;
  /** Notes that a create has ended. */
  ended(accountId: string): void;
};

/**
 * The monthly quota of an account. It stays exact even if many requests run at the same time. Its methods may be called again
 * with the same document id.
 */
export type Quota = {
  /**
   * Reserves a hold, or returns the reason why that is impossible. If too many renders are in flight, waits for one of them
   * to end, as long as `maxWaitMs` in `wait-limit.ts` says.
   */
  reserve(request: ReserveRequest): Promise<Reservation>;
  /** Returns the status that `reserve` would find for the key, without making a reservation. */
  lookUpKey(accountId: string, idempotency: IdempotencyKey): Promise<KnownKey>;
  /** Settles a hold and counts its render. */
  commit(accountId: string, documentId: string): Promise<void>;
  /** Settles a hold without counting its render. */
  release(accountId: string, documentId: string): Promise<void>;
  /**
   * The account's usage in a month, e.g. `2026-11`. `used` is the number of committed renders. `reserved` is the number
   * of held renders, which may still be committed.
   */
  usage(accountId: string, month: string): Promise<{ used: number; reserved: number }>;
  /**
   * First settles the document's hold according to the document's status, so that a delete never lowers the usage. Then
   * records the file, so that an alarm can remove the file if the delete is interrupted.
   */
  beginDelete(accountId: string, deletion: Deletion): Promise<void>;
};

/** The calls to the account's quota from the object that renders the account's batches and queued documents. */
export type BatchQuota = Pick<Quota, "commit" | "release"> & {
  /** Reserves all renders of a batch, or none. May be repeated for the same batch. `limit` is the month's limit. */
  reserveBatch(accountId: string, hold: BatchHold, limit: number): Promise<BatchReservation>;
  /**
   * Counts the completed renders of a batch, and releases the other renders that have ended. May be repeated; late calls
   * change nothing. Afterwards, a batch without a hold cannot get one.
   */
  settleBatch(accountId: string, batchId: string, progress: BatchProgress): Promise<void>;
  /** Sets the end of a hold's lease to `leaseMs` from now. A settled hold stays unchanged. */
  extend(accountId: string, documentId: string, leaseMs: number): Promise<void>;
};

/**
 * The limits on the frequency of callers' requests. The counts are approximate, and each location of the platform counts
 * separately.
 */
export type RateLimits = {
  /**
   * The limit on failed authentication attempts, by client. A credential is the string with which a caller tried to
   * authenticate. It is never stored in full.
   */
  failures: {
    /**
     * Returns true if the client has failed too many times, unless this credential was accepted recently. Cheap: it only
     * reads the isolate's memory.
     */
    refuses(client: string, credential: string): Promise<boolean>;
    /** Remembers that the credential was accepted. */
    recordSuccess(credential: string): Promise<void>;
    /** Counts a failed attempt. Returns false if the client has now failed too many times. Never rejects. */
    recordFailure(client: string, credential: string): Promise<boolean>;
  };
  requests: {
    /** Counts a request of the account. Returns false if the account has sent too many. Never rejects. */
    recordRequest(accountId: string): Promise<boolean>;
  };
};
