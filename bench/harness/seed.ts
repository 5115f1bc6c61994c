// Creates accounts, each with a key and templates, and prints them as JSON. It runs in its own process, with the
// STATE_DIR of the service.
import { basename } from "node:path";
import { withBindings } from "../../src/cli/bindings.ts";
import { createAccount, createKey } from "../../src/operations/accounts/manage-accounts.ts";
import { pushTemplate } from "../../src/operations/templates/push-template.ts";
import { operatorServices } from "../../src/services.ts";
import { readTemplateFolder } from "../../src/cli/templates/template-folder.ts";

export type Tenant = { accountId: string; key: string; templateIds: Record<string, string> };
type OperatorServices = ReturnType<typeof operatorServices>;

async function newTenant(services: OperatorServices, folders: string[]): Promise<Tenant> {
  const { id: accountId } = await createAccount(services, "Bench", "enterprise");
  const key = await createKey(services, accountId, "bench");
  if (!key) throw new Error("the account does not exist");
  const templateIds: Record<string, string> = {};
  for (const folder of folders) {
    const read = await readTemplateFolder(folder);
    if (read.status === "broken") throw new Error(JSON.stringify(read.problems));
    const pushed = await pushTemplate(services, { accountId, folder: basename(folder), content: read.content });
    if (pushed.status !== "pushed") throw new Error(`pushing ${folder} failed: ${pushed.status}`);
    templateIds[basename(folder)] = pushed.template.id;
  }
  return { accountId, key: key.key, templateIds };
}

const [count, ...folders] = process.argv.slice(2);
const tenants = await withBindings(false, async (bindings) => {
  const services = operatorServices(bindings);
  // A benchmark must not reach the monthly limit.
  await services.accounts.updatePlan("enterprise", { monthlyRenders: 1_000_000 });
  const made: Tenant[] = [];
  while (made.length < Number(count)) made.push(await newTenant(services, folders));
  return made;
});
console.log(JSON.stringify(tenants));
