// Prints the costs of a month as a Markdown table, with the formula.
import { monthlyCost, monthlyUsage, perDocument, type Usage, type Workload } from "./monthly-cost.ts";
import { pricesReadOn, sources, type Meter } from "./prices.ts";

export type Parameters = Pick<Workload, "poolsPerRegion" | "idleSeconds" | "monthsKept">;

const volumes = [0, 100, 10_000, 1_000_000];
const regionCounts = [1, 4];
/** A D1 database cannot become larger. */
const maxDatabaseGb = 10;

/** The columns of the table. Each adds up some kinds of usage. */
const columns: { title: string; meters: Meter[] }[] = [
  { title: "browsers", meters: ["browserHours", "concurrentBrowsers"] },
  { title: "objects", meters: ["objectRequests", "objectGbSeconds", "objectRowsWritten"] },
  { title: "Worker and logs", meters: ["workerRequests", "workerCpuMs", "logEvents"] },
  { title: "D1", meters: ["databaseRowsRead", "databaseRowsWritten", "databaseGb"] },
  { title: "R2", meters: ["bucketWrites", "bucketReads", "bucketGb"] },
  { title: "queue", meters: ["queueOperations"] },
];

export function costTable(parameters: Parameters): string {
  const header = ["documents a month", "regions", "browser hours", ...columns.map(({ title }) => title), "total, USD"];
  const rows = volumes.flatMap((documents) => regionCounts.map((regions) => ({ documents, regions, ...parameters })));
  return [
    `USD a month, Workers Paid plan, prices of ${pricesReadOn}. ${describe(parameters)}`,
    "",
    tableRow(header),
    tableRow(header.map((_, index) => (index === 0 ? "---" : "--:"))),
    ...rows.map(costRow),
    "",
    formula,
    "",
    `Prices: ${sources.join(", ")}.`,
  ].join("\n");
}

function describe({ poolsPerRegion, idleSeconds, monthsKept }: Parameters): string {
  return `Pools in each region: ${poolsPerRegion}. An idle browser closes after ${idleSeconds} s or more. Months that a document is kept: ${monthsKept}.`;
}

function costRow(workload: Workload): string {
  const usage = monthlyUsage(workload);
  const { byMeter, totalUsd } = monthlyCost(usage);
  const amounts = columns.map(({ meters }) => usd(meters.reduce((sum, meter) => sum + byMeter[meter], 0)));
  const hours = Math.round(usage.browserHours).toLocaleString("en");
  const documents = `${workload.documents.toLocaleString("en")}${exceedsDatabase(usage) ? " (1)" : ""}`;
  return tableRow([documents, String(workload.regions), hours, ...amounts, usd(totalUsd)]);
}

/** Returns whether the documents do not fit into one database. The row is then marked. */
function exceedsDatabase({ databaseGb }: Usage): boolean {
  return databaseGb > maxDatabaseGb;
}

const formula = `Every kind of usage costs max(0, used - included) × price, and the plan costs 5 USD. A browser is open for
1 - e^(-r × t) of the month, where r is the number of documents a second for its pool, and t is 1.5 times SESSION_IDLE_MS. An
open browser costs browser hours, and keeps its object in memory: 0.125 GB × seconds. A document with a webhook uses
${perDocument.workerRequests} Worker requests, ${perDocument.workerCpuMs} ms of processor time, ${perDocument.objectRequests} object requests, ${perDocument.objectSeconds} s of an object, ${perDocument.databaseRowsWritten} rows written and
${perDocument.databaseBytes / 1000} kB in D1, ${perDocument.objectRowsWritten} rows in objects, ${perDocument.queueOperations} queue operations, ${perDocument.logEvents} log lines, and a file of ${perDocument.fileBytes / 1000} kB that is written once and read once.
(1) marks rows whose documents need more than the ${maxDatabaseGb} GB of a D1 database.`;

function tableRow(cells: string[]): string {
  return `| ${cells.join(" | ")} |`;
}

function usd(amount: number): string {
  return amount.toFixed(2);
}
