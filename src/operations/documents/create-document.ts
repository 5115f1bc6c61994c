// Creates a document: reserves a hold on the quota, renders, records the outcome in D1 and settles the hold. If any
// step fails, the alarm of the account's object settles the hold according to D1, so this module need not settle it in
// every case.
import { checkPublicUrl } from "colophon-base/public-url";
import { beginRender, type BegunRender, type RenderResult } from "colophon-render/render-document";
import type { Account } from "../../core/accounts/account.ts";
import type { IdempotencyKey } from "../../core/accounts/quota.ts";
import { accessOf, type CompletedDocument, type Creation } from "../../core/documents/document.ts";
import { noCapacity, ServiceError, validationError } from "../../core/errors.ts";
import type { Services } from "../../ports/services.ts";
import { planDocument, type DocumentPlan, type ValidatedInput } from "./plan-document.ts";
import { failureOf, recordCompleted, recordFailed, releaseHold } from "./record-outcome.ts";
import { findReplay } from "./replay.ts";
import { reserveHold, type HoldOrReplay } from "./reserve-hold.ts";

export type CreateDocumentInput = Omit<ValidatedInput, "webhookUrl"> & {
  /** The URL for the event that is sent when the render has ended. It has not been validated yet. */
  webhookUrl?: string;
};

export async function createDocument(
  services: Services,
  account: Account,
  input: CreateDocumentInput,
): Promise<Creation> {
  const webhookUrl = validatedWebhookUrl(services, input.webhookUrl);
  const planned = await planOrReplay(services, account, { ...input, webhookUrl });
  if (planned.status === "replayed") return planned.creation;
  const { plan } = planned;
  const isEarly = services.earlyRenders.begin(account.id);
  try {
    return await createPlanned(services, account, { plan, idempotency: input.idempotency, isEarly });
  } finally {
    services.earlyRenders.ended(account.id);
  }
}

type PlannedCreate = { plan: DocumentPlan; idempotency: IdempotencyKey | null; isEarly: boolean };

async function createPlanned(
  services: Services,
  account: Account,
  { plan, idempotency, isEarly }: PlannedCreate,
): Promise<Creation> {
  // The call to the quota may cross an ocean, so the template is loaded at the same time.
  const render = beginRender(services, plan.render);
  const reserving = reserveHold(services, account, { plan, idempotency });
  const early = isEarly ? startEarly(services, render, reserving) : null;
  const reserved = await reserving;
  if (reserved.status === "replayed") return reserved.creation;
  const document = await recordResult(services, plan, await (early ?? render()));
  return { document, isReplay: false, used: reserved.used };
}

/** Renders while the hold is being reserved. Without the hold, the file is not stored and the result is ignored. */
function startEarly(services: Services, render: BegunRender, reserving: Promise<HoldOrReplay>): Promise<RenderResult> {
  const hasHold = reserving.then(({ status }) => status === "held").catch(() => false);
  const rendering = render(() => hasHold);
  services.background("end a render that began before its hold", rendering);
  return rendering;
}

/** Records the outcome of a render, and settles its hold. Throws RENDER_FAILED, or an error of `recordCompleted`. */
async function recordResult(services: Services, plan: DocumentPlan, result: RenderResult): Promise<CompletedDocument> {
  switch (result.status) {
    case "rendered":
      return recordCompleted(services, plan, result.metadata);
    case "failed": {
      const error = failureOf(result);
      await recordFailed(services, plan, error);
      throw error;
    }
    case "no_capacity":
      await releaseHold(services, plan.draft, result);
      throw noCapacity(result.retryAfterSeconds);
  }
}

/** Returns the normalised URL, or null if the request has none. Throws VALIDATION_ERROR. */
export function validatedWebhookUrl({ settings }: Services, text: string | undefined): string | null {
  if (text === undefined) return null;
  const checked = checkPublicUrl(text, settings.webhookUrls);
  if (checked.status === "public") return checked.url;
  const message = `\`webhookUrl\` ${checked.reason}; only https URLs of public hosts are allowed.`;
  throw validationError([{ path: "webhookUrl", message }]);
}

/**
 * Plans the document. If that fails and the request is a repeat, returns the first request's document instead, because
 * the template may since have been deleted or may no longer accept the data.
 */
export async function planOrReplay(
  services: Services,
  account: Account,
  input: ValidatedInput,
): Promise<{ status: "planned"; plan: DocumentPlan } | { status: "replayed"; creation: Creation }> {
  try {
    const plan = await planDocument(services, account, input);
    // Without a valid key, the record could not be returned after the render.
    if (accessOf(plan.draft.fileKey) === "private") services.encryptionKeys();
    return { status: "planned", plan };
  } catch (refusal) {
    const isRefusal = refusal instanceof ServiceError && refusal.code !== "SERVICE_UNAVAILABLE";
    if (!input.idempotency || !isRefusal) throw refusal;
    const creation = await findReplay(services, account, input.idempotency);
    if (!creation) throw refusal;
    return { status: "replayed", creation };
  }
}
