// Reads the options that say where an operator's command acts.
import { environments, isEnvironment } from "../deploy/environment.ts";
import type { Target } from "../bindings.ts";

export const targetUsage = `[--remote --env ${environments.join("|")}]`;

/**
 * Returns the local service, or the environment to act on. Throws unless both options are given or none is, so that a
 * command meant for one environment never reaches the other.
 */
export function targetOf({ remote, env }: { remote: boolean; env?: string | undefined }): Target {
  const expected = `--env ${environments.join(" or --env ")}`;
  if (!remote) {
    if (env !== undefined) throw new Error("--env is only for --remote");
    return "local";
  }
  if (env === undefined) throw new Error(`--remote needs ${expected}`);
  if (!isEnvironment(env)) throw new Error(`--env must be ${environments.join(" or ")}, not ${env}`);
  return env;
}
