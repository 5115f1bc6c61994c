// The list of batches, and the page of a batch: its progress, its failed items, and its results.
import type { Batch as BatchRecord, BatchResult } from "colophon-client";
import { fileSize } from "colophon-ui/file-size";
import { useConsole, type Console } from "../console.ts";
import { numberText, shortId } from "../format.ts";
import { useEvery, useLoad } from "../load.ts";
import { saveFile } from "../parts/file-view.tsx";
import { ActionButton, Badge, Loaded, Properties, TemplateLink, Time } from "../parts/parts.tsx";
import { List, Table, type Column } from "../parts/table.tsx";

const maxListed = 200;

export function Batches({ query }: { query: Record<string, string> }) {
  const { api, link } = useConsole();
  return (
    <>
      <h1>Batches</h1>
      <List
        read={(input) => api.call("GET /batches", input)}
        name="batches"
        query={query}
        columns={batchColumns(link)}
        empty={
          <>
            There are no batches. <code>POST /batches</code> renders up to 10,000 documents of one template;{" "}
            <a href="/docs">the API reference</a> shows how.
          </>
        }
      />
    </>
  );
}

export function batchColumns(link: Console["link"]): Column<BatchRecord>[] {
  return [
    { label: "Batch", cell: ({ id }) => <a href={link(["batches", id])}>{shortId(id)}</a> },
    { label: "Status", cell: ({ status }) => <Badge of={status} /> },
    { label: "Items", cell: (batch) => <Progress batch={batch} /> },
    { label: "Template", cell: (batch) => <TemplateLink id={batch.templateId} version={batch.templateVersion} /> },
    { label: "Created", cell: ({ createdAt }) => <Time at={createdAt} /> },
  ];
}

function Progress({ batch: { counts } }: { batch: BatchRecord }) {
  const { total, processing, completed, failed, canceled } = counts;
  return (
    <span class="actions">
      <progress max={total} value={total - processing} aria-label="Items that have ended" />
      <span>
        {numberText(completed)} of {numberText(total)} completed
        {failed > 0 && <span class="failed">, {numberText(failed)} failed</span>}
        {canceled > 0 && `, ${numberText(canceled)} canceled`}
      </span>
    </span>
  );
}

export function Batch({ id }: { id: string }) {
  const { api } = useConsole();
  const batch = useLoad(id, (signal) => api.call("GET /batches/{id}", { path: { id }, signal }));
  const isRunning = batch.state.status === "loaded" && batch.state.value.status !== "ended";
  useEvery(2_000, isRunning, batch.reload);
  return (
    <Loaded of={batch} heading="Batch">
      {(found) => (
        <>
          <h1>Batch {shortId(found.id)}</h1>
          <p class="actions">
            <Badge of={found.status} /> <Progress batch={found} />
          </p>
          <Actions batch={found} reload={batch.reload} />
          <About batch={found} />
          <h2>Failed items</h2>
          <FailedItems key={`${found.status} ${found.counts.failed > 0}`} batch={found} />
        </>
      )}
    </Loaded>
  );
}

function About({ batch }: { batch: BatchRecord }) {
  const { api, link } = useConsole();
  /** The links to private files may have ended while the page was open. */
  const open = (index: number) => async () => {
    const { files } = await api.call("GET /batches/{id}", { path: { id: batch.id } });
    window.open(files[index]?.url, "_blank", "noopener,noreferrer");
  };
  const files = batch.files.map(({ url, pageCount, fileSize: bytes, linkExpiresAt }, index) => {
    const about = `${numberText(pageCount)} pages, ${fileSize(bytes)}`;
    const publicLink = (
      <a href={url} target="_blank" rel="noopener noreferrer">
        {about}
      </a>
    );
    const privateLink = <ActionButton work={open(index)}>{`Open (${about})`}</ActionButton>;
    return [`Merged file ${index + 1}`, linkExpiresAt === undefined ? publicLink : privateLink];
  });
  return (
    <Properties
      of={{
        Id: <code>{batch.id}</code>,
        Access: batch.access ?? null,
        Template: <TemplateLink id={batch.templateId} version={batch.templateVersion} />,
        Documents: <a href={link(["documents"], { batchId: batch.id })}>Show them</a>,
        Created: <Time at={batch.createdAt} />,
        Ended: batch.endedAt && <Time at={batch.endedAt} />,
        Expires: <Time at={batch.expiresAt} />,
        ...Object.fromEntries(files),
      }}
    />
  );
}

function Actions({ batch: { id, status }, reload }: { batch: BatchRecord; reload: () => void }) {
  const { api, link } = useConsole();
  const cancel = async () => {
    await api.call("POST /batches/{id}/cancel", { path: { id } });
    reload();
  };
  const remove = async () => {
    await api.call("DELETE /batches/{id}", { path: { id } });
    location.hash = link(["batches"]);
  };
  const save = async () => {
    const { blob } = await api.file("GET /batches/{id}/results", { path: { id } });
    saveFile(blob, `batch-${id}.ndjson`);
  };
  return (
    <p class="actions">
      <ActionButton work={save}>Download the results</ActionButton>
      {status === "processing" && (
        <ActionButton work={cancel} question="Cancel the items that have not been rendered?">
          Cancel
        </ActionButton>
      )}
      {status === "ended" && (
        <ActionButton work={remove} question="Delete the batch? Its documents stay.">
          Delete
        </ActionButton>
      )}
    </p>
  );
}

function FailedItems({ batch: { id, counts } }: { batch: BatchRecord }) {
  const { api, link } = useConsole();
  const failed = useLoad(id, async (signal) => {
    if (counts.failed === 0) return [];
    // NDJSON: one JSON object on each line.
    const { blob } = await api.file("GET /batches/{id}/results", { path: { id }, signal });
    const lines = (await blob.text()).split("\n");
    const results = lines.filter((line) => line !== "").map((line) => JSON.parse(line) as BatchResult);
    return results.filter(({ status }) => status === "failed").slice(0, maxListed);
  });
  const columns: Column<BatchResult>[] = [
    { label: "Item", isNumber: true, cell: ({ index }) => index },
    { label: "customId", cell: ({ customId }) => <span class="clamped">{customId ?? "–"}</span> },
    { label: "Reason", cell: ({ error }) => <span class="text">{error?.message ?? "–"}</span> },
    {
      label: "Document",
      cell: ({ documentId }) => documentId && <a href={link(["documents", documentId])}>{shortId(documentId)}</a>,
    },
  ];
  return (
    <Loaded of={failed}>
      {(items) => (
        <>
          {items.length > 0 && (
            <Table caption="Failed items" items={items} keyOf={({ index }) => index} columns={columns} />
          )}
          <p class="quiet">
            {counts.failed === 0 && "No item has failed."}
            {counts.failed > items.length && `The results contain all ${numberText(counts.failed)}.`}
          </p>
        </>
      )}
    </Loaded>
  );
}
