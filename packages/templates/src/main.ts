// `template <command>`: the author's commands as a separate program; see `template.mjs`.
import { messageOf } from "colophon-base/message-of";
import { authorCommands } from "./author-commands.ts";
import { runCommandLine } from "./command-line.ts";

process.exitCode = await runCommandLine(
  {
    name: "template",
    commands: authorCommands,
    run: (command, options) => command.runOnFiles(options),
    errorLine: (error) => messageOf(error).split("\n")[0] ?? "failed",
  },
  process.argv.slice(2),
);
