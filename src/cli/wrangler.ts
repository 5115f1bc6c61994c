// Runs wrangler commands that act on a Cloudflare account. Wrangler never asks a question, and a command that takes too
// long is ended.
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

export type WranglerResult = { status: number; stdout: string; stderr: string };

/** Runs wrangler with these arguments. Resolves also when wrangler fails; `status` is then not 0. */
export type Wrangler = (args: string[]) => Promise<WranglerResult>;

const wranglerOfProject = fileURLToPath(new URL("../../node_modules/wrangler/bin/wrangler.js", import.meta.url).href);

/** `CI` makes wrangler take the default answer instead of asking. */
const unattended = { CI: "1", WRANGLER_SEND_METRICS: "false", WRANGLER_HIDE_BANNER: "true", NO_COLOR: "1" };

type WranglerOptions = {
  /** A Node script to run instead of the wrangler of this project. */
  script?: string;
  /** How long a command may take. None of ours takes longer than the default, not even an upload over a slow connection. */
  timeoutMs?: number;
};

/** Returns a function that runs wrangler in `folder`. */
export function wranglerIn(
  folder: string,
  { script = wranglerOfProject, timeoutMs = 5 * 60_000 }: WranglerOptions = {},
): Wrangler {
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
        if (signal) output.stderr += `\nwrangler was ended (${signal}). A command may take ${timeoutMs / 1000} s.`;
        resolve({ status: code ?? 1, ...output });
      });
    });
}
