// The page's requests to its server.
import type { FolderState, RenderRequest, RenderResult } from "../src/dev/messages.ts";

/**
 * Calls `onState` with the folder's state, immediately and after each change. Reconnects by itself. Returns a function that ends it.
 */
export function followFolder(
  onState: (state: FolderState) => void,
  onConnection: (isConnected: boolean) => void,
): () => void {
  const events = new EventSource("/events");
  events.addEventListener("message", ({ data }) => onState(JSON.parse(String(data)) as FolderState));
  events.addEventListener("open", () => onConnection(true));
  events.addEventListener("error", () => onConnection(false));
  return () => events.close();
}

/** Returns a sample's data; null if it no longer exists or has problems. */
export async function loadSample(file: string): Promise<Record<string, unknown> | null> {
  const response = await fetch(`/sample?${new URLSearchParams({ file })}`);
  return (await response.json()) as Record<string, unknown> | null;
}

/** `file` is null if the document could not be rendered. Rejects if the server cannot be reached or the signal is aborted. */
export async function renderDocument(
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
