// Reads from /proc which processes a service has, and where they listen. The commands for this are not available on every
// machine.
import { readdirSync, readFileSync, readlinkSync } from "node:fs";

/** Returns the ids of the process and all its descendants. */
export function processTree(root: number): number[] {
  const parents = processes().map((pid) => ({ pid, parent: statusOf(pid, "PPid") }));
  const below = (pid: number): number[] =>
    parents.filter(({ parent }) => parent === pid).flatMap((child) => [child.pid, ...below(child.pid)]);
  return [root, ...below(root)];
}

/** Returns the ids of the processes whose command line contains the string. */
export function processesWith(text: string): number[] {
  return processes().filter((pid) => commandLineOf(pid).includes(text));
}

export function commandLineOf(pid: number): string {
  return readOrEmpty(`/proc/${pid}/cmdline`).replaceAll("\0", " ");
}

/** Kills a descendant whose command line contains the string, if there is one. */
export function killBelow(root: number, text: string): void {
  const pid = processTree(root).find((candidate) => commandLineOf(candidate).includes(text));
  if (pid) process.kill(pid, "SIGKILL");
}

/** Returns the ids of the browsers among the process's descendants, without Chromium's child processes and its launchers. */
export function browsersBelow(root: number): number[] {
  return processTree(root).filter((pid) => {
    const command = commandLineOf(pid);
    return command.includes("--remote-debugging-port") && !command.includes("--type=") && !/^\S*sh /.test(command);
  });
}

/** Returns the resident memory of the process and its descendants that run this program, in MB. */
export function residentMb(root: number, program: "workerd" | "chromium"): number {
  const found = processTree(root).filter((pid) => commandLineOf(pid).split(" ")[0]?.endsWith(program));
  return found.reduce((sum, pid) => sum + statusOf(pid, "VmRSS") / 1024, 0);
}

/** Returns the addresses on which the processes listen, in hexadecimal as in `/proc/net/tcp`. */
export function listeningAddresses(pids: number[]): string[] {
  const sockets = new Set(pids.flatMap(socketsOf));
  const rows = ["tcp", "tcp6"].flatMap((table) => readOrEmpty(`/proc/net/${table}`).trim().split("\n").slice(1));
  return rows.flatMap((row) => {
    const columns = row.trim().split(/\s+/);
    const isListening = columns[3] === "0A" && sockets.has(columns[9] ?? "");
    return isListening ? [columns[1]?.split(":")[0] ?? ""] : [];
  });
}

function processes(): number[] {
  return readdirSync("/proc").map(Number).filter(Number.isInteger);
}

function statusOf(pid: number, field: "PPid" | "VmRSS"): number {
  return Number(new RegExp(`^${field}:\\s+(\\d+)`, "m").exec(readOrEmpty(`/proc/${pid}/status`))?.[1] ?? 0);
}

function socketsOf(pid: number): string[] {
  const folder = `/proc/${pid}/fd`;
  try {
    return readdirSync(folder).flatMap((fd) => /^socket:\[(\d+)\]$/.exec(readlinkSync(`${folder}/${fd}`))?.[1] ?? []);
  } catch {
    return [];
  }
}

function readOrEmpty(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
