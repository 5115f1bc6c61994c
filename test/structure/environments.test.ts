// `wrangler deploy` reads both environments from wrangler.toml as it is. Wrangler inherits neither bindings nor variables, so
// these tests detect anything that only one of them has, and check that the file states the defaults in the code.
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { readConfig } from "../../src/cli/local/wrangler-config.ts";
import { failurePeriodSeconds, requestPeriodSeconds } from "../../src/operations/accounts/authenticate.ts";
import { variableDefaults } from "../../src/settings.ts";

const config = new URL("../../wrangler.toml", import.meta.url).pathname;
const production = readConfig();
const staging = readConfig("staging");

/** Intended differences: the routes, and wrangler's arguments. */
const different = { routes: null, targetEnvironment: null };

/** The values that belong to one environment: names, and ids of rate limits. */
const ownValue = /^(name|database_name|bucket_name|queue|namespace_id)$/;

it("staging has the configuration of production except for names", () => {
  const withoutNames = (key: string, value: unknown) => (ownValue.test(key) ? undefined : value);
  const shared = (environment: object) => JSON.parse(JSON.stringify(environment, withoutNames)) as object;

  expect({ ...shared(staging), ...different }).toEqual({ ...shared(production), ...different });
});

it("staging shares no names or counters with production", () => {
  const ownValues = ({ name, d1_databases, r2_buckets, queues, ratelimits }: typeof production) => [
    name,
    ...d1_databases.map(({ database_name }) => database_name),
    ...r2_buckets.map(({ bucket_name }) => bucket_name),
    ...(queues.producers ?? []).map(({ queue }) => queue),
    ...ratelimits.map(({ namespace_id }) => namespace_id),
  ];
  const ofProduction = ownValues(production);

  expect(ownValues(staging).filter((value) => ofProduction.includes(value))).toEqual([]);
});

it.each([production, staging])("the queue that $name sends to is the one that it consumes", ({ queues }) => {
  const consumed = queues.consumers?.map(({ queue }) => queue);
  expect(queues.producers?.map(({ queue }) => queue)).toEqual(consumed);
});

it.each([production, staging])("callers of $name are told the periods of its rate limits", ({ ratelimits }) => {
  // The Worker cannot read the periods of its bindings.
  const periods = ratelimits.map(({ name, simple }) => [name, simple.period]);
  expect(Object.fromEntries(periods)).toEqual({
    FAILED_AUTHENTICATION_LIMIT: failurePeriodSeconds,
    REQUEST_LIMIT: requestPeriodSeconds,
  });
  expect(new Set(ratelimits.map(({ namespace_id }) => namespace_id)).size).toBe(2);
});

it("the platform logs no requests, because their lines would contain URLs and the addresses of clients", () => {
  const { observability } = production;
  expect(observability).toMatchObject({ enabled: true, logs: { enabled: true, invocation_logs: false } });
});

it("staging has none of production's routes", () => {
  expect(staging.routes).toEqual([]);
});

it("wrangler.toml lists every variable with its default", () => {
  const listed = readFileSync(config, "utf8").matchAll(/^# ([A-Z_]+) = "(.*)"$/gm);
  const {
    BASE_URL: _base,
    CDN_URL: _cdn,
    ...values
  } = Object.fromEntries([...listed].map(([, name, value]) => [name, value]));

  const defaults = Object.entries(variableDefaults).map(([name, value]) => [name, String(value)]);
  expect(values).toEqual(Object.fromEntries(defaults));
});
