import { expect, it } from "vitest";
import { newFileKey } from "../../../src/core/documents/document.ts";
import { runMaintenance } from "../../../src/operations/maintenance/run-maintenance.ts";
import { fakeMaintenance, storeDocument } from "../../fakes/maintenance.ts";
import { failing, fakeNow } from "../../fakes/services.ts";

const dayMs = 86_400_000;

/** Returns services whose last daily pass has just ended. */
function betweenPasses(unreachable: string[] = []) {
  const services = fakeMaintenance(unreachable);
  services.state.pass = { position: null, finishedAt: fakeNow };
  return services;
}

it("every scheduled run removes expired data even if the outbox fails", async () => {
  const services = betweenPasses();
  storeDocument(services, { expiresAt: fakeNow });
  services.events.overdue = failing("D1 is down");

  await runMaintenance(services);

  expect(services.state.log).toMatchObject([
    { level: "error", event: "maintenance.failed", part: "outbox" },
    { level: "info", event: "retention.removed", what: "expired", count: 1 },
  ]);
});

it("every scheduled run removes expired documents in batches until forty seconds have passed", async () => {
  const services = betweenPasses();
  for (let i = 0; i < 9_001; i++) storeDocument(services, { expiresAt: fakeNow });
  const { remove } = services.files;
  services.files.remove = (keys) => {
    services.state.nowMs += 10_000;
    return remove(keys);
  };

  await runMaintenance(services);

  expect(services.state.documents).toHaveLength(1_001);
});

it("every scheduled run examines old events from the position at which the previous run stopped", async () => {
  const services = betweenPasses();
  services.state.eventPosition = { phase: "events", after: "4" };

  await runMaintenance(services);
  const [first] = services.state.calls.filter((call) => call.startsWith("events"));

  expect(first).toMatch(/ after 4$/);
  expect(services.state.eventPosition).toBeNull();
});

it("every scheduled run removes an account even if the removal of a different account fails", async () => {
  const services = betweenPasses(["away"]);
  for (const id of ["away", "b"]) services.state.accounts.set(id, 0);

  await runMaintenance(services);

  expect([...services.state.accounts.keys()]).toEqual(["away"]);
});

it("every scheduled run continues the removal of three accounts", async () => {
  const services = betweenPasses();
  for (const id of ["a", "b", "c", "d"]) services.state.accounts.set(id, 0);
  for (let i = 0; i < 201; i++) storeDocument(services);

  await runMaintenance(services);

  expect([...services.state.accounts.keys()]).toEqual(["d"]);
});

it("every scheduled run does ten steps of the removal of an account", async () => {
  const services = betweenPasses();
  services.state.accounts.set("a", 0);
  for (let i = 0; i < 2_001; i++) storeDocument(services);

  await runMaintenance(services);

  expect(services.state.documents).toHaveLength(1);
});

it.for([
  { ms: dayMs - 1, finishedAt: fakeNow },
  { ms: dayMs, finishedAt: fakeNow + dayMs },
])("the daily pass begins a day after the last one ($ms ms)", async ({ ms, finishedAt }) => {
  const services = betweenPasses();
  services.state.nowMs = fakeNow + ms;

  await runMaintenance(services);

  expect(services.state.pass).toEqual({ position: null, finishedAt });
});

it("the daily pass continues where an interrupted run stopped", async () => {
  const services = fakeMaintenance();
  services.state.pass = { position: { phase: "accounts", after: "m" }, finishedAt: null };

  await runMaintenance(services);

  expect(services.state.calls).toContain("accounts after m");
  expect(services.state.log).toEqual([]);
});

it("the daily pass processes five batches in a run, and saves its position", async () => {
  const services = fakeMaintenance();
  for (let i = 10; i < 99; i++) services.state.accounts.set(`a${i}`, null);

  await runMaintenance(services);

  // One batch of files, and four of twenty accounts each.
  expect(services.state.pass).toEqual({ position: { phase: "accounts", after: "a69" }, finishedAt: null });
});

it("the daily pass logs a repair without the key of a file, because anyone who knows the key can read the file", async () => {
  const services = fakeMaintenance();
  const { accountId, id: documentId } = storeDocument(services, { hasFile: false });
  services.state.files.set(newFileKey("pdf"), 0);

  await runMaintenance(services);

  expect(services.state.log.slice(1)).toEqual([
    { level: "warn", event: "repair.made", kind: "file_without_document" },
    { level: "warn", event: "repair.made", kind: "document_without_file", accountId, documentId },
  ]);
});

it("the daily pass logs how many repairs of a kind it refused", async () => {
  const services = fakeMaintenance();
  for (let i = 0; i < 51; i++) services.state.files.set(newFileKey("pdf"), 0);

  await runMaintenance(services);

  const refused = { level: "error", event: "repair.refused", kind: "file_without_document", count: 51 };
  expect(services.state.log.slice(1)).toEqual([refused]);
});

it.for([
  { bytes: 6_940_000_000, level: "info", percent: 69 },
  { bytes: 7_000_000_000, level: "warn", percent: 70 },
])("the daily pass logs a database of $bytes bytes as $level", async ({ bytes, level, percent }) => {
  const services = fakeMaintenance();
  services.state.databaseBytes = bytes;

  await runMaintenance(services);

  expect(services.state.log).toEqual([{ level, event: "database.size", shard: 0, bytes, percent }]);
});
