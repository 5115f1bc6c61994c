import { templateContent } from "colophon-test-kit/template-content";
// The HTTP application on fakes, for tests of requests and responses without a Worker.
import type { Plan } from "../../src/core/accounts/plans.ts";
import { fakeAccount, fakeServices, fakeTemplate, type Overrides } from "../fakes/services.ts";
import { describedApp } from "../fixtures/described-app.ts";
import { type TenantOptions } from "../fixtures/tenant.ts";

type Options = Omit<TenantOptions, "plan"> & { plan?: Partial<Plan> };

/** Returns the application with one account and its template. It is both the service and the tenant of `post` and `get`. */
export async function fakeApi(overrides: Overrides = {}, { plan = {}, ...template }: Options = {}) {
  const services = fakeServices(overrides);
  const { account, key, keyId } = await fakeAccount(services, plan);
  const { id: templateId } = fakeTemplate(services, account, templateContent(template));
  const app = describedApp({ servicesOf: () => services, log: services.log });
  const context = { waitUntil: () => {}, passThroughOnException: () => {}, props: {} } as unknown as ExecutionContext;
  const fetch = async (url: string, init?: RequestInit) => app.fetch(new Request(url, init), {} as Env, context);
  return { services, account, accountId: account.id, keyId, key, templateId, fetch };
}

export type FakeApi = Awaited<ReturnType<typeof fakeApi>>;

/** Returns the status and the error of a failure in one object. */
export async function refusalOf(response: Response) {
  const { error } = await response.json<{
    error: { code: string; message: string; details?: { path: string; message: string }[] };
  }>();
  return { status: response.status, ...error };
}
