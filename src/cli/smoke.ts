// `npm run smoke -- URL`: tests a running service. Keys and secrets come from variables, never from arguments. Exits with
// 0 if the service works, with 1 if it does not, and with 2 if the URL is missing or wrong.
import { smokeTest } from "./smoke/smoke-test.ts";

const usage = `usage: npm run smoke -- URL
  URL  the base URL or the origin of the service, for example https://pdf.example.com/api/v1
The variable COLOPHON_KEY is an API key, and HEALTH_SECRET the secret of the deep health check. Without one of them, what
needs it is skipped.`;

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

const baseUrl = readBaseUrl(process.argv.slice(2));
if (baseUrl === null) {
  console.error(usage);
  process.exitCode = 2;
} else {
  try {
    await smokeTest({ baseUrl, variables: process.env, print: (line) => console.log(line) });
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
