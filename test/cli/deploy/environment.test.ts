import { describe, expect, it } from "vitest";
import { operatorConfig } from "../../../src/cli/bindings.ts";
import { readBaseConfig } from "../../../src/cli/deploy/base-config.ts";
import { environmentConfig, environments, type WranglerConfig } from "../../../src/cli/deploy/environment.ts";

const root = new URL("../../..", import.meta.url).pathname;
const base = readBaseConfig(root);
const deployment = { domain: "pdf.example.com", accountId: "a".repeat(32) };

/** Returns every name that is unique in a Cloudflare account. */
function ownNames(config: WranglerConfig): (string | symbol | undefined)[] {
  return [
    config.name,
    ...(config.d1_databases ?? []).map(({ database_name: name }) => name),
    ...(config.r2_buckets ?? []).map(({ bucket_name: name }) => name),
    ...(config.queues?.producers ?? []).map(({ queue }) => queue),
    ...(config.queues?.consumers ?? []).flatMap(({ queue, dead_letter_queue: dead }) => [queue, dead ?? queue]),
  ];
}

describe("wrangler.toml", () => {
  it("contains nothing that must be filled in before a deployment", () => {
    expect(JSON.stringify(base)).not.toMatch(/example\.(com|org|net)|0{8}-0{4}|database_id|account_id|TODO|CHANGE/i);
  });

  it("does not publish a Worker that is deployed without the deployment command", () => {
    expect(base).toMatchObject({ workers_dev: false, preview_urls: false });
    expect(base).not.toHaveProperty("routes");
    expect(base).not.toHaveProperty("env");
  });

  it("uploads source maps and limits the processor time of a request", () => {
    expect(base).toMatchObject({ upload_source_maps: true, limits: { cpu_ms: 30_000 } });
  });
});

describe("the configuration of an environment", () => {
  it.each(environments)("has its own names for everything that an account shares (%s)", (environment) => {
    const names = ownNames(environmentConfig(base, environment, deployment));

    expect(names).toEqual(ownNames(base).map((name) => `${String(name)}-${environment}`));
  });

  it.each(environments)("has every other line of wrangler.toml (%s)", (environment) => {
    const {
      name,
      account_id,
      routes,
      workers_dev,
      d1_databases,
      r2_buckets,
      queues,
      vars,
      ratelimits: _limits,
      ...rest
    } = environmentConfig(base, environment, deployment);

    expect(base).toMatchObject(rest);
    expect(Object.keys(vars ?? {})).toEqual(Object.keys(base.vars ?? {}));
    expect(d1_databases?.map(({ binding }) => binding)).toEqual(base.d1_databases?.map(({ binding }) => binding));
    expect(queues?.consumers).toHaveLength(base.queues?.consumers?.length ?? 0);
    expect([name, account_id, routes, workers_dev, r2_buckets]).not.toContain(undefined);
  });

  it("passes on a binding that this code does not know", () => {
    const withMore = { ...base, vars: { ...base.vars, NEW_VARIABLE: "1" }, new_bindings: [{ binding: "NEW" }] };

    const config = environmentConfig(withMore, "production", deployment);

    expect(config).toMatchObject({ new_bindings: [{ binding: "NEW" }], vars: { NEW_VARIABLE: "1" } });
  });

  it.each(environments)("counts requests and keeps measurements apart from those of the other (%s)", (environment) => {
    const limit = { name: "LIMIT", namespace_id: "1001", simple: { limit: 10, period: 60 as const } };
    const withMore = {
      ...base,
      ratelimits: [limit],
      analytics_engine_datasets: [{ binding: "DATA", dataset: "colophon" }],
    };

    const { ratelimits, analytics_engine_datasets: datasets } = environmentConfig(withMore, environment, deployment);

    expect(ratelimits).toEqual([{ ...limit, namespace_id: environment === "staging" ? "11001" : "21001" }]);
    expect(datasets).toEqual([{ binding: "DATA", dataset: `colophon-${environment}` }]);
  });

  it("keeps the settings of a consumer, such as its retries", () => {
    const { queues } = environmentConfig(base, "staging", deployment);

    expect(queues?.consumers?.[0]).toMatchObject({
      queue: "colophon-webhooks-staging",
      max_retries: 5,
      dead_letter_queue: "colophon-webhooks-dead-staging",
    });
  });
});

describe("the configuration of the operator's commands", () => {
  const config = environmentConfig(base, "production", deployment);
  const [database] = config.d1_databases ?? [];
  const deployed = { ...config, d1_databases: [{ ...database, binding: "DB", database_id: "an-id" }] };

  it("has the account, and the database and the private bucket of the environment", () => {
    const { account_id, d1_databases, r2_buckets } = operatorConfig(deployed, true);

    expect(account_id).toBe(deployment.accountId);
    expect(d1_databases).toMatchObject([{ database_name: "colophon-production", database_id: "an-id", remote: true }]);
    expect(r2_buckets).toContainEqual({
      binding: "TEMPLATES",
      bucket_name: "colophon-templates-production",
      remote: true,
    });
  });

  it("has no browser and no objects, so that a command starts none", () => {
    expect(operatorConfig(deployed, true)).not.toHaveProperty("browser");
    expect(operatorConfig(deployed, true)).not.toHaveProperty("durable_objects");
  });
});
