// The deployment is tested against a fake wrangler. This test checks that the real one knows every command and option of it.
import { experimental_getWranglerCommands } from "wrangler";
import { describe, expect, it } from "vitest";
import { readBaseConfig } from "../../../src/cli/deploy/base-config.ts";
import { deploySteps } from "../../../src/cli/deploy/deploy-plan.ts";
import { environmentConfig } from "../../../src/cli/deploy/environment.ts";

const root = new URL("../../..", import.meta.url).pathname;
const deployment = { domain: "pdf.example.com", filesDomain: "files.example.com", zoneId: "b".repeat(32) };
const config = environmentConfig(readBaseConfig(root), "production", deployment);
const commands = [
  ["whoami", "--json"],
  ...deploySteps(config, "production", deployment, "secrets.json").flatMap((step) =>
    step.kind === "run" ? [step.command] : [step.find, step.make],
  ),
];

describe("wrangler", () => {
  it.each(commands.map((command) => [command.join(" "), command] as const))("knows `%s`", (_text, command) => {
    const { known, unknownOptions } = lookUp(command);

    expect(known).toBe(true);
    expect(unknownOptions).toEqual([]);
  });

  it("does not know commands and options that do not exist", () => {
    expect(lookUp(["d1", "make", "name"]).known).toBe(false);
    expect(lookUp(["deploy", "--everywhere"]).unknownOptions).toEqual(["everywhere"]);
  });
});

type Tree = Map<string, { definition?: { type: string; args?: object }; subtree: Tree }>;

/** Follows the words of a command through wrangler's own description of its commands. */
function lookUp(command: readonly string[]): { known: boolean; unknownOptions: string[] } {
  const { registry, globalFlags } = experimental_getWranglerCommands() as unknown as {
    registry: { subtree: Tree };
    globalFlags: object;
  };
  let { subtree } = registry;
  let args: object | null = null;
  for (const word of command) {
    const node = subtree.get(word);
    if (!node) break;
    subtree = node.subtree;
    args = node.definition?.type === "command" ? (node.definition.args ?? {}) : null;
  }
  const options = command.filter((word) => word.startsWith("--")).map((word) => word.slice(2).replace(/=.*/, ""));
  const names = new Set([...Object.keys(args ?? {}), ...Object.keys(globalFlags)]);
  return { known: args !== null, unknownOptions: options.filter((option) => !names.has(option)) };
}
