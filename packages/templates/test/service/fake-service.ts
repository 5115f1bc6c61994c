// A service with the management API of one account, in memory, over HTTP. It follows the contract of the routes, and can be made to fail.
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { readTemplateZip } from "colophon-template-model/template-zip";

export const key = "colophon_test";

type Version = { version: number; title: string; zip: Uint8Array; createdAt: string };
type Response = { status: number; body: object | Uint8Array };

export type FakeService = {
  url: string;
  /** The versions of each template by its folder, oldest first. */
  templates: Map<string, Version[]>;
  requests: { method: string; path: string; headers: IncomingMessage["headers"] }[];
  /** Responds to the next request instead of the service. Null closes the connection. */
  fail(response: Response | null): void;
  /** The largest number of requests that were handled at the same time. */
  mostAtOnce(): number;
  close(): Promise<void>;
};

export async function fakeService(): Promise<FakeService> {
  const templates: FakeService["templates"] = new Map();
  const requests: FakeService["requests"] = [];
  const failures: (Response | null)[] = [];
  let [running, most] = [0, 0];
  const server = createServer(async (request, response) => {
    most = Math.max(most, (running += 1));
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    await new Promise((resolve) => setTimeout(resolve, 20));
    running -= 1;
    const [method, path] = [request.method ?? "", request.url ?? ""];
    requests.push({ method, path, headers: request.headers });
    const failure = failures.shift();
    if (failure === null) return void request.socket.destroy();
    const { status, body } =
      failure ?? respond(templates, { method, path, headers: request.headers, body: Buffer.concat(chunks) });
    response.writeHead(status, { "Content-Type": body instanceof Uint8Array ? "application/zip" : "application/json" });
    response.end(body instanceof Uint8Array ? body : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    templates,
    requests,
    fail: (response) => void failures.push(response),
    mostAtOnce: () => most,
    close: () => new Promise((resolve) => void server.close(() => resolve())),
  };
}

export function error(status: number, code: string, message: string, details?: object[]): Response {
  return { status, body: { success: false, error: { code, message, details }, meta: {} } };
}

type Request = { method: string; path: string; headers: IncomingMessage["headers"]; body: Buffer };

function respond(templates: FakeService["templates"], request: Request): Response {
  const { pathname, searchParams } = new URL(request.path, "http://x");
  if (request.headers.authorization !== `Bearer ${key}`)
    return error(401, "INVALID_API_KEY", "The API key is invalid.");
  const match = /^\/api\/manage\/v1\/templates(?:\/([^/]+)(?:\/(versions|rollback)(?:\/(\d+)\/files)?)?)?$/.exec(
    pathname,
  );
  if (!match) return error(404, "NOT_FOUND", "There is no such route.");
  const [, encoded, action, number] = match;
  if (encoded === undefined) {
    return data(
      200,
      pageOf(
        "templates",
        [...templates.keys()].map((each) => shown(each, templates.get(each) ?? [])),
        searchParams,
      ),
    );
  }
  const given = decodeURIComponent(encoded);
  const folder = given.startsWith("id-of-") ? given.slice("id-of-".length) : given;
  const found = templates.get(folder) ?? [];
  if (request.method === "PUT") return put(templates, folder, request);
  if (found.length === 0) return error(404, "TEMPLATE_NOT_FOUND", "The account has no such template.");
  if (action === "rollback") return rollBack(folder, found, JSON.parse(request.body.toString()).version);
  if (action === undefined) return data(200, shown(folder, found));
  if (number === undefined) return data(200, pageOf("versions", found.map(shownVersion).toReversed(), searchParams));
  const version = found[Number(number) - 1];
  return version ? { status: 200, body: version.zip } : noVersion(Number(number));
}

function put(templates: FakeService["templates"], folder: string, { headers, body }: Request): Response {
  if (headers["content-type"] !== "application/zip") return error(415, "VALIDATION_ERROR", "A zip is needed.");
  const { files, problems } = readTemplateZip(new Uint8Array(body));
  const details = problems.map(({ file, line, reason }) => ({ path: file, line, message: reason }));
  if (details.length > 0) return error(400, "VALIDATION_ERROR", "The template is broken.", details);
  const versions = templates.get(folder) ?? [];
  const newest = versions.at(-1);
  if (headers["if-match"] !== undefined && headers["if-match"] !== `"${newest?.version}"`) {
    return error(412, "VERSION_CONFLICT", `The newest version is ${newest?.version}.`);
  }
  const manifest = files.find(({ path }) => path === "template.json")?.bytes;
  const { title } = JSON.parse(new TextDecoder().decode(manifest));
  const changed = !newest || Buffer.compare(newest.zip, body) !== 0;
  if (changed) add(versions, { title, zip: new Uint8Array(body) });
  templates.set(folder, versions);
  return data(newest ? 200 : 201, { template: shown(folder, versions), changed, previousTitle: newest?.title ?? null });
}

function rollBack(folder: string, versions: Version[], number: number): Response {
  const version = versions[number - 1];
  if (!version) return noVersion(number);
  const changed = number !== versions.length;
  if (changed) add(versions, version);
  return data(200, { template: shown(folder, versions), changed });
}

function noVersion(number: number): Response {
  const message = `The template has no version ${number}.`;
  return error(404, "TEMPLATE_NOT_FOUND", message, [{ path: "templateVersion", message }]);
}

function add(versions: Version[], { title, zip }: Pick<Version, "title" | "zip">): void {
  versions.push({ version: versions.length + 1, title, zip, createdAt: "2026-11-26T10:00:00.000Z" });
}

function shown(folder: string, versions: Version[]) {
  const [at, page] = ["2026-11-26T10:00:00.000Z", { pageSize: "A4", fieldsCount: 1, pagesCount: 1, isPublished: true }];
  const { version, title } = versions.at(-1) ?? { version: 0, title: "" };
  return { id: `id-of-${folder}`, folder, version, title, description: "", ...page, createdAt: at, updatedAt: at };
}

function shownVersion({ version, title, createdAt }: Version) {
  return { version, createdAt, title, pagesCount: 1, contentHash: `hash-${version}` };
}

/** Two items are a page, whatever limit is given, so that lists have several. */
function pageOf(name: string, items: object[], query: URLSearchParams): object {
  const offset = Number(query.get("cursor") ?? 0);
  const more = offset + 2 < items.length ? { nextCursor: String(offset + 2) } : { nextCursor: null };
  return { [name]: items.slice(offset, offset + 2), pagination: { limit: 2, offset, total: items.length, ...more } };
}

function data(status: number, body: object): Response {
  return { status, body: { success: true, data: body, meta: {} } };
}
