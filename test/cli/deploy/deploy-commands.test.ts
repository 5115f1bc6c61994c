import { expect, it } from "vitest";
import { deployCommands } from "../../../src/cli/deploy.ts";
import { readConfig } from "../../../src/cli/local/wrangler-config.ts";

it.each([[[]], [["--env", "staging"]], [["-e", "staging", "--keep-vars"]]])(
  "a deployment with %j first migrates the database",
  (args) => {
    expect(deployCommands(args)).toEqual([
      ["d1", "migrations", "apply", "DB", "--remote", ...args],
      ["deploy", ...args],
    ]);
  },
);

it("a deployment migrates every database of the configuration", () => {
  const [directory] = readConfig().d1_databases;
  const shards = [1, 2].map((number) => ({ ...directory, binding: `DB_${number}` }));
  const config = { ...readConfig(), d1_databases: [{ ...directory, binding: "DB" }, ...shards] };

  expect(deployCommands([], config).map((command) => command[3])).toEqual(["DB", "DB_1", "DB_2", undefined]);
});
