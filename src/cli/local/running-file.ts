// The file in STATE_DIR that records the processes of a running service. If the service is killed, the next start reads
// the file and ends the processes that are still running.
import { existsSync } from "node:fs";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { stateDir } from "../paths.ts";

/** `starter` is the id of the process of `npm start` or `npm run serve`. `processGroup` is the id of the process group of the service. */
type Running = { starter: number; processGroup: number };

const fileName = "running.json";
const runningFile = join(stateDir, fileName);

export async function writeRunningFile(processGroup: number): Promise<void> {
  const running: Running = { starter: process.pid, processGroup };
  await writeFile(runningFile, JSON.stringify(running));
}

/**
 * Ends processes that a killed service left running, because they still use the port and the database. Throws if a
 * service with this STATE_DIR is running.
 */
export async function endLeftover(): Promise<void> {
  if (!existsSync(runningFile)) return;
  const { starter } = JSON.parse(await readFile(runningFile, "utf8")) as Running;
  if (starter !== process.pid && /cli\/(start|serve)\.ts/.test(await commandLineOf(starter))) {
    throw new Error(`a service with this STATE_DIR is already running (process ${starter})`);
  }
  const processGroup = await runningGroup(stateDir);
  if (processGroup !== null) process.kill(-processGroup, "SIGKILL");
  await rm(runningFile, { force: true });
}

/** Returns the id of the process group of the service with this STATE_DIR, or null. */
export async function runningGroup(directory: string): Promise<number | null> {
  const text = await readFile(join(directory, fileName), "utf8").catch(() => "{}");
  const { processGroup } = JSON.parse(text) as Partial<Running>;
  if (processGroup === undefined) return null;
  // The system may have reused the id for a different process. The command line shows whether the process belongs to
  // this service.
  return (await commandLineOf(processGroup)).includes(directory) ? processGroup : null;
}

/** Returns the command line of a process, or an empty string when there is no such process. */
async function commandLineOf(pid: number): Promise<string> {
  return readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
}
