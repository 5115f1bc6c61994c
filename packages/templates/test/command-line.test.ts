import { afterEach, expect, it, vi } from "vitest";
import { messageOf } from "colophon-base/message-of";
import { runCommandLine } from "../src/command-line.ts";
import { CommandError, UsageError, type FileCommand } from "../src/command.ts";

afterEach(() => void vi.restoreAllMocks());

/** Runs `program make ARGS`, whose command does `work`. Returns the exit code and what was printed. */
async function run(args: string[], work: () => object = () => ({ made: true })) {
  const [out, err]: [string[], string[]] = [[], []];
  vi.spyOn(console, "log").mockImplementation((line: string) => void out.push(line));
  vi.spyOn(console, "error").mockImplementation((line: string) => void err.push(line));
  const make: FileCommand = {
    usage: "DIR [--size N]",
    runOnFiles: async () => work(),
  };
  const code = await runCommandLine(
    {
      name: "program",
      commands: { make },
      run: (command, options) => command.runOnFiles(options),
      errorLine: (error) => messageOf(error),
    },
    args,
  );
  return { code, out: out.join("\n"), err: err.join("\n") };
}

const failing = (error: Error) => () => {
  throw error;
};
const usage = "usage: program make DIR [--size N] [--json]";
const usageOfAll = "usage: program <command> [--json]\n  make DIR [--size N]";

it("a successful command prints its result and exits with 0", async () => {
  expect(await run(["make", "x"])).toEqual({ code: 0, out: "made=true", err: "" });
});

it.each([
  ["of all commands", ["--help"], usageOfAll],
  ["of all commands", ["-h"], usageOfAll],
  ["of one command", ["make", "--help"], usage],
])("the usage %s is printed to stdout for %j", async (_what, args, text) => {
  expect(await run(args)).toEqual({ code: 0, out: text, err: "" });
});

it.each([
  [["make"], `give exactly one DIR\n${usage}`],
  [["make", "x", "--colour"], `Unknown option '--colour'\n${usage}`],
  [["nothing"], `there is no command "nothing"\n${usageOfAll}`],
  [[], usageOfAll],
])("the program exits with 2 and prints the usage to stderr for %j", async (args, text) => {
  expect(await run(args)).toEqual({ code: 2, out: "", err: text });
});

it("the program exits with 2 and prints the usage if a command finds that its arguments are wrong", async () => {
  const result = await run(["make", "x", "--size", "big"], failing(new UsageError("--size must be a number")));

  expect(result).toEqual({ code: 2, out: "", err: `--size must be a number\n${usage}` });
});

it.each([new CommandError("there is no folder x"), new Error("the disk is full")])(
  "the program exits with 1 and prints only the reason if a command fails with %s",
  async (error) => {
    expect(await run(["make", "x"], failing(error))).toEqual({ code: 1, out: "", err: error.message });
  },
);
