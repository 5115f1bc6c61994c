// Prepares the browser for local use and tests. Wrangler starts Chrome from a path in its cache, and downloads Chrome if that
// path does not exist. To prevent the download, this module writes a launcher to that path, which starts a Chromium from an npm
// package or the browser at CHROME_PATH.
import { spawn, type ChildProcess } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { messageOf } from "colophon-base/message-of";
import { CommandError } from "../command.ts";
import { npmChromium, quoted } from "./npm-chromium.ts";

/** The folder name in wrangler's cache for the Chrome version that wrangler would download. */
const wranglerChrome = "linux-126.0.6478.182";
const cacheRoot = fileURLToPath(new URL("../../../../node_modules/.cache/colophon", import.meta.url).href);

type Environment = Record<string, string | undefined>;

/**
 * Prepares the browser and returns the environment variables that wrangler needs to find it. Idempotent: a second call unpacks only missing
 * files. By default, the browser is the Chromium in package.json. The environment variable CHROMIUM_VERSION chooses a different major
 * version from npm, and CHROME_PATH chooses a browser on this machine.
 */
export async function prepareLocalBrowser(environment: Environment = process.env): Promise<Record<string, string>> {
  const { CHROME_PATH: chromePath, CHROMIUM_VERSION: version = "current" } = environment;
  if (!/^(current|[1-9]\d{1,2})$/.test(version))
    throw new Error(`The version of Chromium must be a major version such as 127, or \`current\`, not \`${version}\`.`);
  if (chromePath && version !== "current")
    throw new Error("Set either CHROME_PATH or a version of Chromium, not both.");
  const hasPackage = process.platform === "linux" && process.arch === "x64";
  if (!chromePath && !hasPackage) {
    console.error(
      "npm has no Chromium package for this platform. Wrangler will download its own browser. To use a different browser, set CHROME_PATH.",
    );
    return {};
  }
  try {
    const fromNpm = hasPackage ? await npmChromium(version, cacheRoot) : null;
    // A browser of this machine also gets the package's fonts, so that documents look the same.
    const fonts = fromNpm ? `env ${fromNpm.fonts} ` : "";
    const { folder, command } =
      fromNpm && !chromePath
        ? fromNpm
        : { folder: join(cacheRoot, "chrome-path"), command: `${fonts}${quoted(chromePath ?? "")}` };
    await installLauncher(folder, command);
    return { XDG_CACHE_HOME: folder };
  } catch (cause) {
    throw new Error(`The local browser cannot be prepared: ${messageOf(cause)}`, { cause });
  }
}

/** Prepares the browser and returns the path of its launcher. Throws `CommandError` where npm has no Chromium. */
export async function browserLauncher(): Promise<string> {
  const { XDG_CACHE_HOME: cache } = await prepareLocalBrowser();
  if (!cache) throw new CommandError("set CHROME_PATH to a Chrome or Chromium on this machine");
  return launcherIn(cache);
}

/** Returns the path of the launcher, an executable that starts Chromium, in the folder that wrangler uses as its cache. */
export function launcherIn(cacheFolder: string): string {
  return join(cacheFolder, ".wrangler/chrome", wranglerChrome, "chrome-linux64/chrome");
}

/**
 * Writes the launcher. Each browser has a separate cache folder, so that services and tests with different browsers can run at
 * the same time.
 */
async function installLauncher(cacheFolder: string, command: string): Promise<void> {
  const folder = join(cacheFolder, ".wrangler/chrome", wranglerChrome);
  const launcher = launcherIn(cacheFolder);
  const script = launcherScript(command + ((await needsNoSandbox(command)) ? " --no-sandbox" : ""));
  const marker = join(folder, ".miniflare-install-complete");
  if (existsSync(marker) && existsSync(launcher) && (await readFile(launcher, "utf8")) === script) return;
  await mkdir(dirname(launcher), { recursive: true });
  await writeFile(`${launcher}.new`, script, { mode: 0o755 });
  await rename(`${launcher}.new`, launcher);
  // Without this file, wrangler treats a failed launch as a broken download, and deletes the folder.
  await writeFile(marker, "");
}

/** Returns whether Chromium must start without its sandbox, which makes it exit immediately for root and in some containers. */
async function needsNoSandbox(command: string): Promise<boolean> {
  if (process.getuid?.() === 0) return true;
  const args = ["-c", `exec ${command} --headless --remote-debugging-port=0`];
  const probe = spawn("sh", args, { stdio: ["ignore", "ignore", "pipe"], detached: true });
  const timer = setTimeout(() => endGroup(probe), 20_000);
  let isListening = false;
  for await (const chunk of probe.stderr) {
    if (isListening || !String(chunk).includes("DevTools listening")) continue;
    isListening = true;
    endGroup(probe);
  }
  clearTimeout(timer);
  return !isListening;
}

function endGroup({ pid }: ChildProcess): void {
  if (pid) process.kill(-pid, "SIGKILL");
}

/**
 * How long Chromium may run without a DevTools connection. The simulator connects within a second, and stays connected as long
 * as the session is usable.
 */
const unconnectedSeconds = 20;

/**
 * Returns a shell script that starts Chromium. When the script's parent process ends, the script ends Chromium, so that
 * Chromium does not outlive a killed service. The script also reads Chromium's whole log, because wrangler reads only the first
 * line, and a full pipe would stop Chromium. An unread pipe filled up after about 40 renders, because Chromium logs every
 * blocked request.
 * The script also ends a Chromium without a connection. The simulator keeps a session's address only in the memory of an
 * object. If that memory is lost, nothing can connect to the session ("sessionInfo must be set before connecting") or end its
 * Chromium. The platform ends such a browser after its keep-alive time, which the simulator ignores. Connections are looked up
 * in /proc, so this works only on Linux.
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
