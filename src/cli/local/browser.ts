// Prepares the browser for local work and tests. Wrangler starts Chrome from a path in its cache, and downloads Chrome
// if that path does not exist. To prevent the download, this module writes a launcher to that path. The launcher starts
// the Chromium of an npm package, or the browser at CHROME_PATH.
import { spawnSync } from "node:child_process";
import { createReadStream, createWriteStream, existsSync } from "node:fs";
import { chmod, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { createBrotliDecompress } from "node:zlib";

/** The name of the folder in wrangler's cache for the Chrome version that wrangler would download. */
const wranglerChrome = "linux-126.0.6478.182";
const cacheRoot = fileURLToPath(new URL("../../../node_modules/.cache/colophon", import.meta.url).href);

/**
 * Prepares the browser and returns the environment variables that wrangler needs to find it. Idempotent: a second call
 * unpacks only what is missing.
 */
export async function prepareLocalBrowser(chromePath = process.env["CHROME_PATH"]): Promise<Record<string, string>> {
  if (!chromePath && (process.platform !== "linux" || process.arch !== "x64")) {
    console.error(
      "npm has no Chromium package for this platform. Wrangler will download its own browser. To use another browser, set CHROME_PATH.",
    );
    return {};
  }
  try {
    const command = chromePath ? quoted(chromePath) : await unpackChromium();
    await installLauncher(command);
  } catch (cause) {
    throw new Error(`The local browser cannot be prepared: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    });
  }
  return { XDG_CACHE_HOME: cacheRoot };
}

/** Unpacks Chromium if necessary, and returns the shell command that starts it with its libraries and fonts. */
async function unpackChromium(): Promise<string> {
  const packageRoot = dirname(dirname(createRequire(import.meta.url).resolve("@sparticuz/chromium")));
  const { version } = JSON.parse(await readFile(join(packageRoot, "package.json"), "utf8")) as { version: string };
  const root = join(cacheRoot, `chromium-${version}`);
  const complete = join(root, ".complete");
  if (!existsSync(complete)) {
    await rm(root, { recursive: true, force: true });
    await mkdir(root, { recursive: true });
    await Promise.all([
      unbrotli(join(packageRoot, "bin/chromium.br"), join(root, "chromium")),
      ...["al2023", "fonts", "swiftshader"].map((name) =>
        unpackArchive(join(packageRoot, `bin/${name}.tar.br`), join(root, name)),
      ),
    ]);
    await chmod(join(root, "chromium"), 0o755);
    await writeFile(complete, "");
  }
  // This file is written at every start, because it contains absolute paths, and the project may have been moved.
  await writeFile(join(root, "fonts/fonts.conf"), fontsConfig(root));
  const environment = `LD_LIBRARY_PATH=${quoted(join(root, "al2023/lib"))} FONTCONFIG_PATH=${quoted(join(root, "fonts"))}`;
  return `env ${environment} ${quoted(join(root, "chromium"))} --font-render-hinting=none`;
}

async function unbrotli(from: string, to: string): Promise<void> {
  await pipeline(createReadStream(from), createBrotliDecompress(), createWriteStream(to));
}

async function unpackArchive(from: string, to: string): Promise<void> {
  const archive = `${to}.tar`;
  await unbrotli(from, archive);
  await mkdir(to, { recursive: true });
  const { status, stderr } = spawnSync("tar", ["-xf", archive, "-C", to]);
  if (status !== 0) throw new Error(`tar failed on ${archive}: ${String(stderr)}`);
  await rm(archive);
}

/**
 * Returns a configuration for fontconfig that lists only the fonts of the npm package, so that fonts installed on the
 * machine cannot change a document.
 */
function fontsConfig(root: string): string {
  return [
    '<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>',
    `<dir>${join(root, "fonts/fonts")}</dir><cachedir>${join(root, "fonts-cache")}</cachedir></fontconfig>\n`,
  ].join("");
}

async function installLauncher(command: string): Promise<void> {
  const folder = join(cacheRoot, ".wrangler/chrome", wranglerChrome);
  const launcher = join(folder, "chrome-linux64/chrome");
  const script = launcherScript(command + (needsNoSandbox(command) ? " --no-sandbox" : ""));
  const marker = join(folder, ".miniflare-install-complete");
  if (existsSync(marker) && existsSync(launcher) && (await readFile(launcher, "utf8")) === script) return;
  await mkdir(dirname(launcher), { recursive: true });
  await writeFile(`${launcher}.new`, script, { mode: 0o755 });
  await rename(`${launcher}.new`, launcher);
  // Without this file, wrangler mistakes a failed launch for a broken download, and deletes the folder.
  await writeFile(marker, "");
}

/**
 * Returns whether Chromium must start without its sandbox. The sandbox does not work for root and in some containers.
 */
function needsNoSandbox(command: string): boolean {
  if (process.getuid?.() === 0) return true;
  const probe = spawnSync("sh", ["-c", `${command} --headless --dump-dom about:blank`], { timeout: 20_000 });
  return probe.status !== 0;
}

/**
 * How long Chromium may run without a DevTools connection. The simulator connects within a second, and stays connected as
 * long as the session can be used.
 */
const unconnectedSeconds = 20;

/**
 * Returns a shell script that starts Chromium. When the process that started the script ends, the script ends Chromium,
 * so that Chromium does not outlive a killed service. The script also reads Chromium's whole log, because wrangler
 * reads only the first line, and a full pipe would stop Chromium. In practice, an unread pipe filled up after about 40 renders,
 * because Chromium logs every blocked request.
 *
 * The script also ends a Chromium to which nobody is connected. The simulator keeps a session's address only in the
 * memory of an object. When that memory is lost, nobody can connect to the session ("sessionInfo must be set before
 * connecting") or end it, so nothing else would end its Chromium. The platform ends such a browser after its keep-alive
 * time, which the simulator ignores. Connections are looked up in /proc, so this works only on Linux.
 */
function launcherScript(command: string): string {
  return `#!/bin/sh
service=$PPID
pipe=$(mktemp -u)
mkfifo "$pipe" && exec 3<>"$pipe" && rm "$pipe"
grep --line-buffered 'DevTools listening' <&3 >&2 3>&- &
filter=$!
${command} "$@" >/dev/null 2>&3 3>&- &
browser=$!
trap 'kill $browser' TERM INT
for argument; do case $argument in --user-data-dir=*) profile=\${argument#*=};; esac; done
is_unconnected() {
  port=$(head -n 1 "$profile/DevToolsActivePort") && [ -r /proc/net/tcp ] &&
    ! grep -q ": 0100007F:$(printf %04X "$port") [0-9A-F:]* 01 " /proc/net/tcp
}
(unconnected=0
while kill -0 $service && kill -0 $browser && [ $unconnected -lt ${unconnectedSeconds} ]; do
  sleep 1
  if is_unconnected; then unconnected=$((unconnected + 1)); else unconnected=0; fi
done
kill -9 $browser; kill $filter) >/dev/null 2>&1 3>&- &
wait $browser
code=$?
kill $filter
exit $code
`;
}

function quoted(path: string): string {
  return `'${path.replaceAll("'", `'\\''`)}'`;
}
