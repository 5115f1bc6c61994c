// Reads, removes and rolls back templates for callers who change them, so never from a cache.
import type { Template } from "colophon-template-model/template";
import { type Account, liveAccountId } from "../../core/accounts/account.ts";
import { templateNotFound, templateVersionNotFound } from "../../core/errors.ts";
import { parseTemplateName } from "../../core/templates/template-name.ts";
import type { OperatorServices } from "../../ports/services.ts";
import type { NamedTemplate } from "../../ports/templates.ts";
import { auditEvent, operator } from "../accounts/manage-accounts.ts";
import { untilStored, type PushServices } from "../templates/push-template.ts";

/** `id` is the id of the template, or the name of its folder. Throws TEMPLATE_NOT_FOUND. */
export async function storedTemplate(manage: OperatorServices, account: Account, id: string): Promise<NamedTemplate> {
  const name = parseTemplateName(id);
  const template = name && (await manage.templates.find(liveAccountId(account.id), name));
  if (!template) throw templateNotFound();
  return template;
}

/** Throws TEMPLATE_NOT_FOUND. */
export async function storedVersion(
  manage: OperatorServices,
  account: Account,
  { id, version }: { id: string; version: string },
): Promise<Template> {
  const newest = await storedTemplate(manage, account, id);
  const number = /^[1-9]\d{0,8}$/.test(version) ? Number(version) : 0;
  const template = await manage.templates.findVersion(newest.accountId, newest.id, number);
  if (!template) throw templateVersionNotFound(number, newest.version);
  return template;
}

export async function removeTemplate(
  manage: OperatorServices,
  account: Account,
  { id, actor }: { id: string; actor: string },
): Promise<string> {
  const template = await storedTemplate(manage, account, id);
  const event = { accountId: template.accountId, actor, action: "template.deleted", subject: template.id };
  await manage.templates.remove(template, auditEvent(manage, event));
  return template.id;
}

/**
 * Makes the content of an earlier version the newest one, by adding a version: versions never change and are never removed.
 * `changed` is false if the newest version already has that content; then no version is added. Throws TEMPLATE_NOT_FOUND,
 * and SERVICE_UNAVAILABLE if other changes won each time.
 */
export function rollBackTemplate(services: PushServices, rollback: Rollback): Promise<RolledBack> {
  return untilStored(() => tryToRollBack(services, rollback));
}

/** `id` is the id of the template, or the name of its folder. */
type Rollback = { accountId: string; id: string; version: number; actor?: string };
type RolledBack = { template: Template; changed: boolean };

/** Returns null if a concurrent change was stored first. */
async function tryToRollBack(
  services: PushServices,
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
