// The part of the HTTP API with which an account manages its templates. The environment names the service and the key. Every
// failure is a `CommandError` that says what to do next.
import { z } from "zod";
import { checkServiceUrl } from "colophon-base/service-url";
import { printable } from "colophon-base/text";
import { CommandError, UsageError } from "../command.ts";
import { problemLines } from "../folder/problem-lines.ts";

/** Commands print what else the service says about a template and a version. */
const template = z.looseObject({ folder: z.string(), version: z.int(), id: z.string(), title: z.string() });
const version = z.looseObject({ version: z.int() });
export type ListedTemplate = z.infer<typeof template>;
export type ListedVersion = z.infer<typeof version>;

const changed = z.object({ template, changed: z.boolean() });
const pushed = changed.extend({ previousTitle: z.string().nullable() });
const failure = z.object({
  error: z.object({
    code: z.string(),
    message: z.string(),
    details: z.array(z.object({ path: z.string(), line: z.int().optional(), message: z.string() })).optional(),
  }),
});
type Failure = z.infer<typeof failure>["error"];

/** The largest upload takes 80 s at 2 Mbit/s. */
const timeoutMs = 120_000;

type Call = { method?: string; type?: string; body?: Uint8Array<ArrayBuffer> | string; ifVersion?: number | undefined };

type PutOptions = { ifVersion?: number | undefined; lenient?: boolean };

/** The part of the API for one account, and the key that it is called with. */
export type Service = { base: string; key: string };

export type ManageApi = ReturnType<typeof manageApi>;

/** Returns the calls to a service, by default the one that the environment names. */
export function manageApi(service: Service = serviceOfEnvironment()) {
  return {
    /** Creates or updates the template. If `ifVersion` is given, only if that is its newest version. */
    async putTemplate(name: string, zip: Uint8Array, { ifVersion, lenient }: PutOptions = {}) {
      const call = { method: "PUT", type: "application/zip", body: new Uint8Array(zip), ifVersion };
      return parsed(service, pushed, await send(service, `${pathOf(name)}${lenient ? "?lenient=1" : ""}`, call));
    },
    getFiles: (name: string, version: number): Promise<Uint8Array> =>
      send(service, `${pathOf(name)}/versions/${version}/files`),
    async postRollback(name: string, version: number) {
      const call = { method: "POST", type: "application/json", body: JSON.stringify({ version }) };
      return parsed(service, changed, await send(service, `${pathOf(name)}/rollback`, call));
    },
    listTemplates: (): Promise<ListedTemplate[]> => allPages(service, "/templates", "templates", template),
    /** Newest first. */
    listVersions: (name: string): Promise<ListedVersion[]> =>
      allPages(service, `${pathOf(name)}/versions`, "versions", version),
  };
}

/** `key` is the name of the list in the responses. */
async function allPages<T>(service: Service, path: string, key: string, item: z.ZodType<T>): Promise<T[]> {
  const page = z.object({ pagination: z.object({ nextCursor: z.string().nullish() }) });
  const list = z.object({ [key]: z.array(item) });
  const all: T[] = [];
  for (let cursor: string | null | undefined = ""; typeof cursor === "string";) {
    const query: string = new URLSearchParams({ limit: "100", ...(cursor !== "" && { cursor }) }).toString();
    const data = await send(service, `${path}?${query}`);
    all.push(...Object.values(parsed(service, list, data)).flat());
    cursor = parsed(service, page, data).pagination.nextCursor;
  }
  return all;
}

/** A name may contain anything, but a URL cannot have `.` and `..` as parts of its path. */
function pathOf(name: string): string {
  if (["", ".", ".."].includes(name)) throw new UsageError(`${JSON.stringify(name)} is not a name of a template`);
  return `/templates/${encodeURIComponent(name)}`;
}

async function send(
  { base, key }: Service,
  path: string,
  { method = "GET", type, body, ifVersion }: Call = {},
): Promise<Uint8Array> {
  const headers = {
    Authorization: `Bearer ${key}`,
    ...(type !== undefined && { "Content-Type": type }),
    ...(ifVersion !== undefined && { "If-Match": `"${ifVersion}"` }),
  };
  const signal = AbortSignal.timeout(timeoutMs);
  const [status, bytes] = await fetch(`${base}${path}`, {
    method,
    headers,
    signal,
    // The API does not redirect, and the key must reach no other host.
    redirect: "manual",
    ...(body !== undefined && { body }),
  })
    .then(async (response) => [response.status, new Uint8Array(await response.arrayBuffer())] as const)
    .catch((error: unknown) => {
      throw unreachable(base, error);
    });
  if (status >= 200 && status < 300) return bytes;
  const error = failure.safeParse(jsonOf(bytes)).data?.error;
  throw new CommandError(error ? refusal(status, error) : notColophon(base, `status ${status}`));
}

function serviceOfEnvironment(): Service {
  const { COLOPHON_URL: url = "", COLOPHON_KEY: key = "" } = process.env;
  const address = checkServiceUrl(url);
  if (address.status === "refused") throw new CommandError(`COLOPHON_URL ${address.reason}`);
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw new CommandError(
      "set COLOPHON_KEY to a key of your account; `npm start` prints one for the demo account, and for others the operator of " +
        "the service creates keys",
    );
  }
  return { base: `${address.url}/api/manage/v1`, key };
}

function unreachable(base: string, error: unknown): CommandError {
  const cause = error instanceof Error ? error.cause : undefined;
  const code = cause instanceof Error && "code" in cause ? ` (${String(cause.code)})` : "";
  const isLate = error instanceof Error && error.name === "TimeoutError";
  const what = isLate
    ? `did not respond within ${timeoutMs / 1_000} s; \`versions NAME\` shows whether it has changed the template`
    : `cannot be reached${code}; check COLOPHON_URL and whether the service is running`;
  return new CommandError(`${new URL(base).origin} ${what}`);
}

function notColophon(base: string, what: string): string {
  return `${base} responded with ${what}, not as Colophon does; check COLOPHON_URL, and the version of the service`;
}

/** Returns a line for each mistake in an upload, or what the service says, and what to do next. */
function refusal(status: number, { code, message, details = [] }: Failure): string {
  if (details.length > 0) {
    const problems = details.map(({ path, line = 1, message }) => ({ file: path, line, reason: message }));
    return problemLines(problems).join("\n");
  }
  const next = nextSteps[code] ?? nextSteps[status];
  return printable(`${message.replace(/\.$/, "")}${next === undefined ? ` (${code})` : `; ${next}`}`);
}

const nextSteps: Record<string | number, string> = {
  401: "COLOPHON_KEY must be a valid key of the service at COLOPHON_URL",
  403: "use a key with the scope `templates`",
  TEMPLATE_NOT_FOUND: "`list` shows the templates of the account, and `push DIR` creates one",
  404: "`versions NAME` shows the versions that there are",
  412: "`diff DIR` shows what has changed meanwhile, and `pull NAME DIR` gets it; then push with the new version",
  429: "try again later",
  503: "try again later",
};

function parsed<T>({ base }: Service, schema: z.ZodType<T>, bytes: Uint8Array): T {
  const result = z.object({ data: schema }).safeParse(jsonOf(bytes));
  if (result.success) return result.data.data;
  throw new CommandError(notColophon(base, "something else"));
}

function jsonOf(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return null;
  }
}
