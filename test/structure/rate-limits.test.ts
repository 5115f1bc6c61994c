// The Worker cannot read the periods of its rate-limit bindings, but tells callers to wait for that long. This test compares the
// numbers in the code with those in `wrangler.toml`.
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { readConfig } from "../../src/cli/local/wrangler-config.ts";
import { failurePeriodSeconds, requestPeriodSeconds } from "../../src/operations/accounts/authenticate.ts";

const config = new URL("../../wrangler.toml", import.meta.url).pathname;
const sections = readFileSync(config, "utf8").matchAll(/^\[+env\.(\w+)/gm);
const environments = new Set([...sections].map((match) => match[1]));

it.each([undefined, ...environments])("callers are told the periods in wrangler.toml (environment %s)", (env) => {
  const ratelimits = limitsOf(env);

  const periods = ratelimits.map(({ name, simple }) => [name, simple.period]);
  expect(Object.fromEntries(periods)).toEqual({
    FAILED_AUTHENTICATION_LIMIT: failurePeriodSeconds,
    REQUEST_LIMIT: requestPeriodSeconds,
  });
});

it.each([undefined, ...environments])("each limit has its own counters (environment %s)", (env) => {
  const ratelimits = limitsOf(env);

  expect(new Set(ratelimits.map(({ namespace_id }) => namespace_id)).size).toBe(ratelimits.length);
});

type Limit = { name: string; namespace_id: string; simple: { period: number } };

function limitsOf(env: string | undefined): Limit[] {
  return readConfig(env).ratelimits;
}
