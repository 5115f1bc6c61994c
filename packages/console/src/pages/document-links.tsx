// The links to the file of a document, which are made on request, because a link can end while the page is open, and the recorded downloads.
import { useState } from "preact/hooks";
import type { Download, FileLink } from "colophon-client";
import { Select } from "colophon-ui/select";
import { useConsole } from "../console.ts";
import { useLoad } from "../load.ts";
import { ActionButton, ActionForm, CopyButton, Field, Time } from "../parts/parts.tsx";
import { Table, type Column } from "../parts/table.tsx";

const day = 24 * 3_600;
const durations = [
  { label: "15 minutes", value: "900" },
  { label: "1 hour", value: "3600" },
  { label: "1 day", value: String(day) },
  { label: "7 days", value: String(7 * day) },
];

export function Links({ id }: { id: string }) {
  const { api } = useConsole();
  const [made, setMade] = useState<FileLink | "ended" | null>(null);
  const path = { id };
  const create = async (form: HTMLFormElement) => {
    const expiresIn = Number(new FormData(form).get("expiresIn"));
    setMade(await api.call("POST /documents/{id}/links", { path, body: { expiresIn } }));
  };
  const end = async () => {
    await api.call("DELETE /documents/{id}/links", { path });
    setMade("ended");
  };
  return (
    <>
      <h2>Links</h2>
      <p class="quiet">A link opens the file without a key until it ends.</p>
      <ActionForm label="New link" submit={create}>
        <Field label="Valid for">
          <Select name="expiresIn" options={durations} />
        </Field>
      </ActionForm>
      <p class="actions">
        <ActionButton work={end} question="End all links to this file?">
          End links
        </ActionButton>
      </p>
      <div role="status">
        {made === "ended" && <p class="notice success">All links that existed have ended.</p>}
        {made !== null && made !== "ended" && (
          <div class="notice success">
            <p>
              Valid until <Time at={made.expiresAt} /> <CopyButton key={made.url} text={made.url} />
            </p>
            <p>
              <a href={made.url} target="_blank" rel="noopener noreferrer">
                {made.url}
              </a>
            </p>
          </div>
        )}
      </div>
    </>
  );
}

const columns: Column<Download>[] = [
  { label: "Time", cell: ({ at }) => <Time at={at} /> },
  { label: "By", cell: ({ via, keyId }) => (keyId === null ? `a ${via}` : <code>{keyId}</code>) },
  { label: "Country", cell: ({ country }) => country ?? "–" },
];

/** Shows nothing if no download has been recorded, or if the key may not read the list. */
export function Downloads({ id }: { id: string }) {
  const { api } = useConsole();
  const path = { id };
  const { state } = useLoad(id, (signal) =>
    api.call("GET /documents/{id}/downloads", { path, query: { limit: 100 }, signal }),
  );
  if (state.status !== "loaded" || state.value.downloads.length === 0) return null;
  const { downloads, pagination } = state.value;
  return (
    <>
      <h2>Downloads</h2>
      <Table caption="Downloads" items={downloads} keyOf={({ at, keyId }) => `${at} ${keyId}`} columns={columns} />
      {pagination.nextCursor && <p class="quiet">These are the last {downloads.length}.</p>}
    </>
  );
}
