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
};

export async function smokeTest({ baseUrl, variables, print }: SmokeOptions): Promise<void> {
  const service = serviceClient(baseUrl);
  const report = reporter(print);
  print(`Smoke test of ${baseUrl}`);
  await report("the service responds", () => checkResponds(service));
  await report("requests without a valid key are refused", () => checkRefusals(service));
  await checkHealth(service, report, variables["HEALTH_SECRET"], print);
  const key = variables["COLOPHON_KEY"];
  if (key) await checkDocuments({ service, key, report });
  else print("skipped             documents and limits: set COLOPHON_KEY to an API key");
  print(key ? "The service works." : "The service responds. Documents were not tested.");
}

async function checkResponds(service: ServiceClient): Promise<void> {
  const { status } = await service.call("/healthz");
  check(status === 200, `/healthz has status ${status}`);
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
  if (!secret) return print("skipped             the state of all parts: set HEALTH_SECRET");
  await report("all parts work", async () => {
    const { status, data, errorMessage } = await service.call("/healthz?deep=1", { bearer: secret });
    check(status === 200, `status ${status}: ${errorMessage}`);
    const parts = isObject(data["parts"]) ? data["parts"] : {};
    const versions = ["worker", "pool", "browser"].map((name) => {
      const part = parts[name];
      return `${name} ${String(isObject(part) ? part["version"] : undefined)}`;
    });
    return versions.join(", ");
  });
}
