// Makes the content of an earlier version the newest one. Versions never change and are never removed, so this adds a
// version with the earlier content.
import type { Template } from "colophon-template-model/template";
import type { TemplateStore } from "../../ports/templates.ts";

export type RollbackResult =
  | { status: "rolled_back"; template: Template; changed: boolean }
  | { status: "not_found" }
  | { status: "no_version"; newest: number }
  /** A push of the same template was stored first. */
  | { status: "overtaken" };

type RollbackServices = { templates: TemplateStore; now(): number };

/** `changed` is false if the newest version already has the content of that version; then no version is added. */
export async function rollBackTemplate(
  { templates, now }: RollbackServices,
  { id, version }: { id: string; version: number },
): Promise<RollbackResult> {
  const [newest, versions] = await Promise.all([templates.findById(id), templates.listVersions(id)]);
  if (!newest) return { status: "not_found" };
  const earlier = versions.find((one) => one.version === version);
  if (!earlier) return { status: "no_version", newest: newest.version };
  if (earlier.contentHash === newest.contentHash) return { status: "rolled_back", template: newest, changed: false };
  const { contentHash, manifest, pagesCount } = earlier;
  const template = { ...newest, version: newest.version + 1, contentHash, manifest, pagesCount, updatedAt: now() };
  const isStored = await templates.update(template);
  return isStored ? { status: "rolled_back", template, changed: true } : { status: "overtaken" };
}
