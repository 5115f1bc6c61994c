// The operator's requests about accounts and their batches, on fakes. test/workerd/manage has every operation with every kind of key.
import { describe, expect, it } from "vitest";
import type { NewAccount } from "../../../src/core/accounts/account.ts";
import { regions } from "../../../src/core/region.ts";
import type { OperatorServices } from "../../../src/ports/services.ts";
import { fakeMaintenance } from "../../fakes/maintenance.ts";
import { fakeServices } from "../../fakes/services.ts";
import { batchState } from "../../fixtures/batches.ts";
import { describedApp } from "../../fixtures/described-app.ts";
import { refusalOf } from "../fake-api.ts";

const operatorKey = "the-key-of-the-operator";
const state = batchState({ total: 10, completed: 3, failed: 1, canceled: 0 });
const { id: batchId } = state.batch;

/** A service with one account, `a`, that has one batch. `stored` has the accounts that are created. */
function world() {
  const [stored, canceled]: [NewAccount[], string[]] = [[], []];
  const find = async (accountId: string, id: string) => (accountId === "a" && id === batchId ? state : null);
  const services = fakeServices({
    settings: { operatorKey },
    batches: {
      find,
      list: async () => ({ batches: [state], more: null, total: 1 }),
      cancel: async (accountId, id) => (canceled.push(id), find(accountId, id)),
    },
  });
  const account = { id: "a", name: "Test", plan: "pro", monthlyRenders: null, retentionDays: "plan" };
  const accounts = {
    findAccount: async (id: string) => (id === "a" ? account : null),
    listPlans: async () => [{ name: "pro", monthlyRenders: 500, apiAccess: true, retentionDays: "keep" }],
    insertAccount: async (inserted: NewAccount) => void stored.push(inserted),
  };
  const manage = { accounts, now: services.now, newId: services.newId } as unknown as OperatorServices;
  const app = describedApp({
    servicesOf: () => services,
    manageServicesOf: () => manage,
    maintenanceServicesOf: () => fakeMaintenance(),
    log: services.log,
  });
  const send = async (method: string, path: string, body?: object) =>
    app.request(`https://colophon.test/api/manage/v1/admin${path}`, {
      method,
      headers: { Authorization: `Bearer ${operatorKey}`, "Content-Type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    });
  return { stored, canceled, send };
}

describe("the creation of an account", () => {
  it.each([
    ["stores the home region", { region: "weur" }, "weur"],
    ["leaves the home region open if none is given", {}, null],
  ])("%s", async (_what, input, region) => {
    const { stored, send } = world();

    const response = await send("POST", "/accounts", { name: "Ada", plan: "pro", ...input });

    const { data } = await response.json<{ data: object }>();
    expect([response.status, data]).toMatchObject([201, { name: "Ada", plan: "pro", retentionDays: "plan", region }]);
    expect(stored).toMatchObject([{ name: "Ada", region }]);
  });

  it.each(["eu", "WEUR", "", "apac-ne"])("refuses the region %j and names the regions", async (region) => {
    const { stored, send } = world();

    const response = await send("POST", "/accounts", { name: "Ada", plan: "pro", region });

    const message = `\`region\` must be one of ${regions.join(", ")}.`;
    expect(await refusalOf(response)).toMatchObject({ status: 400, code: "VALIDATION_ERROR", message });
    expect(stored).toEqual([]);
  });
});

describe("the batches of an account", () => {
  const record = {
    id: batchId,
    status: "processing",
    counts: { total: 10, processing: 6, completed: 3, failed: 1, canceled: 0 },
    resultsUrl: `https://pdf.example.com/api/v1/batches/${batchId}/results`,
  };
  const requests = [
    ["list", "GET", ""],
    ["show", "GET", `/${batchId}`],
    ["cancel", "POST", `/${batchId}/cancel`],
  ] as const;

  it("are listed as the API returns them", async () => {
    const response = await world().send("GET", "/accounts/a/batches");

    expect(await response.json()).toMatchObject({ data: { batches: [record] } });
  });

  it.each([
    ["GET", "", 0],
    ["POST", "/cancel", 1],
  ])("are returned by %s%s, also for an id in upper case", async (method, action, canceledCount) => {
    const { canceled, send } = world();

    const response = await send(method, `/accounts/a/batches/${batchId.toUpperCase()}${action}`);

    expect(await response.json()).toMatchObject({ data: record });
    expect(canceled).toEqual(Array(canceledCount).fill(batchId));
  });

  it.each(requests.slice(1))("do not include an unknown batch (%s)", async (_what, method, path) => {
    const other = path.replace(batchId, crypto.randomUUID());

    const response = await world().send(method, `/accounts/a/batches${other}`);

    expect(await refusalOf(response)).toMatchObject({ status: 404, code: "BATCH_NOT_FOUND" });
  });

  it.each(requests)("are not found for an unknown account (%s)", async (_what, method, path) => {
    const { canceled, send } = world();

    const response = await send(method, `/accounts/x/batches${path}`);

    expect(await refusalOf(response)).toMatchObject({ status: 404, code: "ACCOUNT_NOT_FOUND" });
    expect(canceled).toEqual([]);
  });
});
