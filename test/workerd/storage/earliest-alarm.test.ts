import { env } from "cloudflare:workers";
import { runInDurableObject } from "cloudflare:test";
import { expect, it } from "vitest";
import { earliestAlarm } from "../../../src/objects/runtime/earliest-alarm.ts";

it("keeps the earlier of two times that are set simultaneously, even right after the object starts", async () => {
  const object = env.WEBHOOK_SENDER.get(env.WEBHOOK_SENDER.idFromName(crypto.randomUUID()));
  const soon = Date.now() + 3_600_000;

  const setTo = await runInDurableObject(object, async (_, { storage }) => {
    const alarm = earliestAlarm(storage);
    await Promise.all([alarm.setNoLaterThan(soon), alarm.setNoLaterThan(soon + 1_000)]);
    return storage.getAlarm();
  });

  expect(setTo).toBe(soon);
});
