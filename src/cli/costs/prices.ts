// The prices of the Workers Paid plan in USD, as Cloudflare's documentation gave them on 22 November 2026. Every usage has an
// included amount a month and a price for each further unit.

/** `unit` is the number of things that `usd` pays for. */
export type Price = { included: number; usd: number; unit: number };

export const pricesReadOn = "22 November 2026";

/** The price of the plan for a month. */
export const planUsd = 5;

const million = 1_000_000;
const docs = "https://developers.cloudflare.com";

export const prices = {
  workerRequests: { included: 10 * million, usd: 0.3, unit: million },
  workerCpuMs: { included: 30 * million, usd: 0.02, unit: million },
  logEvents: { included: 20 * million, usd: 0.6, unit: million },
  objectRequests: { included: million, usd: 0.15, unit: million },
  /** An object counts as 128 MB, that is 0.125 GB, however much memory it uses. */
  objectGbSeconds: { included: 400_000, usd: 12.5, unit: million },
  objectRowsWritten: { included: 50 * million, usd: 1, unit: million },
  databaseRowsRead: { included: 25_000 * million, usd: 0.001, unit: million },
  databaseRowsWritten: { included: 50 * million, usd: 1, unit: million },
  databaseGb: { included: 5, usd: 0.75, unit: 1 },
  bucketWrites: { included: million, usd: 4.5, unit: million },
  bucketReads: { included: 10 * million, usd: 0.36, unit: million },
  bucketGb: { included: 10, usd: 0.015, unit: 1 },
  queueOperations: { included: million, usd: 0.4, unit: million },
  browserHours: { included: 10, usd: 0.09, unit: 1 },
  /** The average over a month of each day's highest number of open browsers. */
  concurrentBrowsers: { included: 10, usd: 2, unit: 1 },
} satisfies Record<string, Price>;

export type Meter = keyof typeof prices;

export const sources = [
  `${docs}/workers/platform/pricing/`,
  `${docs}/durable-objects/platform/pricing/`,
  `${docs}/d1/platform/pricing/`,
  `${docs}/r2/pricing/`,
  `${docs}/queues/platform/pricing/`,
  `${docs}/browser-run/pricing/`,
];
