import { expect, it } from "vitest";
import { shardKnownMs } from "../../../src/core/accounts/placement.ts";
import { removeAccount } from "../../../src/operations/maintenance/remove-account.ts";
import { fakeMaintenance, leaseMs, storeDocument } from "../../fakes/maintenance.ts";
import { fakeNow } from "../../fakes/services.ts";

/** Requests with the keys of an account have ended after this time. */
const knownMs = 10_000 + leaseMs;

/** Returns services with an account `a` that was marked as deleted this many ms ago. */
function deletedFor(ms: number) {
  const services = fakeMaintenance();
  services.state.accounts.set("a", fakeNow - ms);
  return services;
}

it("the removal of an account waits until all requests with its keys have ended", async () => {
  const services = deletedFor(knownMs - 1);

  expect(await removeAccount(services, "a")).toEqual({ status: "waiting", until: fakeNow + 1 });
  expect(services.state.calls).toEqual([]);
});

it("the removal of an account waits until no cache contains its shard, however short the lease is", async () => {
  const services = deletedFor(shardKnownMs);
  services.settings.leaseMs = 1_000;

  expect(await removeAccount(services, "a")).toEqual({ status: "waiting", until: fakeNow + 5_000 });
});

it("the removal of an account waits until its holds are settled", async () => {
  const services = deletedFor(knownMs);
  services.state.unsettled = 1;

  expect(await removeAccount(services, "a")).toEqual({ status: "waiting", until: fakeNow + leaseMs });
  expect(services.state.calls).toEqual(["stop the batches of a-test", "repair AccountQuota of a-test"]);
});

it("an account is removed in steps: each file before its row, and the account last", async () => {
  const services = deletedFor(knownMs);
  for (let i = 0; i < 201; i++) storeDocument(services);
  services.state.events = Array.from({ length: 501 }, (_, index) => `evt_${index}`);
  const statuses: string[] = [];

  while (statuses.at(-1) !== "removed") statuses.push((await removeAccount(services, "a")).status);

  expect(statuses).toEqual(["removing", "removing", "removing", "removing", "removed"]);
  const calls = services.state.calls.filter((call) => !/^(repair|stop)/.test(call));
  const isOfTests = (call: string) => call.endsWith(" of a-test");
  expect(new Set(calls.filter(isOfTests))).toEqual(
    new Set(["remove templates of a-test", "destroy the objects of a-test"]),
  );
  expect(calls.filter((call) => !isOfTests(call))).toEqual([
    "remove 200 files",
    "remove 200 documents",
    "remove 1 files",
    "remove 1 documents",
    "remove 500 events",
    "remove 1 events",
    "remove templates of a",
    "destroy the objects of a",
    "remove account a",
  ]);
  expect(services.state.log).toEqual([{ level: "info", event: "account.removed", accountId: "a" }]);
});

it("an account that has no row counts as removed", async () => {
  expect(await removeAccount(fakeMaintenance(), "a")).toEqual({ status: "removed" });
});
