// Prepares the demo account of a local service: creates an account and a key, and pushes the sample templates. The
// account and its key are stored in STATE_DIR and used again at the next start.
import { existsSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseApiKey } from "../../core/accounts/api-key.ts";
import { createAccount, createKey } from "../../operations/accounts/manage-accounts.ts";
import { pushTemplate } from "../../operations/templates/push-template.ts";
import type { OperatorServices } from "../../ports/services.ts";
import { operatorServices } from "../../services/operator-services.ts";
import { projectRoot, stateDir, withBindings } from "../bindings.ts";
import { readTemplateFolder } from "colophon-templates/template-folder";

type Account = { accountId: string; key: string };
type Invoice = { templateId: string; sampleData: object };

/** The key of the demo account, and the invoice template with its sample data. */
export type Demo = { key: string; invoice: Invoice };

export async function prepareDemo(): Promise<Demo> {
  return withBindings({ remote: false }, async (bindings) => {
    const services = operatorServices(bindings);
    const { accountId, key } = await loadOrCreateAccount(services);
    return { key, invoice: await pushSamples(services, accountId) };
  });
}

async function loadOrCreateAccount(services: OperatorServices): Promise<Account> {
  const file = join(stateDir, "demo.json");
  const saved = existsSync(file) ? (JSON.parse(await readFile(file, "utf8")) as Account) : null;
  if (saved && (await isKeyValid(services, saved))) return saved;
  const { id: accountId } = await createAccount(services, "Demo", "pro");
  const created = await createKey(services, accountId, "demo");
  if (!created) throw new Error("the demo account was deleted while it was being created");
  const account = { accountId, key: created.key };
  await writeFile(file, JSON.stringify(account), { mode: 0o600 });
  return account;
}

async function isKeyValid({ accounts }: OperatorServices, { accountId, key }: Account): Promise<boolean> {
  const keyId = parseApiKey(key)?.id;
  const keys = await accounts.listKeys(accountId);
  return keys.some(({ id, revokedAt }) => id === keyId && revokedAt === null);
}

/** Pushes every template of the repository and returns the invoice template. */
async function pushSamples(services: OperatorServices, accountId: string): Promise<Invoice> {
  let invoice: Invoice | null = null;
  for (const folder of (await readdir(join(projectRoot, "templates"))).sort()) {
    const read = await readTemplateFolder(join(projectRoot, "templates", folder));
    if (read.status === "broken") throw new Error(`templates/${folder}: ${JSON.stringify(read.problems)}`);
    const { content } = read;
    const pushed = await pushTemplate(services, { accountId, folder, content });
    if (folder === "invoice" && pushed.status === "pushed") {
      invoice = { templateId: pushed.template.id, sampleData: content.sampleData };
    }
  }
  if (!invoice) throw new Error("templates/invoice is missing");
  return invoice;
}
