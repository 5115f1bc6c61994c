// `npm run smoke -- URL`: tests a running service from the outside, as its customers use it. It changes nothing but the documents that
// it creates and deletes. Keys and secrets come from variables, never from arguments. Exits with 0 if the service works, with 1
// if it does not, and with 2 if the URL is missing or wrong.
import { z } from "zod";
import { createClient } from "../../packages/client/src/client.ts";
import { checkDocuments } from "./smoke/check-documents.ts";
import { check, checkRefused, step } from "./smoke/step.ts";

const usage = `usage: npm run smoke -- URL
  URL  the base URL or the origin of the service, for example https://pdf.example.com/api/v1
The variable COLOPHON_KEY is an API key, and HEALTH_SECRET the secret of the deep health check. Without one of them, what
needs it is skipped.`;

/** Longer than a create may take. */
const timeoutMs = 45_000;
const part = z.object({ version: z.string() });
const health = z.object({ success: z.literal(true), data: z.object({}) });
const deepHealth = z.object({ data: z.object({ parts: z.object({ worker: part, pool: part, browser: part }) }) });

/** Returns the base URL, or null if the argument is not the address of a service. */
function readBaseUrl(args: string[]): string | null {
  const [argument = ""] = args;
  if (args.length !== 1 || !URL.canParse(argument)) return null;
  const { protocol, hostname, origin, pathname } = new URL(argument);
  const isLocal = ["localhost", "127.0.0.1", "[::1]"].includes(hostname);
  const isService = /^\/(api\/v1\/?)?$/.test(pathname);
  // A key must not travel over a connection that others can read.
  return isService && (protocol === "https:" || (protocol === "http:" && isLocal)) ? `${origin}/api/v1` : null;
}

async function smokeTest(baseUrl: string, { COLOPHON_KEY: key, HEALTH_SECRET: secret }: NodeJS.ProcessEnv) {
  const { origin } = new URL(baseUrl);
  const client = (apiKey: string) => createClient({ baseUrl, apiKey, timeoutMs, maxRetries: 0 });
  console.log(`Smoke test of ${baseUrl}`);
  await step("the service responds", () => read(`${origin}/healthz`, health));
  await step("a request without a valid key is refused", () => checkRefused(client("not-a-key").usage.get(), 401));
  if (secret) {
    const deep = () => read(`${origin}/healthz?deep=1`, deepHealth, { Authorization: `Bearer ${secret}` });
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
  // A secret must reach no other host.
  const init: RequestInit = { headers, redirect: "manual", signal: AbortSignal.timeout(timeoutMs) };
  const response = await fetch(url, init).catch((cause: unknown) => {
    throw new Error(`${url} does not respond`, { cause });
  });
  check(response.status === 200, `status ${response.status}`);
  const parsed = schema.safeParse(await response.json().catch(() => null));
  if (!parsed.success) throw new Error(`the response of ${url} is not from this service`);
  return parsed.data;
}

const baseUrl = readBaseUrl(process.argv.slice(2));
if (baseUrl === null) {
  console.error(usage);
  process.exitCode = 2;
} else {
  try {
    await smokeTest(baseUrl, process.env);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
