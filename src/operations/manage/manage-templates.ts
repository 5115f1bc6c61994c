// Reads and removes templates for those who change them, so never from a cache.
import type { Account } from "../../core/accounts/account.ts";
import { liveAccountId } from "../../core/accounts/test-account.ts";
import { parseTemplateName } from "../../core/templates/template-name.ts";
import { templateNotFound, templateVersionNotFound } from "../../core/errors.ts";
import type { Template } from "colophon-template-model/template";
import type { OperatorServices } from "../../ports/services.ts";
import type { NamedTemplate } from "../../ports/templates.ts";
import { auditEvent } from "../accounts/manage-accounts.ts";

/** `id` is the id of the template, or the name of its folder. Throws TEMPLATE_NOT_FOUND. */
export async function storedTemplate(
  { templates }: OperatorServices,
  account: Account,
  id: string,
): Promise<NamedTemplate> {
  const name = parseTemplateName(id);
  const template = name && (await templates.find(liveAccountId(account.id), name));
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
  const found = await manage.templates.findVersion(newest.accountId, newest.id, number);
  if (!found) throw templateVersionNotFound(number, newest.version);
  return found;
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
