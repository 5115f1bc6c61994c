// Runs the contract tests against the fakes. `test/workerd/contracts.test.ts` runs them against the real adapters.
// `test/browser/output/contract.test.ts` runs the contract of the renderer against the browser pool.
import type { RenderJob } from "colophon-render/render-job";
import { documentStoreContract } from "../contracts/document-store.ts";
import { fileStoreContract } from "../contracts/file-store.ts";
import { keyDirectoryContract } from "../contracts/key-directory.ts";
import { quotaContract } from "../contracts/quota.ts";
import { rendererContract } from "../contracts/renderer.ts";
import { templatesContract } from "../contracts/templates.ts";
import { webhookStoreContract } from "../contracts/webhook-store.ts";
import { putFile } from "./renderer.ts";
import { fakeAccount, fakeServices } from "./services.ts";
import { fakeTemplateStore } from "./templates.ts";
import { fakeWebhookStore } from "./webhook-store.ts";

documentStoreContract("the fake", () => {
  const { documents, state } = fakeServices();
  const payloads = async (accountId: string) =>
    [...state.events.values()].filter((event) => event.accountId === accountId).map(({ payload }) => payload);
  return { documents, payloads };
});

fileStoreContract("the fake", () => {
  const { files, state } = fakeServices();
  return { files, put: (fileKey, html) => putFile(state, { fileKey, html, format: "pdf" }) };
});

keyDirectoryContract("the fake", () => {
  const services = fakeServices();
  return {
    keys: services.keys,
    newKey: async () => {
      const { account, key } = await fakeAccount(services);
      return { accountId: account.id, key };
    },
    revoke: async ({ id }) => void Object.assign(services.state.keys.get(id) ?? {}, { isRevoked: true }),
  };
});

quotaContract("the fake", () => fakeServices().quota);

rendererContract("the fake", () => {
  const { renderer, files } = fakeServices();
  const job = (html: string, rest: Partial<RenderJob>) => ({ format: "pdf", html, ...rest }) as RenderJob;
  return { renderer, files, job };
});

templatesContract("the fakes", () => {
  const services = fakeServices();
  const newAccountId = async () => (await fakeAccount(services)).account.id;
  return { store: fakeTemplateStore(services), catalog: services.templates, newAccountId };
});

webhookStoreContract("the fake", () => {
  const webhooks = fakeWebhookStore();
  return { webhooks, add: async (event) => webhooks.add(event) };
});
