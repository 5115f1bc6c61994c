// The page of `template dev`: follows the folder, renders after each change, and shows the document or what is wrong.
import { contentTypeOf, documentFormats, extensionOf } from "colophon-page/document-format";
import { fileSize } from "colophon-ui/file-size";
import { DataPanel } from "./data-panel.ts";
import { followZoom, showDocument } from "./document-view.ts";
import { byId, painted } from "./dom.ts";
import type { FolderState, Rendered, RenderResult } from "../src/dev/messages.ts";
import { showFindings } from "./problems.ts";
import { followFolder, loadSample, render } from "./server.ts";
import { runTests } from "./tests-panel.ts";
import { chosenRequest, chosenSample, followSwitches, updateSwitches } from "./switches.ts";

/** Typing renders when the author pauses this long. */
const typingPauseMs = 150;

const download = byId("download", HTMLAnchorElement);
const status = byId("status", HTMLElement);
let state: FolderState | null = null;
let result: RenderResult | null = null;
let shownData = "";
let testedRevision = 0;
let typing: number | undefined;
let running = new AbortController();

const panel = new DataPanel(
  () => {
    clearTimeout(typing);
    typing = setTimeout(startRender, typingPauseMs);
  },
  () => void loadData(true),
);

followSwitches(startRender, () => void loadData(true));
followZoom(byId("zoom", HTMLSelectElement));
followFolder(
  (next) => void onState(next),
  (isConnected) => (byId("connection", HTMLElement).hidden = isConnected),
);

async function onState(next: FolderState): Promise<void> {
  state = next;
  byId("tests-state", HTMLElement).textContent = "Tests";
  const { template, folder, problems } = next;
  document.title = template ? `${template.title} – ${folder}` : folder;
  byId("title", HTMLElement).textContent = template?.title ?? folder;
  if (template) updateSwitches(template);
  if (problems.length > 0) showState();
  // A page that is opened while the folder is broken shows the last version that was not.
  if (problems.length === 0 || (template && !result)) startRender();
  await loadData(false);
}

/** Shows the data of the chosen sample if it has changed. Edits are discarded only if `isForced` is true. */
async function loadData(isForced: boolean): Promise<void> {
  const template = state?.template;
  if (!template) return;
  const file = chosenSample();
  const digest = template.samples.find((sample) => sample.file === file)?.digest ?? "";
  const wanted = `${file}\n${digest}`;
  if (!isForced && wanted === shownData) return;
  shownData = wanted;
  if (panel.edited && !isForced) return;
  const data = await loadSample(file);
  if (wanted !== shownData) return;
  panel.load(file, data ?? {});
  if (isForced) startRender();
}

/** Ends the render that is in progress, so the last request always wins. */
function startRender(): void {
  running.abort();
  running = new AbortController();
  void renderNow(running.signal);
}

async function renderNow(signal: AbortSignal): Promise<void> {
  try {
    const { edited } = panel;
    const rendered = await render({ ...chosenRequest(), ...(edited ? { data: edited } : {}) }, signal);
    if (rendered.result.status === "rendered" && rendered.file) await show(rendered.result, rendered.file, signal);
    if (signal.aborted) return;
    result = rendered.result;
    showState();
    // The document comes first.
    if (result.revision !== testedRevision) runTests();
    testedRevision = result.revision;
  } catch (error) {
    if (!signal.aborted) status.textContent = `The document cannot be shown: ${String(error)}`;
  }
}

async function show(rendered: Rendered, file: Blob, signal: AbortSignal): Promise<void> {
  await showDocument(file, rendered.width, signal);
  await painted();
  if (signal.aborted) return;
  URL.revokeObjectURL(download.href);
  download.href = URL.createObjectURL(file);
  download.download = `${state?.folder ?? "document"}.${extensionOfFile(file)}`;
  download.hidden = false;
  status.textContent = summary(rendered, file.size);
}

function extensionOfFile({ type }: Blob): string {
  return extensionOf(documentFormats.find((format) => contentTypeOf(format) === type) ?? "pdf");
}

function showState(): void {
  if (!state) return;
  const hasProblems = state.problems.length > 0;
  showFindings({ state, result: hasProblems ? null : result });
  const isStale = hasProblems || result?.status === "failed";
  byId("pages", HTMLElement).classList.toggle("stale", isStale);
  if (!result) status.textContent = "There is no document yet.";
  // For tests: what is shown.
  const { dataset } = document.documentElement;
  dataset["revision"] = String(isStale ? state.revision : (result?.revision ?? 0));
  dataset["shown"] = isStale ? "problems" : "document";
}

function summary({ pageCount, totalMs, browserMs, browserVersion }: Rendered, bytes: number): string {
  const pages = pageCount === 1 ? "1 page" : `${pageCount} pages`;
  const time = `rendered in ${Math.round(totalMs)} ms (browser ${Math.round(browserMs)} ms)`;
  return `${pages} · ${fileSize(bytes)} · ${time} · ${browserVersion}`;
}
