// Runs the steps of a deployment with wrangler, and says clearly which one failed and why.
import type { Wrangler, WranglerResult } from "../wrangler.ts";
import type { EnsureStep, RunStep, Step } from "./deploy-plan.ts";

/** Thrown when a deployment cannot go on. The message is for the operator. */
export class DeployError extends Error {}

export async function runSteps(steps: Step[], wrangler: Wrangler, print: (line: string) => void): Promise<void> {
  for (const [index, step] of steps.entries()) {
    const heading = `[${index + 1}/${steps.length}] ${step.title}`;
    if (step.kind === "run") await run(step, heading, wrangler, print);
    else print(`${heading}: ${await ensure(step, wrangler)}`);
  }
}

async function run({ title, command }: RunStep, heading: string, wrangler: Wrangler, print: (line: string) => void) {
  print(heading);
  const result = await wrangler(command);
  if (result.status !== 0) throw failure(title, command, result);
  print(indented(result.stdout));
}

/**
 * A failed search does not tell whether the thing is missing or wrangler failed for another reason. Therefore any failure
 * leads to an attempt to make it, and only if that fails too, both outputs are reported. Nothing is ever made twice, because
 * names are unique in an account.
 */
async function ensure({ title, find, isFound, make }: EnsureStep, wrangler: Wrangler): Promise<"found" | "created"> {
  const search = await wrangler(find);
  if (search.status === 0 && (isFound === undefined || isFoundIn(search.stdout, isFound))) return "found";
  const made = await wrangler(make);
  if (made.status === 0) return "created";
  if (search.status === 0) throw failure(title, make, made);
  throw new DeployError(`${failure(title, find, search).message}\n\n${failure(title, make, made).message}`);
}

function isFoundIn(output: string, isFound: (output: string) => boolean): boolean {
  try {
    return isFound(output);
  } catch (cause) {
    throw new DeployError(`The output of wrangler cannot be read:\n${indented(output)}`, { cause });
  }
}

function failure(title: string, command: string[], { stdout, stderr }: WranglerResult): DeployError {
  const output = indented(`${stdout}\n${stderr}`.trim() || "(no output)");
  return new DeployError(`This step failed: ${title}\n  wrangler ${command.join(" ")}\n${output}`);
}

function indented(text: string): string {
  return text.trim().replace(/^/gm, "    ");
}
