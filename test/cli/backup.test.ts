import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { restoreBackup, writeBackup, writeManifest } from "../../src/cli/backup/state-backup.ts";
import { checkStateDirectory } from "../../src/cli/local/state-directory.ts";

let folder: string;
let stateDir: string;
let intact: string;

const database = "v3/d1/miniflare-D1DatabaseObject/a.sqlite";
const shard = "v3/d1/miniflare-D1DatabaseObject/b.sqlite";
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
  const openShard = new DatabaseSync(join(stateDir, shard));
  openShard.exec("CREATE TABLE t (a); INSERT INTO t VALUES ('kept in a shard')");
  const backup = await writeBackup(stateDir, intact);
  open.close();
  openShard.close();
  expect(backup.files).toBe(5);
});

afterAll(() => rm(folder, { recursive: true }));

it.each(["write", "restore"])("a backup command without a file exits with 2 and prints the usage (%s)", (action) => {
  const { status, stderr } = spawnSync(process.execPath, ["src/cli/backup.ts", action], { encoding: "utf8" });

  expect({ status, stderr }).toEqual({ status: 2, stderr: expect.stringMatching(/^usage: npm run backup -- FILE/) });
});

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

  const rows = [database, shard].map((path) => {
    using open = new DatabaseSync(join(restored, path));
    return open.prepare("SELECT a FROM t").all();
  });
  expect(rows).toEqual([[{ a: "kept" }], [{ a: "kept in a shard" }]]);
  expect(await readFile(join(restored, blob), "utf8")).toBe(await readFile(join(stateDir, blob), "utf8"));
  expect(await readFile(join(restored, "secrets.env"), "utf8")).toBe("WEBHOOK_SECRETS_KEY=x\n");
  expect((await readdir(stateDir)).filter((name) => name.startsWith("backup"))).toEqual([]);
});

it("a backup is restored only into an empty directory", async () => {
  const before = await readdir(stateDir);

  await expect(restoreBackup(stateDir, intact)).rejects.toThrow(/is not empty/);
  expect(await readdir(stateDir)).toEqual(before);
});

it("a directory with an interrupted restore is refused by a service and by another restore", async () => {
  const target = await mkdtemp(join(folder, "target-"));
  await mkdir(join(target, "restoring"));

  await expect(checkStateDirectory(target)).rejects.toThrow(/empty the directory and restore again/);
  await expect(restoreBackup(target, intact)).rejects.toThrow(/is not empty/);
  expect(await readdir(target)).toEqual(["restoring"]);
});

const script = new URL("../../src/cli/backup/state-backup.ts", import.meta.url).pathname;

/** Starts a backup in its own process, which can be killed. */
function startBackup(file: string, path = process.env["PATH"], maxStoppedMs = 10_000) {
  const code = `await (await import("${script}")).writeBackup(...JSON.parse(process.argv[1]))`;
  const args = ["--input-type=module", "-e", code, JSON.stringify([stateDir, file, maxStoppedMs])];
  return spawn(process.execPath, args, { env: { ...process.env, PATH: path }, stdio: "ignore" });
}

/** Returns a `PATH` with a `tar` that never ends, and writes a file when it has begun. */
async function endlessTar(): Promise<{ path: string; begun: string }> {
  const directory = await mkdtemp(join(folder, "bin-"));
  const begun = join(directory, "begun");
  await writeFile(join(directory, "tar"), `#!/bin/sh\ntouch ${begun}\nexec sleep 20\n`, { mode: 0o755 });
  return { path: `${directory}:${process.env["PATH"]}`, begun };
}

const isThere = (path: string) => expect.poll(() => existsSync(path), { timeout: 5_000 }).toBe(true);
const leftovers = async () => (await readdir(stateDir)).filter((name) => name.startsWith("backup"));

it("a backup is refused while a different backup is running, and succeeds after that backup was killed", async () => {
  const [first, second] = [join(folder, "first.tar"), join(folder, "second.tar")];
  await writeFile(first, "the backup of yesterday");
  const { path, begun } = await endlessTar();
  const running = startBackup(first, path);
  await isThere(begun);
  const before = await leftovers();

  await expect(writeBackup(stateDir, second)).rejects.toThrow(/^another backup of .* is running/);
  expect(await leftovers()).toEqual(before);

  running.kill("SIGKILL");
  await once(running, "exit");
  expect(await readFile(first, "utf8")).toBe("the backup of yesterday");
  await writeBackup(stateDir, second);
  expect(await leftovers()).toEqual([]);
});

it("a backup fails and keeps the previous backup if its destination is full", async () => {
  const file = join(folder, "full.tar");
  await writeFile(file, "the backup of yesterday");
  await symlink("/dev/full", `${file}.partial`);

  await expect(writeBackup(stateDir, file)).rejects.toThrow(/could not be written: .*space/s);
  expect(await readFile(file, "utf8")).toBe("the backup of yesterday");
  expect(existsSync(`${file}.partial`)).toBe(false);
  expect(await leftovers()).toEqual([]);
});

it("a backup is refused if its destination is a folder, a link or a device", async () => {
  const link = join(folder, "link.tar");
  await symlink(join(folder, "elsewhere.tar"), link);

  for (const file of [folder, link, "/dev/null"])
    await expect(writeBackup(stateDir, file)).rejects.toThrow(`${file} is not a file`);
  expect(await leftovers()).toEqual([]);
});

describe("a backup of a running service", () => {
  let service: ReturnType<typeof spawn>;
  const state = async () => (await readFile(`/proc/${service.pid}/stat`, "utf8")).split(") ")[1]?.[0];

  beforeEach(async () => {
    // One process without children: a shell that is stopped while it starts a child is in the state D, not T.
    service = spawn("tail", ["-f", join(stateDir, "layout.json")], { detached: true, stdio: "ignore" });
    await writeFile(join(stateDir, "running.json"), JSON.stringify({ starter: 1, processGroup: service.pid }));
  });

  afterEach(async () => {
    process.kill(-(service.pid ?? 0), "SIGKILL");
    await rm(join(stateDir, "running.json"), { force: true });
    await rm(join(stateDir, "secrets.env"));
    await writeFile(join(stateDir, "secrets.env"), "WEBHOOK_SECRETS_KEY=x\n");
  });

  it("a backup of a running service stops it only while the databases are copied", async () => {
    const { stoppedMs } = await writeBackup(stateDir, join(folder, "running.tar"));

    expect(stoppedMs).toBeLessThan(5_000);
    expect(await state()).not.toBe("T");
  });

  it("a backup of a running service fails if a copy takes too long in any step", async () => {
    await expect(writeBackup(stateDir, join(folder, "late.tar"), 0)).rejects.toThrow(/within 0 s/);
    expect(await state()).not.toBe("T");
    expect(await leftovers()).toEqual([]);
  });

  /** Starts a backup, and returns when it is blocked while the service is stopped. */
  async function blockedBackup(maxStoppedMs: number) {
    const secrets = join(stateDir, "secrets.env");
    const text = await readFile(secrets);
    await rm(secrets);
    // Reading from the pipe blocks until somebody writes.
    spawnSync("mkfifo", [secrets]);
    const backup = startBackup(join(folder, "blocked.tar"), undefined, maxStoppedMs);
    const ended = once(backup, "exit");
    // A backup that keeps running would hold the lock during the next test.
    onTestFinished(() => void backup.kill("SIGKILL"));
    await expect.poll(state, { timeout: 20_000 }).toBe("T");
    return { backup, ended, unblock: () => writeFile(secrets, text).catch(() => {}) };
  }

  it("a backup of a running service fails if the service was restarted during the backup", async () => {
    const running = join(stateDir, "running.json");
    const text = await readFile(running);
    await rm(running);
    // Each reader receives the next write.
    spawnSync("mkfifo", [running]);
    const refused = expect(writeBackup(stateDir, join(folder, "restarted.tar"))).rejects.toThrow(
      /was started, restarted/,
    );
    await writeFile(running, text);
    // The first reader must have ended.
    await setTimeout(200);
    await writeFile(running, "{}");

    await refused;
    expect(existsSync(join(folder, "restarted.tar"))).toBe(false);
    expect(await state()).not.toBe("T");
  });

  it.each<NodeJS.Signals | null>(["SIGKILL", "SIGSTOP", null])(
    "a backup of a running service leaves it running if it gets %s",
    async (signal) => {
      const { backup, ended, unblock } = await blockedBackup(2_000);

      if (signal) backup.kill(signal);

      await expect.poll(state, { timeout: 10_000 }).not.toBe("T");
      if (signal) backup.kill("SIGKILL");
      else await unblock();
      expect(await ended).toEqual(signal ? [null, "SIGKILL"] : [1, null]);
    },
  );
});

const newerLayout = async (directory: string) => {
  const file = join(directory, "layout.json");
  const layout = JSON.parse(await readFile(file, "utf8")) as { D1: string[] };
  await writeFile(file, JSON.stringify({ ...layout, D1: [...layout.D1, "9999_newer.sql 00"] }));
  // A newer layout also stores its digest.
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
    "its list of files is not a regular file",
    async (d) => {
      await rm(join(d, "manifest.json"));
      spawnSync("mkfifo", [join(d, "manifest.json")]);
    },
    /not a backup/,
  ],
  ["its format is newer", (d) => writeFile(join(d, "manifest.json"), '{"format":2,"files":{}}'), /newer version/],
  ["its data is newer", newerLayout, /newer version of this service/],
])("a backup is refused and writes nothing if %s", async (_name, damage, reason) => {
  const target = await mkdtemp(join(folder, "target-"));

  await expect(restoreBackup(target, await damagedBackup(damage))).rejects.toThrow(reason);
  expect(await readdir(target)).toEqual([]);
});

it.each<[name: string, bytes: (whole: Buffer) => Buffer]>([
  ["it is cut", (whole) => whole.subarray(0, whole.length / 2)],
  ["it is empty", () => Buffer.alloc(0)],
  ["it is something else", () => Buffer.from("This is not a backup. ".repeat(100))],
])("a backup is refused and writes nothing if %s", async (_name, bytes) => {
  const target = await mkdtemp(join(folder, "target-"));
  const file = `${target}.tar`;
  await appendFile(file, bytes(await readFile(intact)));

  await expect(restoreBackup(target, file)).rejects.toThrow();
  expect(await readdir(target)).toEqual([]);
});
