// Tests a running service from the outside, and prints how long each step took. Without an API key, it tests only what
// needs none. It changes nothing but the documents that it creates and deletes.
import { isObject } from "../untrusted-json.ts";
import { checkDocuments } from "./check-documents.ts";
import { check, reporter, type Report } from "./report.ts";
import { serviceClient, type ServiceClient } from "./service-client.ts";

export type SmokeOptions = {
  baseUrl: string;
  /** COLOPHON_KEY is an API key, and HEALTH_SECRET the secret of the deep health check. Each can be missing. */
  variables: Record<string, string | undefined>;
  print(line: string): void;
  /** How long to wait for the first response in ms. A new domain needs minutes until it has a certificate. */
  firstResponseMs?: number;
};

const roundTrips = 5;
const retryMs = 2_000;

export async function smokeTest({ baseUrl, variables, print, firstResponseMs = 0 }: SmokeOptions): Promise<void> {
  const service = serviceClient(baseUrl);
  const report = reporter(print);
  print(`Smoke test of ${baseUrl}`);
  await report("the service responds", () => waitForResponse(service, firstResponseMs));
  await report(`${roundTrips} round trips`, () => measureRoundTrips(service));
  await report("requests without a valid key are refused", () => checkRefusals(service));
  await checkHealth(service, report, variables["HEALTH_SECRET"], print);
  const key = variables["COLOPHON_KEY"];
  if (key) await checkDocuments({ service, key, report });
  else print("skipped             documents and limits: set COLOPHON_KEY to an API key");
  print(key ? "The service works." : "The service responds. Documents were not tested.");
}

async function waitForResponse(service: ServiceClient, waitMs: number): Promise<void> {
  const endsAt = Date.now() + waitMs;
  for (;;) {
    const problem = await responseProblem(service);
    if (problem === null) return;
    if (Date.now() + retryMs > endsAt) throw new Error(`${service.origin} does not respond: ${problem}`);
    await new Promise((resolve) => setTimeout(resolve, retryMs));
  }
}

async function responseProblem(service: ServiceClient): Promise<string | null> {
  try {
    const { status } = await service.call("/healthz");
    return status === 200 ? null : `/healthz has status ${status}`;
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    return cause instanceof Error ? cause.message : String(cause);
  }
}

async function measureRoundTrips(service: ServiceClient): Promise<string> {
  const times: number[] = [];
  for (let count = 0; count < roundTrips; count += 1) {
    const startedAt = performance.now();
    await service.call("/healthz");
    times.push(performance.now() - startedAt);
  }
  const median = times.sort((a, b) => a - b)[Math.trunc(roundTrips / 2)] ?? 0;
  return `median ${median.toFixed(0)} ms`;
}

async function checkRefusals(service: ServiceClient): Promise<string> {
  const responses = await Promise.all([service.api("/documents"), service.api("/usage", { bearer: "not-a-key" })]);
  for (const { status, errorCode } of responses)
    check(status === 401 && errorCode === "INVALID_API_KEY", `status ${status}, ${errorCode}`);
  return "401";
}

async function checkHealth(
  service: ServiceClient,
  report: Report,
  secret: string | undefined,
  print: (line: string) => void,
): Promise<void> {
  if (!secret) return print("skipped             database, buckets, queue and browser: set HEALTH_SECRET");
  await report("database, buckets, queue and browser", async () => {
    const { status, data, errorMessage } = await service.call("/healthz?deep=1", { bearer: secret });
    check(status === 200, `status ${status}: ${errorMessage}`);
    const parts = isObject(data["parts"]) ? data["parts"] : {};
    const browser = isObject(parts["browser"]) ? parts["browser"] : {};
    return String(browser["version"]);
  });
}
