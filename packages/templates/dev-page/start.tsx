// The page of `template dev`: follows the folder, renders after each change, and shows the document or the problems.
import { render } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { contentTypeOf, documentFormats, extensionOf } from "colophon-page/document-format";
import { DataEditor, type Data } from "colophon-ui/data-editor";
import { fileSize } from "colophon-ui/file-size";
import { Select } from "colophon-ui/select";
import type { FolderState, Rendered, RenderRequest, RenderResult } from "../src/dev/messages.ts";
import { DocumentPages, painted, showDocument } from "./document-view.tsx";
import { Findings, Overlay, type Shown, Tests } from "./panels.tsx";
import { requestOf, sampleOf, Switches, type Choices } from "./switches.tsx";

/** Edited data is rendered after the author has paused for this long. */
const typingPauseMs = 150;

const factors = [0.5, 0.75, 1, 1.5, 2, 3].map((factor) => ({ value: String(factor), label: `${factor * 100} %` }));

function App() {
  const [state, setState] = useState<FolderState | null>(null);
  const [isConnected, setConnected] = useState(true);
  const [choices, setChoices] = useState<Choices>({});
  const [edited, setEdited] = useState<Data | null>(null);
  const [zoom, setZoom] = useState("");
  useEffect(() => followFolder(setState, setConnected), []);
  const template = state?.template ?? null;
  const sampleFile = sampleOf(template, choices);
  const sample = useSample(sampleFile, template?.samples.find(({ file }) => file === sampleFile)?.digest);
  const { shown, status, file } = useDocument(state, choices, edited);
  const folder = state?.folder ?? "Template";
  const isStale = shown !== null && (shown.state.problems.length > 0 || shown.result?.status === "failed");
  useLayoutEffect(() => {
    document.title = template ? `${template.title} – ${folder}` : folder;
    // For tests.
    const revision = isStale ? shown.state.revision : (shown?.result?.revision ?? 0);
    Object.assign(document.documentElement.dataset, { revision, shown: isStale ? "problems" : shown && "document" });
  });
  return (
    <>
      <header>
        <h1>{template?.title ?? folder}</h1>
        <Switches
          template={template}
          onChange={(chosen) => {
            if (chosen["sample"] !== sampleFile) setEdited(null);
            setChoices(chosen);
          }}
        />
        <Select id="zoom" aria-label="Zoom" any="Fit" options={factors} onValue={setZoom} />
        {file && <Download file={file} name={folder} />}
      </header>
      <DocumentPages zoom={zoom} isStale={isStale} />
      {shown && isStale && <Overlay of={shown} />}
      <aside>
        <Findings of={shown} />
        <details name="panel">
          <summary id="show-data">Data</summary>
          {edited && <p id="edited">Edited here; {sample.file} is unchanged.</p>}
          <DataEditor
            key={sample.file}
            fields={template?.fields ?? []}
            sample={sample.data}
            edited={edited}
            onChange={setEdited}
          />
        </details>
        <Tests revision={state?.revision ?? 0} rendered={shown?.result?.revision ?? 0} />
      </aside>
      <footer>
        <span id="status">{status || (isStale ? "There is no document yet." : "Starting…")}</span>
        {!isConnected && <span id="connection">Not connected. Is the command still running?</span>}
      </footer>
    </>
  );
}

/** Loads the sample's data again after its digest has changed. */
function useSample(file: string, digest: string | undefined): { file: string; data: Data } {
  const [sample, setSample] = useState<{ file: string; data: Data }>({ file, data: {} });
  useEffect(() => {
    let isCurrent = digest !== undefined;
    if (isCurrent) void loadSample(file).then((data) => isCurrent && setSample({ file, data: data ?? {} }));
    return () => void (isCurrent = false);
  }, [file, digest]);
  return sample;
}

/** Renders after each change. The last document and its problems stay until the new ones can be displayed. */
function useDocument(state: FolderState | null, choices: Choices, edited: Data | null) {
  const [shown, setShown] = useState<Shown | null>(null);
  const [status, setStatus] = useState("");
  const [file, setFile] = useState<Blob | null>(null);
  const [latest, revision] = [useRef(state), useRef(0)];
  latest.current = state;
  const isBroken = state !== null && state.problems.length > 0;
  // If the page is opened while the folder has problems, it shows the last valid version.
  if (state?.template && (!isBroken || !shown?.result)) revision.current = state.revision;
  useEffect(() => {
    if (isBroken) setShown((before) => ({ state, result: before?.result ?? null }));
  }, [state]);
  useEffect(() => {
    if (revision.current === 0) return;
    const running = new AbortController();
    const { signal } = running;
    const renderNow = async () => {
      const request = { ...requestOf(latest.current?.template ?? null, choices), ...(edited && { data: edited }) };
      const { result, file } = await renderDocument(request, signal);
      if (result.status === "rendered" && file) {
        await showDocument(file, result.width, signal);
        await painted();
      }
      if (signal.aborted || !latest.current) return;
      setShown({ state: latest.current, result });
      if (result.status !== "rendered" || !file) return;
      setFile(file);
      setStatus(summary(result, file.size));
    };
    const fail = (error: unknown) => signal.aborted || setStatus(`The document cannot be shown: ${String(error)}`);
    const timer = setTimeout(() => void renderNow().catch(fail), edited ? typingPauseMs : 0);
    return () => {
      clearTimeout(timer);
      running.abort();
    };
  }, [revision.current, choices, edited]);
  return { shown, status, file };
}

function summary({ pageCount, totalMs, browserMs, browserVersion }: Rendered, bytes: number): string {
  const pages = pageCount === 1 ? "1 page" : `${pageCount} pages`;
  const time = `rendered in ${Math.round(totalMs)} ms (browser ${Math.round(browserMs)} ms)`;
  return `${pages} · ${fileSize(bytes)} · ${time} · ${browserVersion}`;
}

function Download({ file, name }: { file: Blob; name: string }) {
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    const url = URL.createObjectURL(file);
    if (link.current) link.current.href = url;
    return () => URL.revokeObjectURL(url);
  }, [file]);
  const extension = extensionOf(documentFormats.find((format) => contentTypeOf(format) === file.type) ?? "pdf");
  return (
    <a ref={link} id="download" class="button" download={`${name}.${extension}`}>
      Download
    </a>
  );
}

render(<App />, document.body);

/**
 * Calls `onState` with the folder's state, immediately and after each change. Reconnects by itself. Returns a function that ends it.
 */
function followFolder(onState: (state: FolderState) => void, onConnection: (isConnected: boolean) => void): () => void {
  const events = new EventSource("/events");
  events.addEventListener("message", ({ data }) => onState(JSON.parse(String(data)) as FolderState));
  events.addEventListener("open", () => onConnection(true));
  events.addEventListener("error", () => onConnection(false));
  return () => events.close();
}

/** Returns a sample's data; null if it no longer exists or has problems. */
async function loadSample(file: string): Promise<Record<string, unknown> | null> {
  const response = await fetch(`/sample?${new URLSearchParams({ file })}`);
  return (await response.json()) as Record<string, unknown> | null;
}

/** `file` is null if the document could not be rendered. Rejects if the server cannot be reached or the signal is aborted. */
async function renderDocument(
  request: RenderRequest,
  signal: AbortSignal,
): Promise<{ result: RenderResult; file: Blob | null }> {
  const headers = { "Content-Type": "application/json" };
  const response = await fetch("/render", { method: "POST", headers, body: JSON.stringify(request), signal });
  if (!response.ok) return { result: refused(await response.text()), file: null };
  const form = await response.formData();
  const file = form.get("file");
  return { result: JSON.parse(String(form.get("result"))) as RenderResult, file: file instanceof Blob ? file : null };
}

function refused(message: string): RenderResult {
  return { status: "failed", revision: 0, message, details: [], problems: [] };
}
