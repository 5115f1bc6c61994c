import { describe, expect, it } from "vitest";
import { targetOf } from "../../../src/cli/commands/target.ts";

describe("the target of an operator's command", () => {
  it("is the local service unless --remote is given", () => {
    expect(targetOf({ remote: false })).toBe("local");
  });

  it("is the environment that --env names beside --remote", () => {
    expect(targetOf({ remote: true, env: "staging" })).toBe("staging");
  });

  it.each([
    [{ remote: true }, "--remote needs --env staging or --env production"],
    [{ remote: true, env: "prod" }, "--env must be staging or production, not prod"],
    [{ remote: false, env: "production" }, "--env is only for --remote"],
  ])("is refused for %j", (options, message) => {
    expect(() => targetOf(options)).toThrow(message);
  });
});
