import { mkdir, mkdtemp, readdir, rename, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it, vi } from "vitest";
import { accountTransferCommands } from "../../../src/cli/commands/account-transfer.ts";
import { commandError, serviceAt } from "../../../src/cli/service-api.ts";

let directory = "";

afterEach(async () => {
  vi.unstubAllGlobals();
  await rm(directory, { recursive: true });
});

const key = `${"a".repeat(43)}.pdf`;

/** Imports an account with one document into a service that responds to uploads with `status`. */
async function importInto(status: number, change = async () => {}) {
  directory = await mkdtemp(join(tmpdir(), "colophon-test-"));
  const rows = [
    { table: "accounts", row: { id: "a" } },
    { table: "documents", row: { id: "d", status: "completed", fileKey: key } },
  ];
  await writeFile(join(directory, "rows.ndjson"), rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
  await mkdir(join(directory, "objects"));
  const file = join(directory, "objects", `files-${key}`);
  await Promise.all([writeFile(file, "a file"), writeFile(`${file}.metadata`, "{}")]);
  await change();
  const requests: string[] = [];
  vi.stubGlobal("fetch", async (url: string, { method }: RequestInit) => {
    requests.push(`${method} ${new URL(url).pathname.replace("/api/manage/v1/admin", "")}`);
    return Response.json({ success: true, data: {} }, { status: { GET: 404, PUT: status }[method ?? ""] ?? 200 });
  });
  const api = serviceAt("https://service.test", "key");
  const importing = accountTransferCommands["account import"]?.run(api, { DIR: directory });
  const outcome = await importing?.catch((thrown: unknown) => Object(commandError(thrown, api)).message);
  return { outcome, requests };
}

it("`account import` uploads the files, then sends the rows, and prints their number", async () => {
  expect(await importInto(200)).toEqual({
    outcome: { rows: 2, objects: 1 },
    requests: ["GET /accounts/a", "PUT /objects", "POST /import"],
  });
});

it.each([
  [404, "the service has no endpoint for uploads; is it an older release?"],
  [503, "the service responded with 503"],
])(
  "`account import` fails if an upload gets %i, and sends no rows whose files are missing",
  async (status, message) => {
    expect(await importInto(status)).toEqual({
      outcome: message,
      requests: ["GET /accounts/a", "PUT /objects"],
    });
  },
);

it("`account import` refuses the folder of an interrupted export", async () => {
  const { outcome, requests } = await importInto(200, () =>
    rename(join(directory, "rows.ndjson"), join(directory, "rows.part")),
  );

  expect(outcome).toMatch(/must be the folder of a complete export$/);
  expect(requests).toEqual([]);
});

it("`account import` does not follow a link to a file outside the folder", async () => {
  const file = () => join(directory, "objects", `files-${key}`);
  const { outcome, requests } = await importInto(200, () => rm(file()).then(() => symlink("/etc/hostname", file())));

  expect(outcome).toMatch(/ lacks objects\/files-/);
  expect(requests).toEqual(["GET /accounts/a"]);
});

it("`account export` marks the rows as complete only at its end", async () => {
  directory = await mkdtemp(join(tmpdir(), "colophon-test-"));
  let isEnd = false;
  vi.stubGlobal("fetch", async () => {
    const data = { rows: [{ table: "accounts", row: { id: "a" } }], nextCursor: isEnd ? null : "documents" };
    expect(await readdir(directory)).not.toContain("rows.ndjson");
    isEnd = true;
    return Response.json({ success: true, data });
  });
  const api = serviceAt("https://service.test", "key");

  await accountTransferCommands["account export"]?.run(api, { DIR: directory, account: "a" });

  expect((await readdir(directory)).toSorted()).toEqual(["objects", "rows.ndjson"]);
});

it("other users of the machine cannot read what `account export` writes, even into a folder that exists", async () => {
  directory = await mkdtemp(join(tmpdir(), "colophon-test-"));
  const row = { id: "d", status: "completed", fileKey: key };
  const data = { rows: [{ table: "documents", row }], nextCursor: null };
  vi.stubGlobal("fetch", async (url: string) =>
    url.includes("/objects") ? new Response("a file") : Response.json({ success: true, data }),
  );
  const [made = "", existing = ""] = ["made", "existing"].map((name) => join(directory, name));
  await mkdir(existing, { mode: 0o755 });

  for (const DIR of [made, existing])
    await accountTransferCommands["account export"]?.run(serviceAt("https://service.test", "key"), {
      DIR,
      account: "a",
    });

  const entries = [made, ...(await readdir(directory, { recursive: true })).map((name) => join(directory, name))];
  const modes = await Promise.all(entries.map(async (path) => [path, (await stat(path)).mode & 0o077] as const));
  expect(modes.flatMap(([path, mode]) => (mode === 0 ? [] : [path]))).toEqual([existing]);
  expect(modes).toHaveLength(11);
});
