import { vi } from "vitest";
import { authorCommands } from "../src/author-commands.ts";
import { runCommandLine } from "../src/command-line.ts";

/** Runs a command as the program does. Returns its exit code and what it printed. */
export async function runTemplate(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const [out, err]: [string[], string[]] = [[], []];
  vi.spyOn(console, "log").mockImplementation((line: string) => void out.push(line));
  vi.spyOn(console, "error").mockImplementation((line: string) => void err.push(line));
  const code = await runCommandLine(
    {
      name: "template",
      commands: authorCommands,
      run: (command, options) => command.runOnFiles(options),
      errorLine: (cause) => String(cause),
    },
    args,
  );
  vi.restoreAllMocks();
  return { code, out: out.join("\n"), err: err.join("\n") };
}
