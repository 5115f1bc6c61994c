// The part of a service with which an account manages its templates. Environment variables set the service and the key. Every
// failure is a `CommandError` that says what to do next.
import { checkServiceUrl } from "colophon-base/service-url";
import { printable } from "colophon-base/text";
import {
  ColophonError,
  createManageClient,
  type AccountRequests,
  type ManageClient,
  type TemplateRecord,
} from "colophon-client/manage";
import type { TemplateFile } from "colophon-template-model/template-files";
import { readTemplateZip } from "colophon-template-model/template-zip";
import { CommandError, UsageError, versionOption, type Options } from "../command.ts";
import { problemLines } from "../folder/problem-lines.ts";

/** The requests for one account. `url` is their base URL. */
export type AccountApi = ManageClient<AccountRequests> & { url: string };

/** The largest upload takes 80 s at 2 Mbit/s. */
const timeoutMs = 120_000;

/** Returns the requests for an account, with the account's or the operator's key. */
export function accountApi(url: string, apiKey: string): AccountApi {
  return { url, ...createManageClient({ baseUrl: url, apiKey, timeoutMs }) };
}

/** Runs a command for an account. By default, it is the account of the key in the environment. */
export async function onService<T>(
  work: (api: AccountApi) => Promise<T>,
  api: AccountApi = accountOfEnvironment(),
): Promise<T> {
  return work(api).catch((error: unknown) => {
    throw commandError(error, api);
  });
}

function accountOfEnvironment(): AccountApi {
  const { COLOPHON_URL: url = "", COLOPHON_KEY: key = "" } = process.env;
  const address = checkServiceUrl(url);
  if (address.status === "refused") throw new CommandError(`COLOPHON_URL ${address.reason}`);
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw new CommandError(
      "set COLOPHON_KEY to a key of your account; `npm start` prints one for the demo account, and for others the operator of " +
        "the service creates keys",
    );
  }
  return accountApi(`${address.url}/api/manage/v1`, key);
}

/** Returns path parameters. A name may contain anything, but a URL cannot have `.` and `..` as path segments. */
export function namedTemplate(name: string): { template: string } {
  if (["", ".", ".."].includes(name)) throw new UsageError(`${JSON.stringify(name)} is not a template name`);
  return { template: name };
}

/** Returns a template in the form that commands print, with its distinguishing properties first. */
export function shownTemplate({ folder, version, id, title, ...others }: TemplateRecord): TemplateRecord {
  return { folder, version, id, title, ...others };
}

/** Returns a failure of the service as a `CommandError`, and any other error unchanged. */
export function commandError(error: unknown, { url }: Pick<AccountApi, "url">): unknown {
  return error instanceof ColophonError ? new CommandError(messageOf(error, url), { cause: error }) : error;
}

function messageOf({ code, status, message, details, cause }: ColophonError, url: string): string {
  const { origin } = new URL(url);
  if (code === "TIMEOUT")
    return `${origin} did not respond within ${timeoutMs / 1_000} s; \`versions NAME\` shows whether it has changed the template`;
  if (code === "CONNECTION_FAILED")
    return `${origin} cannot be reached${systemCode(cause)}; check COLOPHON_URL and whether the service is running`;
  if (code === "UNEXPECTED_RESPONSE") {
    const what = status === null || status < 300 ? "something else" : `status ${status}`;
    return `${url} responded with ${what}, which is not from Colophon; check COLOPHON_URL, and the version of the service`;
  }
  if (details.some(({ line }) => line !== undefined)) {
    return problemLines(details.map(({ path, line = 1, message }) => ({ file: path, line, reason: message }))).join(
      "\n",
    );
  }
  // A missing version has the code of a missing template, and a detail.
  const next = (details.length === 0 && nextSteps[code]) || nextSteps[String(status)];
  return printable(`${message.replace(/\.$/, "")}${next === undefined ? ` (${code})` : `; ${next}`}`);
}

function systemCode(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && "code" in cause ? ` (${String(cause.code)})` : "";
}

const nextSteps: Record<string, string> = {
  401: "COLOPHON_KEY must be a valid key of the service at COLOPHON_URL",
  403: "use a key with the scope `templates`",
  TEMPLATE_NOT_FOUND: "`list` shows the account's templates, and `push DIR` creates one",
  404: "`versions NAME` shows the existing versions",
  412: "`diff DIR` shows what has changed, and `pull NAME DIR` downloads it; then push with the new version",
  429: "try again later",
  503: "try again later",
};

/** Returns the files of the version in `--version`, or else of the newest version. */
export async function versionFiles(
  api: AccountApi,
  name: string,
  options: Options,
): Promise<{ version: number; files: TemplateFile[] }> {
  const path = namedTemplate(name);
  const newest = async () => (await api.call("GET /templates/{template}", { path })).version;
  const version = versionOption(options, "version") ?? (await newest());
  const { blob } = await api.file("GET /templates/{template}/versions/{version}/files", { path: { ...path, version } });
  const { files, problems } = readTemplateZip(new Uint8Array(await blob.arrayBuffer()));
  if (problems.length === 0) return { version, files };
  throw new CommandError(["the service sent files that are not a template:", ...problemLines(problems)].join("\n"));
}
