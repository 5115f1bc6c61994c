// The account's documents, with the API's filters. The filters are in the address, so a filtered list can be bookmarked.
import { counted } from "colophon-base/text";
import { documentFormats } from "colophon-page/document-format";
import { Select } from "colophon-ui/select";
import { problemOf } from "../api.ts";
import { useConsole, type Console, type DocumentRecord } from "../console.ts";
import { shortId } from "../format.ts";
import { ActionForm, Badge, Field, TemplateLink, Time } from "../parts/parts.tsx";
import { List, type Column } from "../parts/table.tsx";
import type { Query } from "../route.ts";

const documentStatuses: DocumentRecord["status"][] = ["processing", "completed", "failed"];

export function Documents({ query }: { query: Record<string, string> }) {
  const { api, link, canRender } = useConsole();
  const isFiltered = Object.keys(query).length > 0;
  return (
    <>
      <h1>Documents</h1>
      <Filters key={JSON.stringify(query)} query={query} />
      <List
        read={(input) => api.call("GET /documents", input)}
        name="documents"
        query={query}
        columns={documentColumns(link)}
        empty={
          isFiltered ? (
            "No document matches the filters."
          ) : (
            <>
              There are no documents yet.{" "}
              {canRender && <a href={link(["templates"])}>Open a template and render one,</a>} or send{" "}
              <code>POST /documents</code>; <a href="/docs">the API reference</a> shows how.
            </>
          )
        }
      />
    </>
  );
}

export function documentColumns(link: Console["link"]): Column<DocumentRecord>[] {
  return [
    {
      label: "Document",
      cell: ({ id, filename, metadata }) => (
        <>
          <a class="clamped" href={link(["documents", id])}>
            {filename ?? shortId(id)}
          </a>
          <small class="quiet clamped">
            {Object.entries(metadata)
              .map(([name, value]) => `${name}: ${value}`)
              .join(", ")}
          </small>
        </>
      ),
    },
    { label: "Status", cell: ({ status }) => <Badge of={status} /> },
    {
      label: "Result",
      cell: ({ error, warnings, pageCount, format }) => (
        <span class="clamped">
          {error?.message ?? `${format.toUpperCase()}${pageCount === null ? "" : `, ${counted(pageCount, "page")}`}`}
          {warnings.length > 0 && <span class="quiet">, {counted(warnings.length, "warning")}</span>}
        </span>
      ),
    },
    {
      label: "Template",
      cell: (document) => <TemplateLink id={document.templateId} version={document.templateVersion} />,
    },
    { label: "Created", cell: ({ createdAt }) => <Time at={createdAt} /> },
  ];
}

function Filters({ query }: { query: Record<string, string> }) {
  const { templates, link } = useConsole();
  const chosen = query["templateId"] ?? "";
  const options = templates.map(({ id, folder }) => ({ value: id, label: folder }));
  if (chosen !== "" && !templates.some(({ id }) => id === chosen)) options.push({ value: chosen, label: chosen });
  const [metadata = "", value = ""] = Object.entries(query).find(([name]) => name.startsWith("metadata[")) ?? [];
  const submit = async (form: HTMLFormElement) => {
    const { metadataKey, metadataValue, ...plain } = Object.fromEntries(new FormData(form)) as Query;
    if (metadataKey && !metadataValue) throw problemOf("INCOMPLETE", "Also give a value for the metadata key.");
    const condition = metadataKey ? { [`metadata[${metadataKey}]`]: metadataValue } : {};
    location.hash = link(["documents"], { ...plain, ...condition, batchId: query["batchId"] });
  };
  return (
    <ActionForm label="Filter" submit={submit}>
      <Field label="Status">
        <Select name="status" any="any" options={documentStatuses} value={query["status"]} />
      </Field>
      <Field label="Format">
        <Select name="format" any="any" options={documentFormats} value={query["format"]} />
      </Field>
      <Field label="Template">
        <Select name="templateId" any="any" options={options} value={chosen} />
      </Field>
      <Field label="From (UTC)">
        <input type="date" name="createdAfter" defaultValue={query["createdAfter"]} />
      </Field>
      <Field label="Before (UTC)">
        <input type="date" name="createdBefore" defaultValue={query["createdBefore"]} />
      </Field>
      <Field label="Metadata key">
        <input name="metadataKey" size={10} defaultValue={metadata.slice(9, -1)} />
      </Field>
      <Field label="Metadata value">
        <input name="metadataValue" size={10} defaultValue={value} />
      </Field>
      {Object.keys(query).length > 0 && <a href={link(["documents"])}>Show all</a>}
    </ActionForm>
  );
}
