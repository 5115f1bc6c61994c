// Reads templates. To an account, a template of another account does not exist.
import type { Account } from "../../core/accounts/account.ts";
import { templateNotFound } from "../../core/errors.ts";
import type { Page } from "../../core/pagination.ts";
import type { Template, TemplateContent } from "../../core/templates/template.ts";
import type { Services } from "../../ports/services.ts";

/** Newest first. */
export function listTemplates(
  services: Services,
  account: Account,
  page: Page,
): Promise<{ templates: Template[]; total: number }> {
  return services.templates.list(account.id, page);
}

/** The template's newest version and what it contains. */
export async function getTemplate(
  services: Services,
  account: Account,
  id: string,
): Promise<{ template: Template; content: TemplateContent }> {
  const template = await services.templates.find(account.id, id);
  if (!template) throw templateNotFound();
  return { template, content: await services.templates.content(template) };
}
