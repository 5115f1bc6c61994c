// `template dev DIR`: shows a template folder as a document, in a local page that is rendered again after every change. Ends
// with Ctrl-C, and leaves no process behind.
import { stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import type { Log } from "colophon-base/log";
import { counted } from "colophon-base/text";
import { sharedFolder } from "colophon-template-model/template-files";
import { CommandError, isLenient, option, UsageError, type Options } from "../command.ts";
import { problemLines } from "../folder/problem-lines.ts";
import { localParts, stderrLog } from "../render/render-folder.ts";
import { documentInspector } from "../testing/inspector.ts";
import { reportHtml } from "../testing/report.ts";
import { runCases } from "../testing/run-cases.ts";
import { loopback, startDevServer } from "./dev-server.ts";
import type { FolderState } from "./messages.ts";
import { pageFiles } from "./page-files.ts";
import { Preview } from "./preview.ts";
import { previewRenderer } from "./render-preview.ts";
import { watchFolders } from "./watch-folder.ts";

const defaultPort = 8790;

/** Resolves when the author has ended the command. */
export async function runTemplateDev(options: Options): Promise<void> {
  const port = portOf(options["port"]);
  const directory = await folderOf(option(options, "DIR"));
  const ended = endSignal();
  const log: Log = (level, entry) => {
    if (!ended.hasEnded()) stderrLog(level, entry);
  };
  const [files, { launcher, ...render }] = await Promise.all([pageFiles(), localParts(log)]);
  const parts = { ...render, inspector: documentInspector(launcher) };
  let reloading: Promise<unknown> = Promise.resolve();
  const preview = new Preview(directory, onState, { lenient: isLenient(options) });
  const server = await startDevServer({
    port,
    files,
    state: () => preview.state,
    sampleData: (file) => preview.valid?.samples.find((sample) => sample.file === file)?.data ?? null,
    render: previewRenderer(preview, parts),
    async test(signal) {
      const { revision } = preview.state;
      // After a change, the new document is rendered before older tests continue.
      const mayBegin = async () => {
        await reloading;
        return !signal.aborted && preview.state.revision === revision;
      };
      const content = preview.valid?.content;
      const results = content ? await runCases(parts, directory, content, {}, mayBegin) : [];
      return (await mayBegin()) ? reportHtml(results) : null;
    },
  }).catch((error: unknown) => {
    throw listenError(error, port);
  });
  function onState(state: FolderState): void {
    report(state);
    server.send(state);
  }
  const reload = () => void (reloading = Promise.all([reloading, preview.reload()]));
  // The folder of the shared files is next to the templates' folders.
  const watch = await watchFolders([directory, join(dirname(directory), sharedFolder)], reload);
  try {
    // If this fails, the first render starts the browser.
    parts.renderer.start().catch(() => {});
    await preview.reload();
    console.log(`http://${loopback}:${server.port} shows ${basename(directory)}. Press Ctrl-C to end it.`);
    await ended.promise;
  } finally {
    watch.close();
    await server.close();
    await Promise.all([parts.renderer.stop(), parts.inspector.stop()]);
  }
}

function portOf(text = String(defaultPort)): number {
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
  throw new UsageError(`--port must be a number from 0 to 65535, not ${JSON.stringify(text)}; 0 chooses a free port`);
}

async function folderOf(path: string): Promise<string> {
  const stats = await stat(path).catch(() => null);
  if (!stats?.isDirectory()) throw new CommandError(`there is no folder ${JSON.stringify(path)}`);
  return resolve(path);
}

function listenError(error: unknown, port: number): unknown {
  const code = error instanceof Error && "code" in error ? error.code : null;
  if (code === "EADDRINUSE") return new CommandError(`port ${port} is in use; choose a different one with --port`);
  return code === "EACCES"
    ? new CommandError(`port ${port} needs more rights; choose one above 1023 with --port`)
    : error;
}

/** Prints the same lines as a push. */
function report({ problems, moreProblems, warnings, moreWarnings, template }: FolderState): void {
  const time = new Date().toLocaleTimeString("en-GB");
  for (const line of problemLines(problems.map(({ file, line, message }) => ({ file, line, reason: message }))))
    console.error(`${time} ${line}`);
  if (moreProblems > 0) console.error(`${time} and ${counted(moreProblems, "more problem")}`);
  if (problems.length > 0) return;
  const count = warnings.length + moreWarnings;
  console.log(`${time} ${template?.title ?? ""}: ${count === 0 ? "no problems" : counted(count, "warning")}`);
}

/** Waits for Ctrl-C or the end of the terminal. The second signal ends the process immediately. */
function endSignal(): { promise: Promise<void>; hasEnded(): boolean } {
  const { promise, resolve } = Promise.withResolvers<void>();
  let hasEnded = false;
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(signal, () => {
      if (hasEnded) process.exit(1);
      hasEnded = true;
      resolve();
    });
  }
  return { promise, hasEnded: () => hasEnded };
}
