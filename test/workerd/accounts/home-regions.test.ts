// Tests where the objects of an account are created.
import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import type { Region } from "../../../src/core/region.ts";
import { createAccount, createKey } from "../../../src/operations/accounts/manage-accounts.ts";
import { dispatchServices } from "../../../src/services/maintenance-services.ts";
import { operatorServices } from "../../../src/services/operator-services.ts";
import { requestServices } from "../../../src/services/request-services.ts";
import { describedApp } from "../../fixtures/described-app.ts";
import { baseUrl } from "../../fixtures/tenant.ts";

type Hinted = { name: string; hint: string | undefined };

/** Returns bindings that record the location hint of every object call. */
function hintedEnv(): { bindings: Env; hinted: Hinted[] } {
  const hinted: Hinted[] = [];
  const recording = <N extends DurableObjectNamespace>(name: string, namespace: N) =>
    ({
      idFromName: (id: string) => namespace.idFromName(id),
      get: (id: DurableObjectId, options?: DurableObjectNamespaceGetDurableObjectOptions) => {
        hinted.push({ name, hint: options?.locationHint });
        return namespace.get(id, options);
      },
    }) as unknown as N;
  const ACCOUNT_QUOTA = recording("quota", env.ACCOUNT_QUOTA) as unknown as Env["ACCOUNT_QUOTA"];
  const WEBHOOK_SENDER = recording("sender", env.WEBHOOK_SENDER) as unknown as Env["WEBHOOK_SENDER"];
  return { bindings: { ...env, ACCOUNT_QUOTA, WEBHOOK_SENDER }, hinted };
}

async function accountWithKey(region: Region | null) {
  const services = operatorServices(env);
  const { id } = await createAccount(services, { name: "Test", plan: "pro", region });
  const made = await createKey(services, id, { name: "test" });
  return { id, key: made?.key ?? "" };
}

/** Returns the hints with which a request from Sydney calls the objects of an account. */
async function hintsOfRequest(region: Region | null): Promise<Hinted[]> {
  const { key } = await accountWithKey(region);
  const { bindings, hinted } = hintedEnv();
  const app = describedApp({ servicesOf: requestServices, log: () => {} });
  const context = createExecutionContext();
  const cf = { continent: "OC" } as IncomingRequestCfProperties;
  const request = new Request(`${baseUrl}/usage`, { headers: { Authorization: `Bearer ${key}` }, cf });
  await app.fetch(request, bindings, context);
  await waitOnExecutionContext(context);
  return hinted;
}

it("the quota object of an account is created in the account's home region", async () => {
  expect(await hintsOfRequest("weur")).toEqual([{ name: "quota", hint: "weur" }]);
});

it("the quota object of an account without a home region is created near the account's first request", async () => {
  expect(await hintsOfRequest(null)).toEqual([{ name: "quota", hint: "oc" }]);
});

const hintsOfDispatch = async (accountId: string, change: Partial<Env> = {}) => {
  const { bindings, hinted } = hintedEnv();
  await dispatchServices({ ...bindings, ...change }).senders.accept(accountId, []);
  return hinted;
};

it("the webhook sender of an account is created in the account's home region, although the queue message does not contain it", async () => {
  const { id } = await accountWithKey("eeur");

  expect(await hintsOfDispatch(id)).toEqual([{ name: "sender", hint: "eeur" }]);
});

it("the webhook sender of an account is called without a location hint if the home region cannot be read", async () => {
  const { id } = await accountWithKey("eeur");
  const down = () => {
    throw new Error("D1 is down");
  };
  const DB = { prepare: down, batch: down, withSession: down } as unknown as D1Database;

  expect(await hintsOfDispatch(id, { DB })).toEqual([{ name: "sender", hint: undefined }]);
});
