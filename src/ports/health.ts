// The port for the health checks of the parts that the service depends on.

/** Each check changes nothing, and rejects when its part fails or misses a deadline. */
export type Health = { parts: HealthParts };

export type HealthParts = {
  database(): Promise<void>;
  /** The bucket of the rendered files. */
  files(): Promise<void>;
  /** The bucket of the template contents. */
  templates(): Promise<void>;
  webhookQueue(): Promise<void>;
  /** Returns the version of the browser, e.g. `HeadlessChrome/128.0.6613.84`. Starts a browser if none is open. */
  browser(): Promise<string>;
};
