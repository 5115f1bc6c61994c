// Creates a document: reserve a place of the allowance, render, record, answer. The hold is the write-ahead record, D1 is
// the judge: whatever breaks in between, the hold's alarm settles it, so nothing here relies on a `finally`.
import { checkData } from "../../core/templates/template-data.ts";
import {
  newFileKey,
  type CompletedDocument,
  type Creation,
  type DocumentDraft,
  type DocumentFormat,
} from "../../core/documents/document.ts";
import {
  missingField,
  renderFailed,
  renderLimitExceeded,
  templateNotFound,
  validationError,
  ServiceError,
} from "../../core/errors.ts";
import { monthOf } from "../../core/accounts/month.ts";
import { marginsFit, overrideGeometry, type PageGeometry } from "../../core/rendering/page-geometry.ts";
import { pngSizeProblem } from "../../core/rendering/png-size.ts";
import { checkPublicUrl } from "../../core/public-url.ts";
import type { Template } from "../../core/templates/template.ts";
import type { Account } from "../../core/accounts/account.ts";
import type { FileMetadata } from "../../core/documents/document.ts";
import type { IdempotencyKey } from "../../core/accounts/quota.ts";
import type { Services } from "../../ports.ts";
import { recordDocument } from "./record-document.ts";
import { renderDocument, type RenderPlan } from "../rendering/render-document.ts";
import { freeFailedKey, replay, replayOf } from "./replay.ts";

export type CreateDocumentInput = {
  templateId: string;
  data: Record<string, unknown>;
  format: DocumentFormat;
  deviceScaleFactor: number;
  width?: number;
  height?: number;
  /** Where to tell what became of it; not validated yet. */
  webhookUrl?: string;
  idempotency: IdempotencyKey | null;
  /** When the request arrived, ms since the epoch: the create's budget counts from here. */
  arrivedAt: number;
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
  const place = await reservePlace(services, account, plan, input.idempotency);
  if (place.status === "replayed") return place.creation;
  const result = await renderDocument(services, plan);
  switch (result.status) {
    case "rendered":
      return { document: await recordCompleted(services, plan, result.metadata), isReplay: false, used: place.used };
    case "failed":
      throw await recordFailed(services, plan, result.error);
    case "no_capacity":
      await giveUp(services, plan.draft);
      throw result.error;
  }
}

/** The URL in its normal form; null when there is none. */
function validatedWebhookUrl({ settings }: Services, text: string | undefined): string | null {
  if (text === undefined) return null;
  const verdict = checkPublicUrl(text, settings.webhookUrls);
  if (verdict.status === "public") return verdict.url;
  const message = `\`webhookUrl\` ${verdict.reason}; allowed are https URLs of public hosts.`;
  throw validationError([{ path: "webhookUrl", message }]);
}

type ValidatedInput = Omit<CreateDocumentInput, "webhookUrl"> & { webhookUrl: string | null };

type Replayed = { status: "replayed"; creation: Creation };

/** A repeat is answered also when its template is gone meanwhile, or its data no longer fits. */
async function planOrReplay(
  services: Services,
  account: Account,
  input: ValidatedInput,
): Promise<{ status: "planned"; plan: RenderPlan } | Replayed> {
  try {
    return { status: "planned", plan: await planRender(services, account, input) };
  } catch (refusal) {
    if (!input.idempotency || !(refusal instanceof ServiceError)) throw refusal;
    const creation = await replayOf(services, account, input.idempotency);
    if (!creation) throw refusal;
    return { status: "replayed", creation };
  }
}

/** Decides all that can be decided before a place is taken; a refusal here leaves nothing behind. */
async function planRender(services: Services, account: Account, input: ValidatedInput): Promise<RenderPlan> {
  const template = await services.templates.find(account.id, input.templateId);
  if (!template) throw templateNotFound();
  const { allowedOrigins } = services.settings.imageUrls;
  const { fields } = template.manifest;
  const { data, missing, mistyped, unnamed, warnings } = checkData(fields, input.data, allowedOrigins);
  if (mistyped.length > 0) throw validationError([...mistyped, ...missing], 400, unnamed);
  if (missing.length > 0) throw missingField(missing, unnamed);
  const page = pageOf(template, input);
  const draft: DocumentDraft = {
    id: services.newId(),
    accountId: account.id,
    templateId: template.id,
    templateVersion: template.version,
    format: input.format,
    width: page.width,
    height: page.height,
    deviceScaleFactor: input.deviceScaleFactor,
    fileKey: newFileKey(input.format),
    month: monthOf(services.now()),
    createdAt: input.arrivedAt,
  };
  const deadline = input.arrivedAt + services.settings.renderBudgetMs;
  const { webhookUrl } = input;
  return { template, draft, webhookUrl, page, data, warnings, fixedHeight: input.height !== undefined, deadline };
}

function pageOf({ manifest }: Template, { width, height, format, deviceScaleFactor }: ValidatedInput): PageGeometry {
  const page = overrideGeometry(manifest.page, { width, height });
  const path = width === undefined || (height !== undefined && height < width) ? "height" : "width";
  if (!marginsFit(page, manifest.margin)) {
    const { top, right, bottom, left } = manifest.margin;
    const message = `A page of ${page.width} x ${page.height} px leaves no room inside the template's margins (${top}, ${right}, ${bottom}, ${left} px).`;
    throw validationError([{ path, message }]);
  }
  const problem = format === "png" ? pngSizeProblem(page.width, page.height, deviceScaleFactor) : null;
  const hasOwnSize = width !== undefined || height !== undefined;
  if (problem) throw validationError([{ path: hasOwnSize ? path : "deviceScaleFactor", message: problem }]);
  return page;
}

async function reservePlace(
  services: Services,
  account: Account,
  { draft, webhookUrl }: RenderPlan,
  idempotency: IdempotencyKey | null,
): Promise<{ status: "taken"; used: number } | Replayed> {
  const limit = account.plan.monthlyRenders;
  const inFlightLimit = services.settings.rendersInFlight[account.plan.name];
  const hold = { draft, webhookUrl, leaseMs: services.settings.leaseMs };
  const reserve = () => services.quota.reserve({ hold, limit, inFlightLimit, idempotency });
  let reservation = await reserve();
  if (reservation.status === "in_progress" && (await freeFailedKey(services, account, reservation.documentId))) {
    reservation = await reserve();
  }
  switch (reservation.status) {
    case "reserved":
      logThreshold(services, account, reservation.used);
      return { status: "taken", used: reservation.used };
    case "exhausted":
      throw renderLimitExceeded({ used: reservation.used, limit, month: draft.month, nowMs: services.now() });
    case "too_many_in_flight": {
      const { retryAfterSeconds } = reservation;
      const message = `The account has ${inFlightLimit} renders under way, as many as its plan allows at once. Try again shortly.`;
      throw renderFailed(503, message, { retryAfterSeconds });
    }
    case "other_body":
    case "in_progress":
    case "done":
      return { status: "replayed", creation: await replay(services, account, reservation) };
  }
}

/** Operators hear of an allowance that runs out before its owner does. */
function logThreshold(services: Services, account: Account, used: number): void {
  const limit = account.plan.monthlyRenders;
  for (const percent of [80, 100]) {
    if (used === Math.ceil((limit * percent) / 100)) {
      services.log("info", { event: "allowance.threshold", accountId: account.id, percent, used, limit });
    }
  }
}

async function recordCompleted(
  services: Services,
  { draft, webhookUrl }: RenderPlan,
  metadata: FileMetadata,
): Promise<CompletedDocument> {
  const document: CompletedDocument = { ...draft, ...metadata, status: "completed", completedAt: services.now() };
  const outcome = await recordDocument(services, document, webhookUrl).catch((cause: unknown) => {
    // Whether the row is there is unknown: the hold's alarm will see, and nothing is undone meanwhile.
    throw renderFailed(502, "The render could not be recorded. It counts only if the document appears in the list.", {
      cause,
    });
  });
  if (outcome.status !== "inserted" && !(outcome.status === "existing" && outcome.document.status === "completed")) {
    // Too slow: the alarm has settled the hold as failed. What D1 says is what happened.
    services.background("remove the file of a failed document", services.files.remove(draft.fileKey));
    throw renderFailed(504, "The render took too long to be recorded and was ended.");
  }
  services.background("commit the hold", services.quota.commit(draft.accountId, draft.id));
  return document;
}

/** The document is left as `failed`, the place goes back, no file stays. Returns what the caller is told. */
async function recordFailed(
  services: Services,
  { draft, webhookUrl }: RenderPlan,
  error: ServiceError,
): Promise<ServiceError> {
  const { code, message } = error;
  try {
    await recordDocument(services, { ...draft, status: "failed", error: { code, message } }, webhookUrl);
  } catch (cause) {
    // The hold's alarm will write the row and give the place back.
    services.log("error", { event: "document.failure_not_recorded", documentId: draft.id, cause });
    return error;
  }
  await giveUp(services, draft);
  return error;
}

/**
 * Leaves no file and gives the place back, in this order: while the hold stands, its alarm makes up for whatever of this
 * is lost. (A crashed first try may have stored its file before its answer was lost.)
 */
async function giveUp(services: Services, draft: DocumentDraft): Promise<void> {
  try {
    await services.files.remove(draft.fileKey);
    await services.quota.release(draft.accountId, draft.id);
  } catch (cause) {
    services.log("warn", { event: "hold.left_to_alarm", documentId: draft.id, cause });
  }
}
