import { expect, it, vi } from "vitest";
import { earliestAlarm } from "../../../src/objects/runtime/earliest-alarm.ts";
import { objectStorage } from "../../fakes/object-storage.ts";

it("an alarm moves only to an earlier time until it has fired", async () => {
  const storage = objectStorage();
  const alarm = earliestAlarm(storage);
  const times: (number | null)[] = [];
  for (const at of [20, 10, 30, 10]) {
    await alarm.setNoLaterThan(at);
    times.push(await storage.getAlarm());
  }
  alarm.hasFired();
  await alarm.setNoLaterThan(30);

  expect([...times, await storage.getAlarm()]).toEqual([20, 10, 10, 10, 30]);
});

it("an alarm is written only when an earlier time is needed, even after a restart", async () => {
  const storage = objectStorage();
  await storage.setAlarm(20);
  const write = vi.spyOn(storage, "setAlarm");
  const alarm = earliestAlarm(storage);

  for (const at of [30, 20, 10, 10]) await alarm.setNoLaterThan(at);

  expect(write.mock.calls).toEqual([[10]]);
});

it("an alarm keeps the earlier of two times that are set simultaneously, even right after the object starts", async () => {
  const storage = objectStorage();
  const alarm = earliestAlarm(storage);

  await Promise.all([alarm.setNoLaterThan(10), alarm.setNoLaterThan(20)]);

  expect(await storage.getAlarm()).toBe(10);
});
