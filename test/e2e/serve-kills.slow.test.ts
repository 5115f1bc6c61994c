import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { commandLineOf, killBelow, processesWith, processTree } from "./processes.ts";
import { expectNothingLost, startLoad, type Load } from "./serve-load.ts";

/** `npm run test:long` uses ten times as many kills. */
const kills = Number(process.env["KILLS"] ?? 5);
const victims = ["workerd serve", "run-worker.ts", "--type=renderer", "chromium --font"];

let load: Load;

beforeAll(async () => {
  load = await startLoad(4);
}, 120_000);

afterAll(async () => {
  await load.stop();
  await rm(load.service.stateDir, { recursive: true, force: true });
});

/** Returns the processes of the service, including the browser's, which are in separate groups. */
function ours(): number[] {
  return processTree(load.service.process.pid ?? 0);
}

function isServing(): Promise<boolean> {
  return fetch(`${load.service.origin}/healthz`).then(
    ({ ok }) => ok,
    () => false,
  );
}

it("a service whose processes are killed under load loses no completed document, counts exactly and delivers all webhooks", async () => {
  await load.during(async () => {
    for (let kill = 0; kill < kills; kill++) {
      const before = load.created.size;
      await expect.poll(() => load.created.size, { timeout: 60_000 }).toBeGreaterThan(before + 5);
      // Every twelfth time, and at least once, the supervisor is killed, and restarted as by systemd.
      if (kill % 12 === 4) {
        const all = ours();
        load.service.process.kill("SIGKILL");
        const alive = () => all.filter((pid) => commandLineOf(pid) !== "");
        await expect.poll(alive, { timeout: 20_000 }).toEqual([]);
        await load.restart();
      } else {
        killBelow(load.service.process.pid ?? 0, victims[kill % victims.length] ?? "");
      }
      await expect.poll(isServing, { timeout: 60_000 }).toBe(true);
    }
  });

  const documents = await expectNothingLost(load.service, load.account, load.created);
  expect(documents).toBeGreaterThan(kills * 5);
  const { created, delivered, statuses } = load;
  console.log(`${kills} kills, ${documents} documents, responses:`, Object.fromEntries(statuses));
  await expect
    .poll(() => [...created].filter((id) => !delivered.has(id)), { timeout: 400_000, interval: 1_000 })
    .toEqual([]);
}, 3_600_000);

it("a service whose processes were killed leaves no browser behind", async () => {
  const group = JSON.parse(await readFile(join(load.service.stateDir, "running.json"), "utf8")) as {
    processGroup: number;
  };
  const all = ours();
  expect(all).toContain(group.processGroup);

  const ended = new Promise((resolve) => load.service.process.once("exit", resolve));
  load.service.process.kill("SIGTERM");
  await ended;

  await expect.poll(() => all.filter((pid) => commandLineOf(pid) !== ""), { timeout: 20_000 }).toEqual([]);
  expect(processesWith(load.service.stateDir)).toEqual([]);
}, 60_000);
