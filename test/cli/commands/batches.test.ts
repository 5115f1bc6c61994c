import { afterEach, expect, it, vi } from "vitest";
import { batchCommands } from "../../../src/cli/commands/batches.ts";
import { fakeServiceApi, listOf } from "../../fakes/service-api.ts";

afterEach(() => void vi.unstubAllGlobals());

const batch = { id: "b", status: "processing", counts: { total: 10, processing: 6 } };

const run = (verb: string, options: Record<string, string>, responses: Record<string, unknown>) =>
  batchCommands[`batch ${verb}`]?.run(fakeServiceApi(responses).api, options);

it("batch list prints the batches of the account as the API returns them", async () => {
  const printed = await run("list", { account: "a" }, { "GET /accounts/a/batches": listOf("batches", [batch]) });

  expect(printed).toEqual({ batches: [batch] });
});

it.each([
  ["show", "GET /accounts/a/batches/b%2F"],
  ["cancel", "POST /accounts/a/batches/b%2F/cancel"],
])("batch %s prints the batch", async (verb, request) => {
  expect(await run(verb, { account: "a", id: "b/" }, { [request]: batch })).toEqual(batch);
});
