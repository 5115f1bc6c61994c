// Stores the content of a template folder. A new version is created only when something has changed. The content is
// stored before the row that names it, so that a row never refers to missing content.
import { sha256Hex } from "colophon-base/encoding";
import { versionConflict } from "../../core/errors.ts";
import type { Template, TemplateContent } from "colophon-template-model/template";
import type { TemplateStore, TemplateUpload } from "../../ports/templates.ts";
import { auditEvent, operator } from "../accounts/manage-accounts.ts";

export type PushInput = {
  accountId: string;
  /** The name of the folder. The push updates the template of this name, or creates it. */
  folder: string;
  content: TemplateContent;
  /** The files of the folder; null for a template that consists of its content alone. */
  upload?: TemplateUpload | null;
  /** The newest version must be this one; 0 if there must be no such template. */
  ifVersion?: number | undefined;
  /** The id of the key that pushes. */
  actor?: string;
};

/** `previous` is the newest version before this push, or null if the push created the template. */
export type Pushed = { template: Template; previous: Template | null; changed: boolean };

type PushServices = { templates: TemplateStore; now(): number; newId(): string };

/** How often a push begins anew that needs no particular version, but was overtaken by another one. */
const maxTries = 10;

/** Throws VERSION_CONFLICT if the newest version is not the expected one, or other pushes were stored first each time. */
export async function pushTemplate(services: PushServices, input: PushInput): Promise<Pushed> {
  for (let triesLeft = input.ifVersion === undefined ? maxTries : 1; ; triesLeft--) {
    const pushed = await tryToPush(services, input);
    if (pushed) return pushed;
    const newest = await services.templates.find(input.accountId, input.folder);
    if (triesLeft <= 1) throw versionConflict(newest?.version ?? 0);
  }
}

/** Returns null if another push was stored first. */
async function tryToPush(
  services: PushServices,
  { accountId, folder, content, upload = null, ifVersion, actor = operator }: PushInput,
): Promise<Pushed | null> {
  const { templates } = services;
  const previous = await templates.find(accountId, folder);
  const version = previous?.version ?? 0;
  if (ifVersion !== undefined && ifVersion !== version) throw versionConflict(version);
  const contentHash = await contentHashOf(content, upload);
  if (previous?.contentHash === contentHash) return { template: previous, previous, changed: false };
  const nowMs = services.now();
  const template: Template = {
    id: previous?.id ?? services.newId(),
    accountId,
    version: version + 1,
    contentHash,
    manifest: content.manifest,
    pagesCount: content.pages.length,
    createdAt: previous?.createdAt ?? nowMs,
    updatedAt: nowMs,
  };
  await templates.putContent(template, content, upload);
  const audit = auditEvent(services, { accountId, actor, action: "template.pushed", subject: template.id });
  const isStored = previous ? await templates.update(template, audit) : await templates.insert(template, folder, audit);
  return isStored ? { template, previous, changed: true } : null;
}

export function contentHashOf(content: TemplateContent, upload: TemplateUpload | null = null): Promise<string> {
  return sha256Hex(JSON.stringify(content) + (upload?.digest ?? ""));
}
