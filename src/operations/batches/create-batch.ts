// Accepts a batch: validates and stores its items as they arrive, and then passes it to the account's object, which holds all of
// its renders or none. A refused batch leaves no hold and no stored data.
import { base64Url } from "colophon-base/encoding";
import type { Account } from "../../core/accounts/account.ts";
import { quotaPeriodOf } from "../../core/accounts/month.ts";
import type { IdempotencyKey } from "../../core/accounts/quota.ts";
import type {
  Acceptance,
  AcceptRequest,
  Batch,
  BatchOptions,
  BatchOutput,
  BatchState,
  MergedOptions,
} from "../../core/batches/batch.ts";
import { resolveAccess } from "../../core/documents/access.ts";
import {
  batchLimitExceeded,
  batchNotFound,
  idempotencyConflict,
  renderLimitExceeded,
  ServiceError,
} from "../../core/errors.ts";
import type { KnownBatch } from "../../ports/batches.ts";
import type { Services } from "../../ports/services.ts";
import { validatedWebhookUrl } from "../documents/create-document.ts";
import { expiryOfInput, templateOf } from "../documents/plan-document.ts";
import { storeItems, type ItemLine } from "./store-items.ts";

export type BatchRequest = {
  templateId: string;
  templateVersion?: number | undefined;
  options: BatchOptions;
  output: BatchOutput[];
  merged?: MergedOptions | undefined;
  webhookUrl?: string | undefined;
  /** The lines with the items, and their total number of bytes. */
  lines: AsyncIterable<ItemLine>;
  byteLength: number;
  /** Resolves with the request's key when all lines have been read; null if it has none. */
  idempotency(): Promise<IdempotencyKey | null>;
  /** When the request arrived, in ms since the epoch. */
  arrivedAt: number;
};

/** `used` is the number of renders in the month that are committed or held; null for a repeat. */
export type BatchCreation = { state: BatchState; isReplay: boolean; used: number | null };

export async function createBatch(services: Services, account: Account, request: BatchRequest): Promise<BatchCreation> {
  try {
    return await acceptBatch(services, account, request);
  } catch (refusal) {
    // The template may have been deleted since the first request, or may no longer accept the data.
    if (!(refusal instanceof ServiceError) || refusal.code === "SERVICE_UNAVAILABLE") throw refusal;
    const idempotency = await request.idempotency().catch(() => null);
    const known = idempotency && (await services.batches.lookUpKey(account.id, idempotency));
    if (!known || known.status === "unknown") throw refusal;
    return batchReplay(known);
  }
}

async function acceptBatch(services: Services, account: Account, request: BatchRequest): Promise<BatchCreation> {
  const { options, output, merged = { startOn: "any" }, arrivedAt, lines, byteLength } = request;
  const webhookUrl = validatedWebhookUrl(services, request.webhookUrl);
  const expiresAt = expiryOfInput(account, { expiresIn: options.expiresIn, arrivedAt });
  const template = await templateOf(services, account, request);
  const { settings, batches, batchFiles } = services;
  const access = resolveAccess(account.access, template.manifest, options.access);
  // Without a valid key, the results could not be returned.
  if (access === "private") services.encryptionKeys();
  const id = services.newId();
  const batch: Batch = {
    id,
    accountId: account.id,
    retentionDays: account.retentionDays,
    template,
    options: { ...options, access },
    output,
    merged,
    webhookUrl,
    month: quotaPeriodOf(account.id, services.now()),
    createdAt: arrivedAt,
    expiresAt: Math.min(expiresAt ?? Infinity, arrivedAt + settings.batchRetentionMs),
    baseUrl: settings.baseUrl,
    cdnUrl: settings.cdnUrl,
    at: services.origin,
    secret: base64Url(crypto.getRandomValues(new Uint8Array(32))),
  };
  await batches.open(account.id, id);
  try {
    const items = await storeItems(services, account, { batch, lines, byteLength });
    await batchFiles.keepTemplate(account.id, id, template);
    const idempotency = await request.idempotency();
    const accept = { batch, ...items, idempotency, limit: account.plan.monthlyRenders };
    return await creationOf(services, accept, await batches.accept(account.id, accept));
  } catch (cause) {
    services.background("drop the batch", batches.drop(account.id, id));
    throw cause;
  }
}

const retryAfterSeconds = 30;

async function creationOf(services: Services, request: AcceptRequest, acceptance: Acceptance): Promise<BatchCreation> {
  const { batch, customIds, limit } = request;
  switch (acceptance.status) {
    case "accepted":
      return { state: acceptance.state, isReplay: false, used: acceptance.used };
    case "known":
      services.background("drop the batch", services.batches.drop(batch.accountId, batch.id));
      return batchReplay(acceptance);
    case "exhausted": {
      const { used } = acceptance;
      const left = Math.max(0, limit - used);
      const message = `The batch has ${customIds.length} items, but only ${left} renders of the monthly allowance are left.`;
      const usage = { used, limit, month: batch.month, nowMs: services.now() };
      throw renderLimitExceeded(usage, [{ path: "items", message }]);
    }
    case "too_many":
      throw tooMany(services, acceptance.limit);
    case "deleted":
    case "other_body":
    case "in_progress":
      return batchReplay(acceptance);
  }
}

function batchReplay(known: Exclude<KnownBatch, { status: "unknown" }>): BatchCreation {
  if (known.status === "known") return { state: known.state, isReplay: true, used: null };
  if (known.status !== "deleted") throw idempotencyConflict(known.status);
  throw batchNotFound("The batch that was created with this `Idempotency-Key` has been deleted.");
}

function tooMany({ settings }: Services, limit: "openBatches" | "waitingItems"): ServiceError {
  const { openBatches, waitingItems } = settings.batchLimits;
  const messages = {
    openBatches: `The account has ${openBatches} batches that have not ended, which is the maximum.`,
    waitingItems: `With this batch, the account would have more than ${waitingItems} queued items and documents.`,
  };
  return batchLimitExceeded(messages[limit], retryAfterSeconds);
}
