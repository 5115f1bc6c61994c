// Runs wrangler commands that act on a Cloudflare account. Wrangler never asks a question, and a command that takes too
// long is ended.
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

export type WranglerResult = { status: number; stdout: string; stderr: string };

/** Runs wrangler with these arguments. Resolves also when wrangler fails; `status` is then not 0. */
export type Wrangler = (args: string[]) => Promise<WranglerResult>;

const wranglerOfProject = fileURLToPath(new URL("../../node_modules/wrangler/bin/wrangler.js", import.meta.url).href);

/** No command that we run takes longer, even when it uploads the Worker over a slow connection. */
const timeoutMs = 5 * 60_000;

/** `CI` makes wrangler take the default answer instead of asking. */
const unattended = { CI: "1", WRANGLER_SEND_METRICS: "false", WRANGLER_HIDE_BANNER: "true", NO_COLOR: "1" };

/** Returns a function that runs the wrangler of this project, or the Node script at `script`, in `folder`. */
export function wranglerIn(folder: string, script: string = wranglerOfProject): Wrangler {
  return (args) =>
    new Promise((resolve, reject) => {
      const child = spawn(process.execPath, [script, ...args], {
        cwd: folder,
        env: { ...process.env, ...unattended },
        stdio: ["ignore", "pipe", "pipe"],
        timeout: timeoutMs,
      });
      const output = { stdout: "", stderr: "" };
      child.stdout.setEncoding("utf8").on("data", (text: string) => (output.stdout += text));
      child.stderr.setEncoding("utf8").on("data", (text: string) => (output.stderr += text));
      child.once("error", reject);
      child.once("close", (code, signal) => {
        if (signal) output.stderr += `\nwrangler was ended by ${signal}; a command may take ${timeoutMs / 1000} s`;
        resolve({ status: code ?? 1, ...output });
      });
    });
}
