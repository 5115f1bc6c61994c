// Renders the template with data that the reader edits as a form or as JSON.
import { useState } from "preact/hooks";
import type { Template as TemplateDetail } from "colophon-client";
import type { DocumentRequests, TemplateRecord } from "colophon-client/manage";
import { documentFormats, extensionOf } from "colophon-page/document-format";
import { DataEditor, type Data } from "colophon-ui/data-editor";
import { Select } from "colophon-ui/select";
import { apiAt, problemOf } from "../api.ts";
import { useConsole, type DocumentRecord } from "../console.ts";
import { shortId } from "../format.ts";
import { useLoad } from "../load.ts";
import { FileView } from "../parts/file-view.tsx";
import { ActionForm, Field, Loaded } from "../parts/parts.tsx";
import { testKeyOfTab } from "./test-key.ts";

const liveKey = "my live key";

type Rendered = { file: Blob; document: DocumentRecord };

/** The edits are stored outside, so that they outlive the preview. */
export type Editing = { edited: Data | null; setEdited: (data: Data | null) => void };

type Props = { template: TemplateRecord; editing: Editing };

export function Preview({ template, editing }: Props) {
  const { api } = useConsole();
  const path = { id: template.id };
  const detail = useLoad(template.id, (signal) => api.call("GET /templates/{id}", { path, signal }));
  return <Loaded of={detail}>{(loaded) => <Editor template={template} editing={editing} detail={loaded} />}</Loaded>;
}

function Editor({ template, editing: { edited, setEdited }, detail }: Props & { detail: TemplateDetail }) {
  const { session, manage } = useConsole();
  const [isValid, setValid] = useState(true);
  const [countsRender, setCountsRender] = useState(false);
  const [rendered, setRendered] = useState<Rendered | null>(null);
  const usesTestKey = session.kind === "live" && !countsRender;
  const render = async (form: HTMLFormElement) => {
    setRendered(null);
    if (!isValid) throw problemOf("INVALID_JSON", "The data is not valid JSON; see the message above it.");
    const api = apiAt<DocumentRequests>("/api/v1", usesTestKey ? await testKeyOfTab(manage) : session.key);
    const body = { templateId: template.id, data: edited ?? detail.sampleData, ...choicesIn(form) };
    const document = await api.call("POST /documents", { body });
    const { blob } = await api.file("GET /documents/{id}/download", { path: { id: document.id } });
    setRendered({ document, file: blob });
  };
  return (
    <div class="preview">
      <div>
        <ActionForm label="Render" submit={render}>
          <Field label="Format">
            <Select name="format" options={documentFormats} />
          </Field>
          <Field label="Version">
            <Select name="version" any={`newest (${template.version})`} options={earlierVersions(template.version)} />
          </Field>
          <Field label="Language">
            <input name="locale" size={6} maxLength={35} placeholder={detail.locale} />
          </Field>
          {session.kind === "live" && (
            <Field label="Key">
              <Select options={["a test key", liveKey]} onValue={(key) => setCountsRender(key === liveKey)} />
            </Field>
          )}
        </ActionForm>
        <p class="quiet">
          {countsRender
            ? "This render counts against the monthly allowance, and the document is kept."
            : "The document has a watermark, does not count, and is removed after a day. The limit is 100 a day."}
        </p>
      </div>
      <DataEditor
        fields={detail.fields}
        sample={detail.sampleData}
        edited={edited}
        onChange={(next, isValid) => {
          setEdited(next);
          setValid(isValid);
        }}
      />
      <div class="result" aria-live="polite">
        {rendered && <Result rendered={rendered} template={template} isListed={!usesTestKey} />}
        {!rendered && <p class="empty">“Render” shows the document with this data here.</p>}
      </div>
    </div>
  );
}

function choicesIn(form: HTMLFormElement) {
  const { format, version, locale } = Object.fromEntries(new FormData(form));
  return {
    format: documentFormats.find((known) => known === format),
    ...(version && { templateVersion: Number(version) }),
    ...(locale && { locale: String(locale) }),
  };
}

type ResultProps = { rendered: Rendered; template: TemplateRecord; isListed: boolean };

function Result({ rendered: { document, file }, template, isListed }: ResultProps) {
  const { link } = useConsole();
  return (
    <>
      {document.warnings.map((warning) => (
        <p key={warning} class="notice warning">
          {warning}
        </p>
      ))}
      <FileView file={file} name={`${template.folder}.${extensionOf(document.format)}`} />
      {isListed && <a href={link(["documents", document.id])}>Document {shortId(document.id)}</a>}
    </>
  );
}

function earlierVersions(newest: number): string[] {
  return Array.from({ length: Math.min(newest - 1, 50) }, (_, index) => String(newest - 1 - index));
}
