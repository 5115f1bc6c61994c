// Starts `template dev` as an author does, and reads its page in a real browser.
import { spawn, type ChildProcess } from "node:child_process";
import type { Page } from "puppeteer-core";

export type DevCommand = {
  url: string;
  process: ChildProcess;
  /** Resolves with the exit code. */
  ended: Promise<number | null>;
  /** Everything that the command has printed so far. */
  output(): string;
};

/** Starts the command on a free port, or on the given one. If it ends before it is ready, rejects with its output. */
export function startDev(folder: string, port = 0): Promise<DevCommand> {
  const args = ["src/cli/main.ts", "template", "dev", folder, "--port", String(port)];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  return new Promise((resolve, reject) => {
    const listen = (chunk: Buffer) => {
      output += String(chunk);
      const url = /^(http:\S+) shows/m.exec(output)?.[1];
      if (url) resolve({ url, process: child, ended, output: () => output });
    };
    child.stdout.on("data", listen);
    child.stderr.on("data", listen);
    void ended.then((code) => reject(new Error(`template dev ended with ${code}: ${output}`)));
  });
}

export type Shown = {
  /** `document`, or `problems` if the folder or the data has any. */
  kind: string;
  revision: number;
  /** Each entry of the overlay, as its location and its message. */
  problems: { place: string; message: string }[];
  isDimmed: boolean;
  /** The sizes of the pages that are painted. */
  canvases: string[];
  status: string;
};

/** What the page shows now. */
export async function shownIn(page: Page): Promise<Shown> {
  return (await page.evaluate(readPage)) as Shown;
}

/** Waits until the page shows the expected state. */
export async function waitFor(page: Page, isWanted: (shown: Shown) => boolean, timeoutMs = 20_000): Promise<Shown> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const shown = await shownIn(page);
    if (isWanted(shown)) return shown;
    if (Date.now() > deadline) throw new Error(`the page does not show what is wanted: ${JSON.stringify(shown)}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Runs in the page. */
const readPage = `({
  kind: document.documentElement.dataset.shown ?? "nothing",
  revision: Number(document.documentElement.dataset.revision ?? 0),
  problems: [...document.querySelectorAll("#overlay .problem")].map((problem) => ({
    place: problem.querySelector(".place")?.textContent ?? "",
    message: problem.querySelector("strong").textContent,
  })),
  isDimmed: document.getElementById("pages").classList.contains("stale"),
  canvases: [...document.querySelectorAll("#pages canvas")].map((canvas) => canvas.width + "x" + canvas.height),
  status: document.getElementById("status").textContent,
})`;
