// Ports for accounts, their keys and their monthly quota.
import type { AccountSummary, ApiKey, Caller } from "../core/accounts/account.ts";
import type { ApiKeyParts } from "../core/accounts/api-key.ts";
import type { Plan, PlanName, AccountRetention, Retention } from "../core/accounts/plans.ts";
import type { Page, Position } from "../core/pagination.ts";
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

/** Finds the account of an API key. A change may take up to ten seconds to become visible. */
export type KeyDirectory = {
  /**
   * Returns the account of the key and what the key may do, or null if the key id is unknown or the secret is wrong. Says that a
   * key has ended only if all of the key is right. The time that the call takes does not depend on the reason. If `isFresh`, a
   * revocation is seen immediately.
   */
  findCaller(key: ApiKeyParts, nowMs: number, isFresh?: boolean): Promise<Caller | "expired" | "revoked" | null>;
  /** Records that the key was used, exact to an hour. */
  recordUse(keyId: string, nowMs: number): Promise<void>;
};

/** The time for which the events of an account are kept. */
export const auditRetentionMs = 90 * 24 * 3_600_000;

/**
 * A change of an account. `actor` is the id of a key, or `operator`. `subject` is the id of the key, template, webhook or account that was
 * changed.
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
  /** Events that are not too old, newest first, then by id. */
  list(accountId: string, page: Page, nowMs: number): Promise<Listed<AuditEvent>>;
};

/**
 * One page of a list, newest first, then by id. `more` is the position from which the list continues, or null if it ends with this
 * page. `total` counts the items of all pages; there may be more if `totalIsExact` is false.
 */
export type Listed<T> = { items: T[]; more: Position | null; total: number; totalIsExact?: boolean };

/** Accounts, plans and keys. Deleted accounts are left out. */
export type AccountStore = {
  /** Stores the account together with its first webhook secret. */
  insertAccount(account: AccountSummary & { webhookSecret: string }, audit: AuditEvent): Promise<void>;
  listAccounts(page: Page): Promise<Listed<AccountSummary>>;
  /** The account; null when there is no such account. */
  findAccount(id: string): Promise<AccountSummary | null>;
  /** Changes the given properties, at least one, and returns the updated account; null when there is no such account. */
  updateAccount(id: string, change: AccountChange, audit: AuditEvent): Promise<AccountSummary | null>;
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
  /** Revokes a key at the time of the event. A second revocation leaves the time of the first one. */
  revokeKey(accountId: string, id: string, audit: AuditEvent): Promise<void>;
};

export type NewKey = Omit<ApiKey, "revokedAt" | "lastUsedAt"> & { accountId: string; secretHash: string };

export type AccountChange = {
  plan?: PlanName | undefined;
  monthlyRenders?: number | null | undefined;
  retentionDays?: AccountRetention | undefined;
};

export const ownedKinds = ["account", "document", "template", "key", "webhook"] as const;
export type Owner = { kind: (typeof ownedKinds)[number]; accountId: string };

/** Returns the kind of thing that has this id, and its account. */
export type Owners = (id: string) => Promise<Owner[]>;

export type PlanChange = { monthlyRenders?: number; apiAccess?: boolean; retentionDays?: Retention };

/**
 * Whether the render of a create may begin while its hold is being reserved, which saves the time of that call. It may if the last
 * reservation left much room, until a create is refused.
 */
export type EarlyRenders = {
  /** Notes that a create begins, which `ended` must follow. Returns whether its render may begin too. */
  begin(accountId: string): boolean;
  /** Notes a reservation. `room` is how many creates may be in flight together, and `inFlight` how many are, with this one. */
  reserved(accountId: string, seen: { room: number; inFlight: number }): void;
  /** Notes that a hold was refused. */
  refused(accountId: string): void;
  /** Notes that a create has ended. */
  ended(accountId: string): void;
};

/**
 * The monthly quota of an account. It stays exact even if many requests run at the same time. Its methods may be repeated with
 * the same document id.
 */
export type Quota = {
  /**
   * Reserves a hold, or returns the reason why that is impossible. If too many renders are in flight, waits for one of them
   * to end, as long as `maxWaitMs` in `wait-limit.ts` says.
   */
  reserve(request: ReserveRequest): Promise<Reservation>;
  /** Returns the status that `reserve` would find for the key, without reserving anything. */
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
   * records the file, so that an alarm can remove it if the delete is interrupted.
   */
  beginDelete(accountId: string, deletion: Deletion): Promise<void>;
};

/** The calls to the account's quota from the object that renders the account's batches and queued documents. */
export type BatchQuota = Pick<Quota, "commit" | "release"> & {
  /** Reserves all renders of a batch, or none. May be repeated with the same batch. `limit` is the month's limit. */
  reserveBatch(accountId: string, hold: BatchHold, limit: number): Promise<BatchReservation>;
  /**
   * Counts the completed renders of a batch, and gives back the other renders that have ended. May be repeated, and late calls
   * change nothing. A batch without a hold can no longer get one afterwards.
   */
  settleBatch(accountId: string, batchId: string, progress: BatchProgress): Promise<void>;
  /** Sets the end of a hold's lease to `leaseMs` from now. A settled hold stays unchanged. */
  extend(accountId: string, documentId: string, leaseMs: number): Promise<void>;
};

/**
 * The limits on how often callers may do something. The counts are approximate, and each location of the platform has its
 * own counts.
 */
export type RateLimits = {
  /**
   * The limit on failed attempts to authenticate, by client. A credential is the text with which a caller tried to
   * authenticate. It is never stored in full.
   */
  failures: {
    /**
     * Returns true if the client has failed too often, unless this credential was accepted recently. Costs nothing: only the
     * isolate's own memory is asked.
     */
    refuses(client: string, credential: string): Promise<boolean>;
    /** Remembers that the credential was accepted. */
    recordSuccess(credential: string): Promise<void>;
    /** Counts a failed attempt. Returns false if the client has now failed too often. Never rejects. */
    recordFailure(client: string, credential: string): Promise<boolean>;
  };
  requests: {
    /** Counts a request of the account. Returns false if the account has sent too many. Never rejects. */
    recordRequest(accountId: string): Promise<boolean>;
  };
};
