import { spawnSync } from "node:child_process";
import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writeManifest } from "../../src/cli/backup/manifest.ts";
import { restoreBackup } from "../../src/cli/backup/restore-backup.ts";
import { writeBackup } from "../../src/cli/backup/write-backup.ts";
import { checkStateDirectory } from "../../src/cli/local/state-directory.ts";

let folder: string;
let stateDir: string;
let intact: string;

const database = "v3/d1/miniflare-D1DatabaseObject/a.sqlite";
const blob = "v3/r2/colophon-files/blobs/b";

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "colophon-backup-"));
  stateDir = join(folder, "state");
  intact = join(folder, "intact.tar");
  for (const path of [database, blob]) await mkdir(join(stateDir, path, ".."), { recursive: true });
  await checkStateDirectory(stateDir);
  await writeFile(join(stateDir, "secrets.env"), "WEBHOOK_SECRETS_KEY=x\n");
  await writeFile(join(stateDir, blob), "the bytes of a document ".repeat(100));
  await mkdir(join(stateDir, "backup-of-a-killed-process"));
  const open = new DatabaseSync(join(stateDir, database));
  open.exec("PRAGMA journal_mode=WAL; CREATE TABLE t (a); INSERT INTO t VALUES ('kept')");
  const backup = await writeBackup(stateDir, intact);
  open.close();
  expect(backup.files).toBe(4);
});

afterAll(() => rm(folder, { recursive: true }));

/** Unpacks the backup, calls `damage` with the directory, and packs it again. */
async function damagedBackup(damage: (directory: string) => Promise<unknown>): Promise<string> {
  const directory = await mkdtemp(join(folder, "damaged-"));
  spawnSync("tar", ["-xf", intact, "-C", directory]);
  await damage(directory);
  spawnSync("tar", ["-cf", `${directory}.tar`, "-C", directory, "."]);
  return `${directory}.tar`;
}

it("a backup restores the databases, the files and the secrets", async () => {
  const restored = join(folder, "restored");
  await mkdir(restored);

  await restoreBackup(restored, intact);

  const open = new DatabaseSync(join(restored, database));
  expect(open.prepare("SELECT a FROM t").all()).toEqual([{ a: "kept" }]);
  open.close();
  expect(await readFile(join(restored, blob), "utf8")).toBe(await readFile(join(stateDir, blob), "utf8"));
  expect(await readFile(join(restored, "secrets.env"), "utf8")).toBe("WEBHOOK_SECRETS_KEY=x\n");
  expect((await readdir(stateDir)).filter((name) => name.startsWith("backup"))).toEqual([]);
});

it("a backup is not restored into a directory with something in it", async () => {
  const before = await readdir(stateDir);

  await expect(restoreBackup(stateDir, intact)).rejects.toThrow(/is not empty/);
  expect(await readdir(stateDir)).toEqual(before);
});

describe("a backup is refused, and nothing written,", () => {
  const newerLayout = async (directory: string) => {
    const file = join(directory, "layout.json");
    const layout = JSON.parse(await readFile(file, "utf8")) as { D1: string[] };
    await writeFile(file, JSON.stringify({ ...layout, D1: [...layout.D1, "9999_newer.sql 00"] }));
    // What stores a newer layout also stores its digest.
    await rm(join(directory, "manifest.json"));
    await writeManifest(directory);
  };

  it.each<[name: string, damage: (directory: string) => Promise<unknown>, reason: RegExp]>([
    ["a byte of a document differs", (d) => writeFile(join(d, blob), "x", { flag: "r+" }), /damaged: .*blobs\/b/],
    ["a byte of a database differs", (d) => writeFile(join(d, database), "x", { flag: "r+" }), /damaged: .*a\.sqlite/],
    ["a document is missing", (d) => rm(join(d, blob)), /damaged/],
    ["there is a file more", (d) => writeFile(join(d, "v3/more"), ""), /damaged: v3\/more/],
    [
      "a file is a link",
      async (d) => {
        await rm(join(d, blob));
        await symlink("/etc/hostname", join(d, blob));
      },
      /damaged/,
    ],
    ["it has no list of files", (d) => rm(join(d, "manifest.json")), /not a backup/],
    ["its list of files is cut", (d) => truncate(join(d, "manifest.json"), 40), /not a backup/],
    ["its list of files is null", (d) => writeFile(join(d, "manifest.json"), "null"), /not a backup/],
    [
      "its list of files is no file",
      async (d) => {
        await rm(join(d, "manifest.json"));
        spawnSync("mkfifo", [join(d, "manifest.json")]);
      },
      /not a backup/,
    ],
    ["its format is newer", (d) => writeFile(join(d, "manifest.json"), '{"format":2,"files":{}}'), /newer version/],
    ["its data is newer", newerLayout, /newer version of this service/],
  ])("if %s", async (_name, damage, reason) => {
    const target = await mkdtemp(join(folder, "target-"));

    await expect(restoreBackup(target, await damagedBackup(damage))).rejects.toThrow(reason);
    expect(await readdir(target)).toEqual([]);
  });

  it.each<[name: string, bytes: (whole: Buffer) => Buffer]>([
    ["it is cut", (whole) => whole.subarray(0, whole.length / 2)],
    ["it is empty", () => Buffer.alloc(0)],
    ["it is something else", () => Buffer.from("This is not a backup. ".repeat(100))],
  ])("if %s", async (_name, bytes) => {
    const target = await mkdtemp(join(folder, "target-"));
    const file = `${target}.tar`;
    await appendFile(file, bytes(await readFile(intact)));

    await expect(restoreBackup(target, file)).rejects.toThrow();
    expect(await readdir(target)).toEqual([]);
  });
});
