// Runs the contract tests against the adapters. `test/fakes/contracts.test.ts` runs the same tests against the fakes.
import { env } from "cloudflare:workers";
import { createAccount, createKey } from "../../src/operations/accounts/manage-accounts.ts";
import { operatorServices } from "../../src/services/operator-services.ts";
import { requestServices } from "../../src/services/request-services.ts";
import { documentStoreContract } from "../contracts/document-store.ts";
import { fileStoreContract } from "../contracts/file-store.ts";
import { keyDirectoryContract } from "../contracts/key-directory.ts";
import { quotaContract } from "../contracts/quota.ts";
import { templatesContract } from "../contracts/templates.ts";
import { webhookStoreContract } from "../contracts/webhook-store.ts";
import { audit, everything } from "../fixtures/audit.ts";
import { completedDocument } from "../fixtures/documents.ts";
import { storeText } from "../fixtures/stored-files.ts";
import { insertAccountRow } from "./storage/account-row.ts";

const services = requestServices(env, () => {});
const operator = operatorServices(env);
const { webhooks } = operator;

documentStoreContract("D1", () => ({
  documents: services.documents,
  async payloads(accountId) {
    const ids = (await webhooks.list(accountId, {}, everything)).items.map(({ id }) => id);
    return (await webhooks.pending(accountId, ids)).map(({ payload }) => payload);
  },
}));

fileStoreContract("R2", () => ({
  files: services.files,
  put: (fileKey, content) => storeText(env.FILES, { fileKey, format: "pdf" }, content),
}));

keyDirectoryContract("D1", () => ({
  keys: services.keys,
  async newKey() {
    const { id: accountId } = await createAccount(operator, "Test", "pro");
    const key = await createKey(operator, accountId, { name: "test" });
    return { accountId, key: key?.key ?? "" };
  },
  revoke: ({ id, accountId }) => operator.accounts.revokeKey(accountId, id, audit(accountId)),
}));

quotaContract("the account's Durable Object", () => services.quota);

templatesContract("D1 and R2", () => ({
  store: operator.templates,
  catalog: services.templates,
  newAccountId: async () => (await createAccount(operator, "Test", "pro")).id,
}));

webhookStoreContract("D1", () => ({
  webhooks,
  async add(event) {
    const { documentId: id, accountId } = event;
    await insertAccountRow(accountId);
    await services.documents.insert(completedDocument({ id, accountId }), event);
  },
}));
