// Prepares the demo account of a running local service: creates an account and a key, and pushes the sample templates. The account's id and
// key and the pushed versions are stored in STATE_DIR for the next start.
import { existsSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createClient } from "colophon-client";
import type { AccountRequests, ManageClient } from "colophon-client/manage";
import { templateZip } from "colophon-template-model/template-zip";
import { readTemplateFolder } from "colophon-templates/template-folder";
import { basePath } from "../../core/api-paths.ts";
import { projectRoot, stateDir } from "../paths.ts";
import type { ServiceApi } from "../service-api.ts";

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

/** A different database may have been restored, or the key may have been revoked. */
async function isKeyValid(operator: ServiceApi, { key }: Account): Promise<boolean> {
  const { usage } = clientOf(operator, key);
  return (await usage.get().catch(() => null)) !== null;
}

function clientOf({ url }: ServiceApi, apiKey: string) {
  return createClient({ baseUrl: url + basePath, apiKey, maxRetries: 0 });
}

/** The version that `npm start` pushed last, by folder. */
export type PushedSamples = Record<string, number>;

/** The id of the template `invoice`, the pushed versions, and the folders that were left unchanged. */
type Samples = { invoiceId: string; pushed: PushedSamples; kept: string[] };

/**
 * Pushes the sample templates, except where the user has changed a template with the same name. `pushed` are the versions that
 * earlier starts pushed; a template with any other version was changed by its user, and is kept.
 */
export async function pushSamples(
  account: Pick<ManageClient<AccountRequests>, "call" | "list">,
  { directory, pushed: earlier }: { directory: string; pushed: PushedSamples },
): Promise<Samples> {
  const listed = await Array.fromAsync(account.list("GET /templates"));
  const stored = new Map(listed.map((one) => [one.folder, one]));
  const [pushed, kept]: [PushedSamples, string[]] = [{ ...earlier }, []];
  for (const folder of (await readdir(directory)).sort()) {
    const storedTemplate = stored.get(folder);
    if (storedTemplate && storedTemplate.version !== earlier[folder]) {
      kept.push(folder);
      continue;
    }
    const read = await readTemplateFolder(join(directory, folder));
    if (read.status === "broken") throw new Error(`templates/${folder}: ${JSON.stringify(read.problems)}`);
    const body = new Blob([templateZip(read.files)], { type: "application/zip" });
    const { template } = await account.call("PUT /templates/{template}", { path: { template: folder }, body });
    stored.set(folder, template);
    pushed[folder] = template.version;
  }
  const invoice = stored.get("invoice");
  if (!invoice) throw new Error("templates/invoice is missing");
  return { invoiceId: invoice.id, pushed, kept };
}
