import { beforeEach, expect, it } from "vitest";
import { batchCommands } from "../../../src/cli/commands/batches.ts";
import { respondToMaintenance } from "../../../src/jobs/maintenance-requests.ts";
import { maintenanceClient } from "../../../src/platform/maintenance/maintenance-client.ts";
import type { OperatorServices } from "../../../src/ports/services.ts";
import { fakeMaintenance } from "../../fakes/maintenance.ts";
import { batchState } from "../../fixtures/batches.ts";

const state = batchState({ total: 10, completed: 3, failed: 1, canceled: 0 });
const { id } = state.batch;
let canceled: string[];
let services: OperatorServices;

/** The account has one batch. Commands reach the service through its entry point. */
beforeEach(() => {
  canceled = [];
  const find = async (accountId: string, batchId: string) => (accountId === "a" && batchId === id ? state : null);
  const batches = {
    find,
    list: async (_: string, { limit }: { limit: number }) => ({
      batches: [state].slice(0, limit),
      more: null,
      total: 1,
    }),
    cancel: async (accountId: string, batchId: string) => (canceled.push(batchId), find(accountId, batchId)),
  };
  const maintenance = { ...fakeMaintenance(), batches };
  const fetch = (url: string, init: RequestInit) => respondToMaintenance(maintenance, new Request(url, init));
  const accounts = { findAccount: async (account: string) => (account === "a" ? {} : null) };
  const service = maintenanceClient({ fetch } as unknown as Fetcher);
  services = { accounts, service } as unknown as OperatorServices;
});

const run = (verb: string, options: Record<string, string>) => batchCommands[`batch ${verb}`]?.run(services, options);

const record = {
  id,
  status: "processing",
  counts: { total: 10, processing: 6, completed: 3, failed: 1, canceled: 0 },
  resultsUrl: `https://pdf.example.com/api/v1/batches/${id}/results`,
};

it("batch list prints the batches of the account as the API returns them", async () => {
  expect(await run("list", { account: "a" })).toMatchObject({ batches: [record] });
});

it.each(["show", "cancel"])("batch %s prints the batch", async (verb) => {
  expect(await run(verb, { account: "a", id: id.toUpperCase() })).toMatchObject(record);
  expect(canceled).toEqual(verb === "cancel" ? [id] : []);
});

it.each(["show", "cancel"])("batch %s refuses an unknown batch", async (verb) => {
  await expect(run(verb, { account: "a", id: "b" })).rejects.toThrow("the account has no batch b");
});

it.each(["list", "show", "cancel"])("batch %s refuses an unknown account", async (verb) => {
  await expect(run(verb, { account: "x", id })).rejects.toThrow("there is no account x");
});
