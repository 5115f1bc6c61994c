// Creates accounts, each with a key and templates, and prints them as JSON. It runs in its own process, with the
// STATE_DIR of the service.
import { isPlanName, type PlanName } from "../../src/core/accounts/plans.ts";
import { createAccount, createKey } from "../../src/operations/accounts/manage-accounts.ts";
import { pushTemplate } from "../../src/operations/templates/push-template.ts";
import { operatorServices } from "../../src/services/operator-services.ts";
import { withBindings } from "./bindings.ts";
import { readSample } from "./samples.ts";

export type Tenant = { accountId: string; key: string; templateIds: Record<string, string> };
type OperatorServices = ReturnType<typeof operatorServices>;

async function newTenant(services: OperatorServices, plan: PlanName, samples: string[]): Promise<Tenant> {
  const { id: accountId } = await createAccount(services, "Bench", plan);
  const key = await createKey(services, accountId, { name: "bench" });
  if (!key) throw new Error("the account does not exist");
  const templateIds: Record<string, string> = {};
  for (const folder of samples) {
    const { template } = await pushTemplate(services, { accountId, folder, content: await readSample(folder) });
    templateIds[folder] = template.id;
  }
  return { accountId, key: key.key, templateIds };
}

const [count, plan = "", ...samples] = process.argv.slice(2);
if (!isPlanName(plan)) throw new Error(`there is no plan ${plan}`);
const tenants = await withBindings(async (bindings) => {
  const services = operatorServices(bindings);
  // A benchmark must not reach the monthly limit.
  await services.accounts.updatePlan(plan, { monthlyRenders: 1_000_000 });
  const made: Tenant[] = [];
  while (made.length < Number(count)) made.push(await newTenant(services, plan, samples));
  return made;
});
console.log(JSON.stringify(tenants));
