// A fresh account with a key and a template: each test has its own, so none meets another's data.
import { paperGeometry } from "../src/core/rendering/page-geometry.ts";
import type { PlanName } from "../src/core/accounts/plans.ts";
import type { Field, TemplateContent } from "../src/core/templates/template.ts";
import { createAccount, createKey } from "../src/operations/accounts/manage-accounts.ts";
import { pushTemplate } from "../src/operations/templates/push-template.ts";
import { operatorServices } from "../src/services.ts";

export type Tenant = { accountId: string; keyId: string; key: string; templateId: string };

export type TenantOptions = {
  plan?: PlanName;
  /** Liquid of the only page, or of several. */
  page?: string | string[];
  fields?: Field[];
  content?: Partial<TemplateContent>;
};

export const baseUrl = "https://colophon.test/api/v1";

export async function newTenant(env: Env, options: TenantOptions = {}): Promise<Tenant> {
  const services = operatorServices(env);
  const { id: accountId } = await createAccount(services, "Test", options.plan ?? "pro");
  const made = await createKey(services, accountId, "test");
  if (!made) throw new Error("the account is gone");
  const templateId = await pushed(env, accountId, options);
  return { accountId, keyId: made.id, key: made.key, templateId };
}

/** Pushes one more template into an account. */
export async function pushed(env: Env, accountId: string, options: TenantOptions, folder = "test"): Promise<string> {
  const content = templateContent(options);
  const result = await pushTemplate(operatorServices(env), { accountId, folder, content });
  if (result.status !== "pushed") throw new Error(`the push was ${result.status}`);
  return result.template.id;
}

export function templateContent({
  page = "<p>Hello {{ name }}</p>",
  fields = [field("name", "string")],
  content = {},
}: TenantOptions): TemplateContent {
  const sources = Array.isArray(page) ? page : [page];
  return {
    manifest: {
      title: "Test template",
      description: "",
      pageSize: "A4",
      orientation: "portrait",
      page: paperGeometry("A4", "portrait"),
      margin: { top: 48, right: 48, bottom: 48, left: 48 },
      locale: "en-US",
      timeZone: "UTC",
      isPublished: true,
      fields,
    },
    pages: sources.map((source, index) => ({ name: `${index + 1}.liquid`, source })),
    css: "",
    header: null,
    footer: null,
    assets: {},
    sampleData: {},
    ...content,
  };
}

export function field(key: string, type: Field["type"], rest: Partial<Field> = {}): Field {
  return { key, label: key, type, required: false, description: "", ...rest };
}

export type Service = { fetch(url: string, init?: RequestInit): Promise<Response> };

export function post(
  service: Service,
  tenant: Tenant,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Response> {
  return service.fetch(`${baseUrl}/documents`, {
    method: "POST",
    headers: { Authorization: `Bearer ${tenant.key}`, "Content-Type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
}

export function get(service: Service, tenant: Tenant, path: string, init: RequestInit = {}): Promise<Response> {
  const headers = { Authorization: `Bearer ${tenant.key}`, ...(init.headers as Record<string, string> | undefined) };
  return service.fetch(`${baseUrl}${path}`, { ...init, headers });
}
