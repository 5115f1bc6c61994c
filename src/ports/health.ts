// The port for the health checks of the parts that the service depends on.

/** Each check changes nothing, and rejects when its part fails or misses a deadline. */
export type Health = { parts: HealthParts };

export type HealthParts = {
  /** Returns the id of the deployed version of the Worker that responds. */
  worker(): Promise<string>;
  /** Returns the id of the version that a browser pool runs. After a deployment, it is the one before for a while. */
  pool(): Promise<string>;
  database(): Promise<void>;
  /** The bucket of the rendered files. */
  files(): Promise<void>;
  /** The bucket of the template contents. */
  templates(): Promise<void>;
  webhookQueue(): Promise<void>;
  /** Returns the version of the browser, e.g. `HeadlessChrome/128.0.6613.84`. Starts a browser if none is open. */
  browser(): Promise<string>;
};
