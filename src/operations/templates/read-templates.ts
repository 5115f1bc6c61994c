// Reads templates. A template of another account is reported as not found.
import type { Template } from "colophon-template-model/template";
import type { Account } from "../../core/accounts/account.ts";
import type { Listed, Page } from "../../core/pagination.ts";
import type { Services } from "../../ports/services.ts";
import { templateOf } from "../documents/plan-document.ts";

export function listTemplates(services: Services, account: Account, page: Page): Promise<Listed<Template>> {
  return services.templates.list(account.id, page);
}

/** Returns the newest version of a template with its content. `id` is the string from the request. */
export async function getTemplate(services: Services, account: Account, id: string) {
  const template = await templateOf(services, account, { templateId: id });
  return { template, content: await services.templates.content(template) };
}
