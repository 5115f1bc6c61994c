// Prepares the demo account of a local service that runs: creates an account and a key, and pushes the sample templates. The
// account, its key and what has been pushed are stored in STATE_DIR and used again at the next start.
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { apiAt, type ServiceApi } from "../service-api.ts";
import { projectRoot, stateDir } from "../paths.ts";
import { pushSamples, type PushedSamples } from "./push-samples.ts";

type Account = { accountId: string; key: string; pushed?: PushedSamples };

/** The key of the demo account, the template `invoice` with its sample data, and the samples that were not pushed. */
export type Demo = { key: string; invoice: { templateId: string; sampleData: object }; kept: string[] };

const file = join(stateDir, "demo.json");

/** `operator` is the management API with the operator's key. */
export async function prepareDemo(operator: ServiceApi): Promise<Demo> {
  const { accountId, key, pushed: earlier = {} } = await loadOrCreateAccount(operator);
  const api = apiAt(`${operator.base}/accounts/${accountId}`, operator.key);
  const directory = join(projectRoot, "templates");
  const { pushed, kept, invoiceId: templateId } = await pushSamples(api, { directory, pushed: earlier });
  await saveAccount({ accountId, key, pushed });
  const own = apiAt(`${new URL(operator.base).origin}/api/v1`, key);
  const { sampleData } = await own.call<{ sampleData: object }>("GET", `/templates/${templateId}`);
  return { key, invoice: { templateId, sampleData }, kept };
}

async function loadOrCreateAccount(operator: ServiceApi): Promise<Account> {
  const saved = existsSync(file) ? (JSON.parse(await readFile(file, "utf8")) as Account) : null;
  if (saved && (await isKeyValid(operator, saved))) return saved;
  const { id: accountId } = await operator.call<{ id: string }>("POST", "/accounts", { name: "Demo", plan: "pro" });
  const path = `/accounts/${accountId}/keys`;
  const { key } = await operator.call<{ key: string }>("POST", path, { name: "demo" });
  await saveAccount({ accountId, key });
  return { accountId, key };
}

async function saveAccount(account: Account): Promise<void> {
  await writeFile(file, JSON.stringify(account), { mode: 0o600 });
}

/** Another database may have been restored, or the key may have been revoked. */
async function isKeyValid({ base }: ServiceApi, { key }: Account): Promise<boolean> {
  const usage = apiAt(`${new URL(base).origin}/api/v1`, key).call("GET", "/usage");
  return usage.then(
    () => true,
    () => false,
  );
}
