// The file in STATE_DIR that says which processes a running service consists of, so that the next start can end what a
// killed one left behind.
import { existsSync } from "node:fs";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { stateDir } from "../bindings.ts";

/** `starter` is the process that printed the banner, `processGroup` the group of all that it started. */
type Running = { starter: number; processGroup: number };

const runningFile = join(stateDir, "running.json");

export async function writeRunningFile(processGroup: number): Promise<void> {
  const running: Running = { starter: process.pid, processGroup };
  await writeFile(runningFile, JSON.stringify(running));
}

/**
 * Ends the service of a start that was killed: it still holds the port and the database. Throws when the service of this
 * STATE_DIR is alive and well.
 */
export async function endLeftover(): Promise<void> {
  if (!existsSync(runningFile)) return;
  const { starter, processGroup } = JSON.parse(await readFile(runningFile, "utf8")) as Running;
  if (starter !== process.pid && (await commandLineOf(starter)).includes("cli/start.ts")) {
    throw new Error(`a service with this STATE_DIR is running already (process ${starter})`);
  }
  // The command line tells our service from a later process of the same number.
  if ((await commandLineOf(processGroup)).includes(stateDir)) process.kill(-processGroup, "SIGKILL");
  await rm(runningFile, { force: true });
}

/** An empty text when there is no such process. */
async function commandLineOf(pid: number): Promise<string> {
  return readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
}
