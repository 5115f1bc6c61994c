// Prepares the demo account of a local service that runs: creates an account and a key, and pushes the sample templates. The
// account, its key and what has been pushed are stored in STATE_DIR and used again at the next start.
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createClient } from "colophon-client";
import type { ServiceApi } from "../service-api.ts";
import { projectRoot, stateDir } from "../paths.ts";
import { pushSamples, type PushedSamples } from "./push-samples.ts";

type Account = { accountId: string; key: string; pushed?: PushedSamples };

/** The key of the demo account, the template `invoice` with its sample data, and the samples that were not pushed. */
export type Demo = { key: string; invoice: { templateId: string; sampleData: object }; kept: string[] };

const file = join(stateDir, "demo.json");

export async function prepareDemo(operator: ServiceApi): Promise<Demo> {
  const { accountId, key, pushed: earlier = {} } = await loadOrCreateAccount(operator);
  const directory = join(projectRoot, "templates");
  const samples = await pushSamples(operator.account(accountId), { directory, pushed: earlier });
  const { pushed, kept, invoiceId: templateId } = samples;
  await saveAccount({ accountId, key, pushed });
  const { sampleData } = await clientOf(operator, key).templates.get(templateId);
  return { key, invoice: { templateId, sampleData }, kept };
}

async function loadOrCreateAccount(operator: ServiceApi): Promise<Account> {
  const saved = existsSync(file) ? (JSON.parse(await readFile(file, "utf8")) as Account) : null;
  if (saved && (await isKeyValid(operator, saved))) return saved;
  const { id: accountId } = await operator.call("POST /accounts", { body: { name: "Demo", plan: "pro" } });
  const { key } = await operator.account(accountId).call("POST /keys", { body: { name: "demo" } });
  await saveAccount({ accountId, key });
  return { accountId, key };
}

async function saveAccount(account: Account): Promise<void> {
  await writeFile(file, JSON.stringify(account), { mode: 0o600 });
}

/** Another database may have been restored, or the key may have been revoked. */
async function isKeyValid(operator: ServiceApi, { key }: Account): Promise<boolean> {
  return clientOf(operator, key)
    .usage.get()
    .then(
      () => true,
      () => false,
    );
}

function clientOf({ url }: ServiceApi, apiKey: string) {
  return createClient({ baseUrl: `${url}/api/v1`, apiKey, maxRetries: 0 });
}
