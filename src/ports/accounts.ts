// Ports for accounts, their keys and their monthly quota.
import type { Account, AccountSummary, ApiKey, NewAccount } from "../core/accounts/account.ts";
import type { Plan, PlanName } from "../core/accounts/plans.ts";
import type { Deletion, IdempotencyKey, KnownKey, Reservation, ReserveRequest } from "../core/accounts/quota.ts";

/** Finds the account of an API key. Results may be up to ten seconds old. */
export type KeyDirectory = {
  /** The account of the key and the SHA-256 of the key's secret, hex; null when the key is unknown or revoked. */
  find(keyId: string): Promise<{ account: Account; secretHash: string } | null>;
};

/** Accounts, plans and keys, as the operator's command line changes them. */
export type AccountStore = {
  /** Stores the account together with its first webhook secret. */
  insertAccount(account: NewAccount): Promise<void>;
  /** Every account. */
  listAccounts(): Promise<AccountSummary[]>;
  /** Null when there is no such account. */
  findAccount(id: string): Promise<AccountSummary | null>;
  /** False when there is no such account. */
  setAccountPlan(id: string, plan: PlanName): Promise<boolean>;
  /** All plans, the smallest allowance first. */
  listPlans(): Promise<Plan[]>;
  /** Changes the given properties and returns the updated plan. */
  updatePlan(name: PlanName, change: { monthlyRenders?: number; apiAccess?: boolean }): Promise<Plan>;
  /** `createdAt` in ms since the epoch; `secretHash` is the SHA-256 of the secret, hex. */
  insertKey(key: { id: string; accountId: string; name: string; secretHash: string; createdAt: number }): Promise<void>;
  /** All keys of the account, including revoked ones. */
  listKeys(accountId: string): Promise<ApiKey[]>;
  /** False when there is no such key. A key that is revoked again keeps the time of its first revocation. */
  revokeKey(id: string, revokedAt: number): Promise<boolean>;
};

/** The monthly quota of an account; exact under any concurrency. Idempotent by document id. */
export type Quota = {
  /** Reserves a hold, or returns the reason why it cannot. Waits for a while if too many renders are in flight. */
  reserve(request: ReserveRequest): Promise<Reservation>;
  /** Returns what `reserve` would find for the key, without reserving anything. */
  lookUpKey(accountId: string, idempotency: IdempotencyKey): Promise<KnownKey>;
  /** Counts the render of a hold. */
  commit(accountId: string, documentId: string): Promise<void>;
  /** Ends a hold without counting its render. */
  release(accountId: string, documentId: string): Promise<void>;
  /** Renders of a month, e.g. `2026-11`: counted ones, and held ones that may still be counted. */
  usage(accountId: string, month: string): Promise<{ used: number; reserved: number }>;
  /**
   * Settles the document's hold according to the document's status, so that a delete never lowers the usage. Also records
   * the file: if the delete is interrupted before the file is removed, the alarm removes it.
   */
  beginDelete(accountId: string, deletion: Deletion): Promise<void>;
};
