// Reads the memory of a running service from /proc, and asks the service's browser for its open contexts.
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { connect, type Browser } from "puppeteer-core";

type Process = { pid: number; parent: number; command: string; residentMb: number };

/**
 * Returns one line of text: the resident memory of all workerd and Chromium processes in the process tree of `root`,
 * and the number of open browser contexts.
 */
export async function footprint(root: number): Promise<string> {
  const processes = await descendants(root);
  const memory = ["workerd", "chromium"].map((name) => {
    // In the command lines of Chromium's child processes, the arguments are separated by spaces instead of NUL
    // characters.
    const found = processes.filter(({ command }) => command.split(/[\0 ]/)[0]?.endsWith(name));
    return `${name} ${Math.round(found.reduce((sum, { residentMb }) => sum + residentMb, 0))} MB`;
  });
  return [...memory, `${await openContexts(processes)} browser contexts`].join(", ");
}

/**
 * Returns the ids of the browser processes in the process tree of `root`. Chromium's child processes and the launchers
 * are left out.
 */
export async function browsersBelow(root: number): Promise<number[]> {
  const isBrowser = ({ command }: Process) =>
    command.includes("--remote-debugging-port") && !command.includes("--type=") && !/^\S*sh[\0 ]/.test(command);
  return (await descendants(root)).filter(isBrowser).map(({ pid }) => pid);
}

/** Returns the processor time in ms that the processes in the process tree of `root` have used, by their kind. */
export async function processorMs(root: number): Promise<Record<string, number>> {
  const byKind: Record<string, number> = { workerd: 0, page: 0, browser: 0, Node: 0 };
  for (const { pid, command } of await descendants(root)) {
    const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
    // The fields after the name, which may contain spaces, begin with the state; the 12th and 13th are ticks of 10 ms.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const ms = (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * 10;
    const kind = kindOf(command);
    byKind[kind] = (byKind[kind] ?? 0) + ms;
  }
  return byKind;
}

function kindOf(command: string): string {
  if (command.includes("--type=renderer")) return "page";
  if (command.includes("--user-data-dir") || command.includes("--type=")) return "browser";
  return /^\S*workerd\b/.test(command) ? "workerd" : "Node";
}

async function descendants(root: number): Promise<Process[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const all = (await Promise.all(pids.map(readProcess))).filter((found) => found !== null);
  const family = new Set([root]);
  // Each pass adds the children of the processes found so far.
  for (let before = 0; before < family.size;) {
    before = family.size;
    for (const { pid, parent } of all) if (family.has(parent)) family.add(pid);
  }
  return all.filter(({ pid }) => family.has(pid));
}

async function readProcess(pid: string): Promise<Process | null> {
  try {
    const [status, command] = await Promise.all(
      ["status", "cmdline"].map((file) => readFile(`/proc/${pid}/${file}`, "utf8")),
    );
    const field = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(status ?? "")?.[1] ?? 0);
    return { pid: Number(pid), parent: field("PPid"), command: command ?? "", residentMb: field("VmRSS") / 1024 };
  } catch {
    return null; // The process has ended.
  }
}

async function openContexts(processes: Process[]): Promise<number> {
  const profiles = processes.flatMap(({ command }) => /--user-data-dir=([^\0]+)/.exec(command)?.[1] ?? []);
  let contexts = 0;
  for (const profile of new Set(profiles)) {
    const browser = await browserOf(profile).catch(() => null);
    if (!browser) continue; // The session is being retired, and its browser is exiting.
    // Every browser has a default context, which is not counted.
    contexts += browser.browserContexts().length - 1;
    await browser.disconnect();
  }
  return contexts;
}

async function browserOf(profile: string): Promise<Browser> {
  const [port, path] = (await readFile(join(profile, "DevToolsActivePort"), "utf8")).split("\n");
  return connect({ browserWSEndpoint: `ws://127.0.0.1:${port}${path}` });
}
