// `npm run smoke -- URL`: tests a running service from the outside, as its customers use it. It changes only the documents that
// it creates and deletes. Keys and secrets come from variables, never from arguments. Exits with 0 if the service works, 1 if
// it does not, and 2 if the URL is missing or wrong.
import { z } from "zod";
import { checkServiceUrl } from "colophon-base/service-url";
import { createClient } from "colophon-client";
import { basePath } from "../core/api-paths.ts";
import { check, checkDocuments, checkRefused, step } from "./smoke/check-documents.ts";

const usage = `usage: npm run smoke -- URL
  URL  the address of the service, such as https://pdf.example.com, or its base URL; https, except for this machine
The variable COLOPHON_KEY is an API key, and HEALTH_SECRET the secret of the deep health check. Steps whose variable is
missing are skipped.`;

/** Longer than a create takes. */
const timeoutMs = 45_000;
const part = z.object({ version: z.string() });
const health = z.object({ success: z.literal(true), data: z.object({}) });
const deepHealth = z.object({ data: z.object({ parts: z.object({ worker: part, pool: part, browser: part }) }) });

async function smokeTest(url: string, { COLOPHON_KEY: key, HEALTH_SECRET: secret }: NodeJS.ProcessEnv) {
  const baseUrl = url + basePath;
  const client = (apiKey: string) => createClient({ baseUrl, apiKey, timeoutMs, maxRetries: 0 });
  console.log(`Smoke test of ${baseUrl}`);
  await step("the service responds", () => read(`${url}/healthz`, health));
  await step("a request without a valid key is refused", () => checkRefused(client("not-a-key").usage.get(), 401));
  if (secret) {
    const deep = () => read(`${url}/healthz?deep=1`, deepHealth, { Authorization: `Bearer ${secret}` });
    await step("all parts work", deep, ({ data: { parts } }) =>
      Object.entries(parts)
        .map(([name, { version }]) => `${name} ${version}`)
        .join(", "),
    );
  } else console.log("skipped             the state of all parts: set HEALTH_SECRET");
  if (key) await checkDocuments(client(key));
  else console.log("skipped             documents and limits: set COLOPHON_KEY to an API key");
  console.log(key ? "The service works." : "The service responds. Documents were not tested.");
}

async function read<T>(url: string, schema: z.ZodType<T>, headers: Record<string, string> = {}): Promise<T> {
  // The secret must not reach a different host.
  const init: RequestInit = { headers, redirect: "manual", signal: AbortSignal.timeout(timeoutMs) };
  const response = await fetch(url, init).catch((cause: unknown) => {
    throw new Error(`${url} does not respond`, { cause });
  });
  check(response.status === 200, `status ${response.status}`);
  const parsed = schema.safeParse(await response.json().catch(() => null));
  if (!parsed.success) throw new Error(`the response of ${url} is not from this service`);
  return parsed.data;
}

const [argument = "", ...others] = process.argv.slice(2);
const address = checkServiceUrl(argument);
if (address.status === "refused" || others.length > 0) {
  console.error(address.status === "refused" ? `the URL ${address.reason}\n${usage}` : usage);
  process.exitCode = 2;
} else {
  try {
    await smokeTest(address.url, process.env);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
