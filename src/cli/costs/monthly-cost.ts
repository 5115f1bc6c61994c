// Estimates what a month of the service costs. Documents are assumed to arrive evenly over the month and over the regions,
// which is the most expensive case: browsers then stay open for the longest time.
import { planUsd, prices, type Meter } from "./prices.ts";

export type Workload = {
  /** Documents a month. Each has one webhook, and its file is downloaded once. */
  documents: number;
  regions: number;
  poolsPerRegion: number;
  /** SESSION_IDLE_MS in seconds. */
  idleSeconds: number;
  /** How many months a document is kept. */
  monthsKept: number;
};

export type Usage = Record<Meter, number>;

const hoursAMonth = 730;
const secondsAMonth = hoursAMonth * 3600;
const objectGb = 0.125;
/** An object runs an alarm every SESSION_IDLE_MS, so it closes an idle browser after once to twice that time. */
const meanIdlePeriods = 1.5;
/** The scheduled run, once a minute. */
const scheduledRuns = hoursAMonth * 60;

/**
 * What one document with a webhook uses. The time of a render and the size of its file are those of the sample invoice
 * (`npm run bench`), and the processor time is the time that a create takes outside the browser and storage there, with
 * room for the webhook. Calls, rows and messages are counted from the code and the tables, rounded up.
 */
export const perDocument = {
  renderSeconds: 0.1,
  fileBytes: 50_000,
  workerRequests: 2,
  workerCpuMs: 20,
  logEvents: 6,
  objectRequests: 7,
  /** How long the account's two objects are busy: the hold, and the receiver's response to the webhook. */
  objectSeconds: 0.5,
  objectRowsWritten: 12,
  databaseRowsRead: 20,
  databaseRowsWritten: 12,
  /** 1.8 kB measured for a document, its event and their indexes, with room for warnings and longer URLs. */
  databaseBytes: 2_500,
  queueOperations: 3,
} as const;

/** Returns how long each pool's browser is open in a month, in seconds. */
export function openSecondsPerPool(workload: Workload): number {
  const pools = workload.regions * workload.poolsPerRegion;
  const documentsPerSecond = workload.documents / pools / secondsAMonth;
  const openAfterDocument = workload.idleSeconds * meanIdlePeriods + perDocument.renderSeconds;
  // The browser is closed at a moment if no document arrived in that time before it. Arrivals are random, so this
  // probability is that of a Poisson process.
  return secondsAMonth * (1 - Math.exp(-documentsPerSecond * openAfterDocument));
}

export function monthlyUsage(workload: Workload): Usage {
  const { documents, regions, poolsPerRegion, monthsKept } = workload;
  const openSeconds = openSecondsPerPool(workload) * regions * poolsPerRegion;
  const stored = documents * monthsKept;
  return {
    workerRequests: documents * perDocument.workerRequests + scheduledRuns,
    workerCpuMs: documents * perDocument.workerCpuMs + scheduledRuns,
    logEvents: documents * perDocument.logEvents + scheduledRuns,
    objectRequests: documents * perDocument.objectRequests,
    objectGbSeconds: (openSeconds + documents * perDocument.objectSeconds) * objectGb,
    objectRowsWritten: documents * perDocument.objectRowsWritten,
    databaseRowsRead: documents * perDocument.databaseRowsRead + scheduledRuns,
    databaseRowsWritten: documents * perDocument.databaseRowsWritten,
    databaseGb: (stored * perDocument.databaseBytes) / 1e9,
    bucketWrites: documents,
    bucketReads: documents,
    bucketGb: (stored * perDocument.fileBytes) / 1e9,
    queueOperations: documents * perDocument.queueOperations,
    browserHours: openSeconds / 3600,
    concurrentBrowsers: documents === 0 ? 0 : regions * poolsPerRegion,
  };
}

/** Returns the price in USD of each kind of usage, and their sum with the price of the plan. */
export function monthlyCost(usage: Usage): { byMeter: Record<Meter, number>; totalUsd: number } {
  const meters = Object.keys(prices) as Meter[];
  const byMeter = Object.fromEntries(meters.map((meter) => [meter, priceOf(meter, usage[meter])])) as Record<
    Meter,
    number
  >;
  return { byMeter, totalUsd: planUsd + Object.values(byMeter).reduce((sum, usd) => sum + usd, 0) };
}

function priceOf(meter: Meter, used: number): number {
  const { included, usd, unit } = prices[meter];
  return (Math.max(0, used - included) / unit) * usd;
}
