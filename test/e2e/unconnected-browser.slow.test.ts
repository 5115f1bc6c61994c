// Tests the script that starts Chromium for the local service, without the service.
import { spawn, type ChildProcess } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect } from "puppeteer-core";
import { afterAll, expect, it } from "vitest";
import { launcherIn, prepareLocalBrowser } from "colophon-templates/browser";
import { browsersBelow } from "./processes.ts";

const profile = await mkdtemp(join(tmpdir(), "colophon-profile-"));
const limitSeconds = 3;
let launcher: ChildProcess;

afterAll(async () => {
  launcher.kill("SIGTERM");
  await rm(profile, { recursive: true, force: true });
});

/** Starts Chromium as the simulator does, with a shorter limit; resolves to the address of its DevTools. */
async function startBrowser(): Promise<string> {
  const { XDG_CACHE_HOME = "" } = await prepareLocalBrowser();
  const script = await readFile(launcherIn(XDG_CACHE_HOME), "utf8");
  expect(script).toContain("-lt 20 ]");
  const path = join(profile, "launch");
  await writeFile(path, script.replace("-lt 20 ]", `-lt ${limitSeconds} ]`), { mode: 0o755 });
  const args = ["--headless", "--remote-debugging-port=0", `--user-data-dir=${profile}`, "about:blank"];
  launcher = spawn(path, args, { stdio: ["ignore", "ignore", "pipe"] });
  return new Promise((resolve) => {
    let output = "";
    launcher.stderr?.on("data", (chunk: Buffer) => {
      output += String(chunk);
      const address = /ws:\/\/\S+/.exec(output)?.[0];
      if (address) resolve(address);
    });
  });
}

it("Chromium runs while a connection is open, and ends some time after the last connection was closed", async () => {
  const browser = await connect({ browserWSEndpoint: await startBrowser() });
  const running = () => browsersBelow(launcher.pid ?? 0);
  await new Promise((resolve) => setTimeout(resolve, 2_000 * limitSeconds));
  expect(running()).toHaveLength(1);

  await browser.disconnect();
  const closedMs = Date.now();

  await expect.poll(running, { timeout: 30_000, interval: 250 }).toEqual([]);
  expect(Date.now() - closedMs).toBeGreaterThan(1_500);
});
