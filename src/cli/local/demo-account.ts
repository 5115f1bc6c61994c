// Prepares the demo account of a local service: creates an account and a key, and pushes the sample templates. The
// account, its key and what has been pushed are stored in STATE_DIR and used again at the next start.
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseApiKey } from "../../core/accounts/api-key.ts";
import { createAccount, createKey } from "../../operations/accounts/manage-accounts.ts";
import type { OperatorServices } from "../../ports/services.ts";
import { operatorServices } from "../../services/operator-services.ts";
import { withBindings } from "../bindings.ts";
import { projectRoot, stateDir } from "../paths.ts";
import { pushSamples, type PushedSamples, type Samples } from "./push-samples.ts";

type Account = { accountId: string; key: string; pushed?: PushedSamples };

/** The key of the demo account, the template `invoice` with its sample data, and the samples that were not pushed. */
export type Demo = { key: string } & Pick<Samples, "invoice" | "kept">;

const file = join(stateDir, "demo.json");

export async function prepareDemo(): Promise<Demo> {
  return withBindings({ remote: false }, async (bindings) => {
    const services = operatorServices(bindings);
    const { accountId, key, pushed: earlier = {} } = await loadOrCreateAccount(services);
    const directory = join(projectRoot, "templates");
    const { pushed, ...samples } = await pushSamples(services, { accountId, directory, pushed: earlier });
    await saveAccount({ accountId, key, pushed });
    return { key, ...samples };
  });
}

async function loadOrCreateAccount(services: OperatorServices): Promise<Account> {
  const saved = existsSync(file) ? (JSON.parse(await readFile(file, "utf8")) as Account) : null;
  if (saved && (await isKeyValid(services, saved))) return saved;
  const { id: accountId } = await createAccount(services, "Demo", "pro");
  const created = await createKey(services, accountId, "demo");
  if (!created) throw new Error("the demo account was deleted while it was being created");
  const account = { accountId, key: created.key };
  await saveAccount(account);
  return account;
}

async function saveAccount(account: Account): Promise<void> {
  await writeFile(file, JSON.stringify(account), { mode: 0o600 });
}

async function isKeyValid({ accounts }: OperatorServices, { accountId, key }: Account): Promise<boolean> {
  const keyId = parseApiKey(key)?.id;
  const keys = await accounts.listKeys(accountId);
  return keys.some(({ id, revokedAt }) => id === keyId && revokedAt === null);
}
