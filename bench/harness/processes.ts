// Reads from /proc how much processor time a running service has used.
import { readFileSync } from "node:fs";
import { commandLineOf, processTree } from "../../test/e2e/processes.ts";

/** Returns the processor time in ms that the process and its descendants have used, by kind. */
function processorMs(root: number): Record<string, number> {
  const byKind: Record<string, number> = { workerd: 0, page: 0, browser: 0, Node: 0 };
  for (const pid of processTree(root)) {
    const kind = kindOf(commandLineOf(pid));
    byKind[kind] = (byKind[kind] ?? 0) + usedMs(pid);
  }
  return byKind;
}

/** Returns the processor time in ms that the process and its descendants use during the work, by their kind. */
export async function processorDuring(root: number, work: () => Promise<unknown>): Promise<Record<string, number>> {
  const before = processorMs(root);
  await work();
  const after = processorMs(root);
  return Object.fromEntries(Object.entries(after).map(([kind, ms]) => [kind, ms - (before[kind] ?? 0)]));
}

function kindOf(command: string): string {
  if (command.includes("--type=renderer")) return "page";
  if (command.includes("--user-data-dir") || command.includes("--type=")) return "browser";
  return /^\S*workerd\b/.test(command) ? "workerd" : "Node";
}

/** The fields after the name, which may contain spaces, begin with the state; the 12th and 13th are ticks of 10 ms. */
function usedMs(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return (Number(fields[11]) + Number(fields[12])) * 10;
  } catch {
    return 0; // The process has ended.
  }
}
