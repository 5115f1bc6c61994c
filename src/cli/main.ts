// `npm run -s cli -- <noun> <verb>`: exit 0 on success, 1 with the reason on stderr, 2 with the usage on wrong arguments.
import { parseArgs } from "node:util";
import { operatorServices } from "../services.ts";
import { withBindings } from "./bindings.ts";
import { CommandError, commands, type Command, type Options } from "./commands.ts";

type Invocation = { command: Command; options: Options; json: boolean; remote: boolean };

async function main(): Promise<number> {
  const invocation = parseInvocation(process.argv.slice(2));
  if (!invocation) {
    console.error(usage());
    return 2;
  }
  const { command, options, json, remote } = invocation;
  try {
    const result = await withBindings(remote, (bindings) => command.run(operatorServices(bindings), options));
    console.log(json ? JSON.stringify(result) : readable(result));
    return 0;
  } catch (error) {
    console.error(error instanceof CommandError ? error.message : oneLine(error));
    return 1;
  }
}

function parseInvocation(args: string[]): Invocation | null {
  const command = commands[args.slice(0, 2).join(" ")];
  if (!command) return null;
  const names = [...command.required, ...(command.optional ?? [])];
  try {
    const { values, positionals } = parseArgs({
      args: args.slice(2),
      allowPositionals: command.positional !== undefined,
      options: {
        ...Object.fromEntries(names.map((name) => [name, { type: "string" as const }])),
        json: { type: "boolean" },
        remote: { type: "boolean" },
      },
    });
    const options: Options = { ...(values as Options) };
    if (command.positional) {
      if (positionals.length !== 1) return null;
      options[command.positional] = positionals[0];
    }
    if (command.required.some((name) => !options[name])) return null;
    return { command, options, json: values["json"] === true, remote: values["remote"] === true };
  } catch {
    return null;
  }
}

function usage(): string {
  const lines = Object.entries(commands).map(([name, command]) => `  ${name} ${command.usage}`.trimEnd());
  return ["usage: npm run -s cli -- <command> [--json] [--remote]", ...lines].join("\n");
}

/** One line a thing, `key=value`, for eyes; programs use `--json`. */
function readable(result: object): string {
  const line = (value: unknown): string =>
    typeof value === "object" && value !== null
      ? Object.entries(value)
          .map(([key, entry]) => `${key}=${typeof entry === "object" ? JSON.stringify(entry) : entry}`)
          .join("  ")
      : String(value);
  return Object.entries(result)
    .map(([key, value]) => {
      if (Array.isArray(value)) return value.length > 0 ? value.map(line).join("\n") : `no ${key}`;
      return typeof value === "object" && value !== null ? line(value) : `${key}=${String(value)}`;
    })
    .join("\n");
}

function oneLine(error: unknown): string {
  let cause = error;
  while (cause instanceof Error && cause.cause instanceof Error) cause = cause.cause;
  return (cause instanceof Error ? cause.message : String(cause)).split("\n")[0] ?? "failed";
}

process.exitCode = await main();
