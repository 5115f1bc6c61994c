// The phases of a pass that remove expired documents and old events, and repair the objects of accounts.
import { expect, it } from "vitest";
import type { RepairPhase } from "../../../src/core/maintenance/repair.ts";
import { repairBatch } from "../../../src/operations/maintenance/repair.ts";
import { fakeMaintenance, storeDocument, type FakeMaintenance } from "../../fakes/maintenance.ts";
import { failing, fakeNow } from "../../fakes/services.ts";

function runPhase(services: FakeMaintenance, phase: RepairPhase, after = "") {
  return repairBatch(services, { phase, after }, { isForced: false });
}

it("an expired document keeps its row when the file cannot be removed", async () => {
  const services = fakeMaintenance();
  storeDocument(services, { expiresAt: fakeNow });
  services.files.remove = failing("R2 is down");

  await expect(runPhase(services, "expired")).rejects.toThrow("R2 is down");

  expect(services.state.documents).toHaveLength(1);
});

it("all expired documents are removed before the next phase begins", async () => {
  const services = fakeMaintenance();
  for (let i = 0; i < 2_001; i++) storeDocument(services, { expiresAt: 5 });

  const { repairs, next } = await runPhase(services, "expired");
  const end = await runPhase(services, "expired", next?.after);

  expect([repairs.length, next?.phase, end.next]).toEqual([2_001, "expired", { phase: "events", after: "" }]);
  expect(services.state.calls.filter((call) => call.endsWith("files"))).toEqual([
    "remove 2000 files",
    "remove 1 files",
  ]);
});

it("the objects of twenty accounts are repaired in a batch", async () => {
  const services = fakeMaintenance();
  for (let i = 10; i <= 30; i++) services.state.accounts.set(`a${i}`, null);

  const first = await runPhase(services, "accounts");
  const second = await runPhase(services, "accounts", first.next?.after);

  expect([first.next, second.next]).toEqual([{ phase: "accounts", after: "a29" }, null]);
  const repairs = services.state.calls.slice(-3);
  expect(repairs).toEqual(["repair AccountQuota of a30", "repair WebhookSender of a30", "repair BatchRunner of a30"]);
});

it("the objects of accounts are repaired even if the objects of one account do not respond", async () => {
  const services = fakeMaintenance(["broken"]);
  services.state.repairs = [{ kind: "missing_alarm", accountId: "a", object: "WebhookSender" }];
  for (const id of ["broken", "a"]) services.state.accounts.set(id, null);

  const { repairs } = await runPhase(services, "accounts");

  expect(repairs).toEqual(services.state.repairs);
  const failure = { level: "error", event: "repair.object_failed", accountId: "broken" };
  expect(services.state.log).toMatchObject([failure, failure, failure]);
});
