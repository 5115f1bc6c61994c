// Validates a create and makes all decisions that do not need a hold. A request that is rejected here has stored
// nothing.
import { counted } from "colophon-base/text";
import type { PageGeometry } from "colophon-page/page-geometry";
import { defaultImageQuality, hasImageQuality } from "colophon-render/image-limits";
import { planRender, type RenderRequest } from "colophon-render/plan-render";
import type { RenderPlan } from "colophon-render/render-document";
import type { Access, Template } from "colophon-template-model/template";
import { type Account, isTestAccountId } from "../../core/accounts/account.ts";
import { quotaPeriodOf } from "../../core/accounts/month.ts";
import { expiryOf } from "../../core/accounts/plans.ts";
import type { IdempotencyKey } from "../../core/accounts/quota.ts";
import { accessOfVersion, resolveAccess } from "../../core/documents/access.ts";
import { newFileKey, type DocumentDraft, type DocumentMetadata } from "../../core/documents/document.ts";
import { pdfEncryption, type EncryptionRequest } from "../../core/documents/encryption.ts";
import { withExtension } from "../../core/documents/filename.ts";
import { missingField, templateNotFound, templateVersionNotFound, validationError } from "../../core/errors.ts";
import { parseTemplateName } from "../../core/templates/template-name.ts";
import type { PlanServices } from "../../ports/services.ts";

/** The input of a create. Everything in it that does not depend on the template has been validated. */
export type ValidatedInput = RenderRequest & {
  /** The string from the request. */
  templateId: string;
  /** The version to render; by default the newest one. */
  templateVersion?: number;
  /** Only for a format with a quality setting. */
  imageQuality?: number | undefined;
  webhookUrl: string | null;
  /** The name of a download. The extension of the format is added if it is missing. */
  filename?: string;
  metadata?: DocumentMetadata;
  /** The time in seconds after which the document is removed. */
  expiresIn?: number;
  access?: Access | undefined;
  /** How long links to the file are valid, in seconds. */
  linkExpiresIn?: number | undefined;
  encryption?: EncryptionRequest | undefined;
  idempotency: IdempotencyKey | null;
  /** When the request arrived, in ms since the epoch. The time limit of the create starts at this time. */
  arrivedAt: number;
};

/** All decisions about a create that are made before a hold is reserved. */
export type DocumentPlan = {
  draft: DocumentDraft;
  webhookUrl: string | null;
  /** Warnings about the data. In the document, they come before the warnings of the render. */
  warnings: string[];
  render: RenderPlan;
};

type AccountOfDocument = Pick<Account, "id" | "retentionDays" | "access">;

/** Plans the document of a create. Throws TEMPLATE_NOT_FOUND, VALIDATION_ERROR or MISSING_FIELD. */
export async function planDocument(
  services: PlanServices,
  account: AccountOfDocument,
  input: ValidatedInput,
): Promise<DocumentPlan> {
  const expiresAt = expiryOfInput(account, input);
  const template = await templateOf(services, account, input);
  const planned = planRender(template.manifest, input, services.settings.imageUrls.allowedOrigins);
  if (planned.status === "invalid") throw validationError(planned.problems, planned.message);
  if (planned.status === "missing") throw missingField(planned.problems, planned.message);
  const { status: _, warnings, ...parts } = planned;
  const { page } = parts;
  const draft = draftOf(services, account, { template, page, input, expiresAt });
  const deadline = input.arrivedAt + services.settings.renderBudgetMs;
  const isTest = isTestAccountId(account.id);
  const encryption = input.encryption && pdfEncryption(input.encryption);
  const optional = { ...(isTest && { isTest }), ...(encryption && { encryption }) };
  const render = { ...parts, document: draft, template, deadline, ...optional };
  return { draft, webhookUrl: input.webhookUrl, warnings, render };
}

/** Returns the newest version of the template, or the requested one. Throws TEMPLATE_NOT_FOUND. */
export async function templateOf(
  { templates }: Pick<PlanServices, "templates">,
  account: Pick<Account, "id">,
  { templateId, templateVersion: version }: Pick<ValidatedInput, "templateId" | "templateVersion">,
): Promise<Template> {
  const name = parseTemplateName(templateId);
  const newest = name && (await templates.find(account.id, name));
  if (!newest) throw templateNotFound();
  if (version === undefined || version === newest.version) return newest;
  const pinned = await templates.findVersion(account.id, newest.id, version);
  if (!pinned) throw templateVersionNotFound(version, newest.version);
  return { ...pinned, manifest: { ...pinned.manifest, ...accessOfVersion(pinned.manifest, newest.manifest) } };
}

/** Returns when a document is removed; null if it is kept. Throws VALIDATION_ERROR if it would be kept longer than allowed. */
export function expiryOfInput(
  { retentionDays }: Pick<Account, "retentionDays">,
  { expiresIn, arrivedAt }: { expiresIn?: number | undefined; arrivedAt: number },
): number | null {
  const latest = expiryOf(arrivedAt, retentionDays);
  if (expiresIn === undefined) return latest;
  const requested = arrivedAt + expiresIn * 1000;
  if (latest === null || requested <= latest) return requested;
  const seconds = (latest - arrivedAt) / 1000;
  const message = `\`expiresIn\` must be at most ${seconds}: the documents of this account are kept for ${counted(Number(retentionDays), "day")}.`;
  throw validationError([{ path: "expiresIn", message }]);
}

type DraftInput = { template: Template; page: PageGeometry; input: ValidatedInput; expiresAt: number | null };

function draftOf(
  services: PlanServices,
  account: AccountOfDocument,
  { template, page, input, expiresAt }: DraftInput,
): DocumentDraft {
  const { format, deviceScaleFactor, imageQuality = defaultImageQuality, filename, metadata = {}, arrivedAt } = input;
  return {
    id: services.newId(),
    accountId: account.id,
    templateId: template.id,
    templateVersion: template.version,
    format,
    width: page.width,
    height: page.height === "auto" ? null : page.height,
    deviceScaleFactor,
    imageQuality: hasImageQuality(format) ? imageQuality : null,
    fileKey: newFileKey(format, resolveAccess(account.access, template.manifest, input.access)),
    month: quotaPeriodOf(account.id, services.now()),
    createdAt: arrivedAt,
    expiresAt,
    filename: filename === undefined ? null : withExtension(filename, format),
    metadata,
    batchId: null,
    ...(input.linkExpiresIn !== undefined && { linkSeconds: input.linkExpiresIn }),
  };
}
