// The two environments that can be deployed, and the configuration that wrangler gets for each. It is derived from
// wrangler.toml, so a variable or binding is written down once.
//
// Wrangler's own environments do not inherit variables and bindings. With them, every line would exist three times, and a
// forgotten copy would deploy a Worker without that binding.
import type { Unstable_RawConfig } from "wrangler";

export const environments = ["staging", "production"] as const;
export type Environment = (typeof environments)[number];

export type WranglerConfig = Unstable_RawConfig;

/** What an environment needs to know beyond `wrangler.toml`. */
export type Deployment = {
  /** The host name of the API: a custom domain, or the Worker's address below `workers.dev`. */
  domain: string;
  /** The custom domain of the public bucket. Without one, the Worker serves the files. */
  filesDomain?: string;
  /** The id of the zone that `filesDomain` belongs to. */
  zoneId?: string;
  /** The id of the Cloudflare account. */
  accountId?: string;
};

export function isEnvironment(name: string): name is Environment {
  return environments.some((environment) => environment === name);
}

/** Returns the name of the configuration file that is generated for an environment. */
export function configFile(environment: Environment): string {
  return `wrangler.${environment}.json`;
}

export function isWorkersDev(domain: string): boolean {
  return domain.endsWith(".workers.dev");
}

/** Returns the base URL of the API, which ends with `/api/v1`. */
export function baseUrlOf({ domain }: Deployment): string {
  return `https://${domain}/api/v1`;
}

/**
 * Returns the configuration of an environment. The Worker and everything that it owns get names that end with the
 * environment, so two environments can share a Cloudflare account.
 */
export function environmentConfig(
  base: WranglerConfig,
  environment: Environment,
  deployment: Deployment,
): WranglerConfig {
  const { domain, filesDomain, accountId } = deployment;
  const named = (name: string | undefined) => (name === undefined ? undefined : `${name}-${environment}`);
  const address = isWorkersDev(domain)
    ? { workers_dev: true }
    : { workers_dev: false, routes: [{ pattern: domain, custom_domain: true }] };
  const { producers = [], consumers = [] } = base.queues ?? {};
  return {
    ...base,
    ...address,
    name: named(base.name),
    account_id: accountId,
    d1_databases: base.d1_databases?.map((database) => ({
      ...database,
      database_name: named(database.database_name),
    })),
    r2_buckets: base.r2_buckets?.map((bucket) => ({ ...bucket, bucket_name: named(bucket.bucket_name) })),
    queues: {
      producers: producers.map((producer) => ({ ...producer, queue: named(producer.queue) })),
      consumers: consumers.map((consumer) => ({
        ...consumer,
        queue: `${consumer.queue}-${environment}`,
        dead_letter_queue: named(consumer.dead_letter_queue),
      })),
    },
    ...shared(base, environment),
    vars: {
      ...base.vars,
      BASE_URL: baseUrlOf(deployment),
      CDN_URL: filesDomain ? `https://${filesDomain}` : `https://${domain}/files`,
    },
  };
}

/**
 * Returns the bindings, if there are any, that two Workers of an account would share unknowingly: counters of requests with the
 * same number, and datasets of the same name.
 */
function shared(base: WranglerConfig, environment: Environment): WranglerConfig {
  const { ratelimits, analytics_engine_datasets: datasets } = base;
  const number = environments.indexOf(environment) + 1;
  return {
    ...(ratelimits && {
      ratelimits: ratelimits.map((limit) => ({ ...limit, namespace_id: `${number}${limit.namespace_id}` })),
    }),
    ...(datasets && {
      analytics_engine_datasets: datasets.map(({ binding, dataset }) => ({
        binding,
        ...(dataset && { dataset: `${dataset}-${environment}` }),
      })),
    }),
  };
}
