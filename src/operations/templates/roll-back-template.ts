// Makes the content of an earlier version the newest one. Versions never change and are never removed, so this adds a
// version with the earlier content.
import { templateNotFound, templateVersionNotFound } from "../../core/errors.ts";
import type { Template } from "colophon-template-model/template";
import type { TemplateStore } from "../../ports/templates.ts";
import { auditEvent, operator } from "../accounts/manage-accounts.ts";
import { untilStored } from "./push-template.ts";

type RollbackServices = { templates: TemplateStore; now(): number; newId(): string };

export type Rollback = {
  accountId: string;
  /** The id of the template, or the name of its folder. */
  id: string;
  version: number;
  actor?: string;
};

/**
 * `changed` is false if the newest version already has the content of that version; then no version is added. Throws
 * TEMPLATE_NOT_FOUND, and SERVICE_UNAVAILABLE if other changes were stored first each time.
 */
export function rollBackTemplate(services: RollbackServices, rollback: Rollback): Promise<RolledBack> {
  return untilStored(() => tryToRollBack(services, rollback));
}

type RolledBack = { template: Template; changed: boolean };

/** Returns null if another change was stored first. */
async function tryToRollBack(
  services: RollbackServices,
  { accountId, id, version, actor = operator }: Rollback,
): Promise<RolledBack | null> {
  const { templates } = services;
  const newest = await templates.find(accountId, id);
  if (!newest) throw templateNotFound();
  const earlier = await templates.findVersion(accountId, newest.id, version);
  if (!earlier) throw templateVersionNotFound(version, newest.version);
  if (earlier.contentHash === newest.contentHash) return { template: newest, changed: false };
  const { contentHash, manifest, pagesCount } = earlier;
  const updatedAt = services.now();
  const template = { ...newest, version: newest.version + 1, contentHash, manifest, pagesCount, updatedAt };
  const audit = auditEvent(services, { accountId, actor, action: "template.rolled_back", subject: newest.id });
  return (await templates.update(template, audit)) ? { template, changed: true } : null;
}
