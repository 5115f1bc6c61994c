// Stores the content of a template folder. A new version is created only when something has changed. The content is
// stored before the row that names it, so that a row never refers to missing content.
import { sha256Hex } from "colophon-base/encoding";
import type { Template, TemplateContent } from "colophon-template-model/template";
import type { TemplateStore } from "../../ports/templates.ts";

export type PushInput = {
  accountId: string;
  /**
   * The template to update. Without an id, the push updates the template that was first pushed from a folder of this name,
   * or creates a new one.
   */
  id?: string | undefined;
  folder: string;
  content: TemplateContent;
};

export type PushResult =
  /** `previous` is the newest version before this push, or null if the push created the template. */
  | { status: "pushed"; template: Template; previous: Template | null; changed: boolean }
  | { status: "not_found" }
  /** Another push of the same template was stored first. */
  | { status: "overtaken" };

type PushServices = { templates: TemplateStore; now(): number; newId(): string };

export async function pushTemplate(
  services: PushServices,
  { accountId, id, folder, content }: PushInput,
): Promise<PushResult> {
  const { templates } = services;
  const existing = id ? await templates.findById(id) : await templates.findByFolder(accountId, folder);
  if (id && existing?.accountId !== accountId) return { status: "not_found" };
  const previous = existing;
  const contentHash = await contentHashOf(content);
  if (existing?.contentHash === contentHash) return { status: "pushed", template: existing, previous, changed: false };
  const nowMs = services.now();
  const template: Template = {
    id: existing?.id ?? services.newId(),
    accountId,
    version: (existing?.version ?? 0) + 1,
    contentHash,
    manifest: content.manifest,
    pagesCount: content.pages.length,
    createdAt: existing?.createdAt ?? nowMs,
    updatedAt: nowMs,
  };
  await templates.putContent(template, content);
  const isStored = existing ? await templates.update(template) : await templates.insert(template, folder);
  return isStored ? { status: "pushed", template, previous, changed: true } : { status: "overtaken" };
}

export function contentHashOf(content: TemplateContent): Promise<string> {
  return sha256Hex(JSON.stringify(content));
}
