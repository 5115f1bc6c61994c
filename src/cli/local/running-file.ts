// The file in STATE_DIR that says which processes a running service consists of, so that the next start can end the
// processes that a killed one left behind.
import { existsSync } from "node:fs";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { stateDir } from "../bindings.ts";

/** `starter` is the process that printed the banner, `processGroup` the group of all processes that it started. */
type Running = { starter: number; processGroup: number };

const runningFile = join(stateDir, "running.json");

export async function writeRunningFile(processGroup: number): Promise<void> {
  const running: Running = { starter: process.pid, processGroup };
  await writeFile(runningFile, JSON.stringify(running));
}

/**
 * Ends the processes that a killed start left behind, because they still hold the port and the database. Throws when a
 * service with this STATE_DIR is still running.
 */
export async function endLeftover(): Promise<void> {
  if (!existsSync(runningFile)) return;
  const { starter, processGroup } = JSON.parse(await readFile(runningFile, "utf8")) as Running;
  if (starter !== process.pid && (await commandLineOf(starter)).includes("cli/start.ts")) {
    throw new Error(`a service with this STATE_DIR is already running (process ${starter})`);
  }
  // A later process may have the same number; the command line shows whether it is our service.
  if ((await commandLineOf(processGroup)).includes(stateDir)) process.kill(-processGroup, "SIGKILL");
  await rm(runningFile, { force: true });
}

/** The command line of a process; empty when there is no such process. */
async function commandLineOf(pid: number): Promise<string> {
  return readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
}
