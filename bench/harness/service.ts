// Starts the service for a benchmark, with accounts that have the samples' templates.
import { basename } from "node:path";
import { templateZip } from "colophon-template-model/template-zip";
import { readTemplateFolder } from "colophon-templates/template-folder";
import type { PlanName } from "../../src/core/accounts/plans.ts";
import { createDocument, newAccount, startService, type Account, type RunningService } from "../../test/e2e/service.ts";
import type { Sample } from "./samples.ts";

/** `templateIds` are by template folder. */
export type Tenant = Account & { templateIds: Record<string, string> };

export type TenantsService = RunningService & {
  tenants: [Tenant, ...Tenant[]];
  /** Sends the sample for account number `n`, modulo their number. */
  post(sample: Sample, n?: number): Promise<Response>;
  /** Rejects if the status of the response is not 201. */
  create(sample: Sample, n?: number): Promise<void>;
};

type Options = { tenants?: number; plan?: PlanName; folders: string[]; variables?: Record<string, string> };

export async function startWithTenants({
  tenants: count = 1,
  plan = "enterprise",
  folders,
  variables = {},
}: Options): Promise<TenantsService> {
  const service = await startService({ ...variables, DEMO: "0" });
  // A benchmark must not reach the monthly limit.
  await service.cli("plan", "set", "--plan", plan, "--monthly-renders", "1000000");
  const zips = new Map<string, Uint8Array<ArrayBuffer>>();
  for (const folder of folders) zips.set(folder, await zipOf(folder));
  const newTenant = async () => {
    const account = await newAccount(service, plan);
    const templateIds: Record<string, string> = {};
    for (const [folder, zip] of zips) {
      const headers = { Authorization: `Bearer ${account.key}`, "Content-Type": "application/zip" };
      const url = `${service.origin}/api/manage/v1/templates/${basename(folder)}`;
      const response = await fetch(url, { method: "PUT", headers, body: zip });
      const { data } = (await response.json()) as { data: { template: { id: string } } };
      templateIds[folder] = data.template.id;
    }
    return { ...account, templateIds };
  };
  const tenants: TenantsService["tenants"] = [await newTenant()];
  while (tenants.length < count) tenants.push(await newTenant());
  const post = ({ folder, format, data }: Sample, n = 0) => {
    const tenant = tenants[n % tenants.length] ?? tenants[0];
    return createDocument(service, tenant, { templateId: tenant.templateIds[folder], format, data });
  };
  return {
    ...service,
    tenants,
    post,
    async create(sample, n) {
      const response = await post(sample, n);
      const text = await response.text();
      if (response.status !== 201) throw new Error(text);
    },
  };
}

async function zipOf(folder: string): Promise<Uint8Array<ArrayBuffer>> {
  const read = await readTemplateFolder(folder);
  if (read.status === "broken") throw new Error(JSON.stringify(read.problems));
  return new Uint8Array(templateZip(read.files));
}
