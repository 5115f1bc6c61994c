// One document: its file or the reason for its failure, and the state of its webhook.
import { unzipSync } from "fflate";
import { extensionOf } from "colophon-page/document-format";
import { excerpt } from "colophon-ui/excerpt";
import { fileSize } from "colophon-ui/file-size";
import { SourceLines } from "colophon-ui/finding";
import { useConsole, type DocumentRecord } from "../console.ts";
import { shortId } from "../format.ts";
import { useEvery, useLoad } from "../load.ts";
import { FileView } from "../parts/file-view.tsx";
import { ActionButton, Badge, Details, Loaded, Properties, TemplateLink, Time } from "../parts/parts.tsx";
import { Downloads, Links } from "./document-links.tsx";
import { WebhookAttempts } from "./webhook.tsx";

export function Document({ id }: { id: string }) {
  const { api, canRender } = useConsole();
  const document = useLoad(id, (signal) => api.call("GET /documents/{id}", { path: { id }, signal }));
  const isProcessing = document.state.status === "loaded" && document.state.value.status === "processing";
  useEvery(2_000, isProcessing, document.reload);
  return (
    <Loaded of={document} heading="Document">
      {(found) => (
        <>
          <h1 class="clamped">{found.filename ?? `Document ${shortId(found.id)}`}</h1>
          <p class="actions">
            <Badge of={found.status} /> {found.isTest && <Badge of="test" />} <Delete document={found} />
          </p>
          <Outcome document={found} />
          <h2>About</h2>
          <About document={found} />
          {found.status === "completed" && canRender && <Links id={found.id} />}
          <Downloads id={found.id} />
          <h2>Webhook</h2>
          <Webhooks id={found.id} />
        </>
      )}
    </Loaded>
  );
}

function Outcome({ document }: { document: DocumentRecord }) {
  const { error, warnings, status } = document;
  return (
    <>
      {error && (
        <div class="notice problem">
          <p>
            <strong>{error.code}</strong> {error.message}
          </p>
          <Details of={error.details ?? []} />
          <TemplateLine document={document} />
        </div>
      )}
      {warnings.map((warning) => (
        <p key={warning} class="notice warning">
          {warning}
        </p>
      ))}
      {status === "processing" && <p class="quiet">The render has not ended. This page updates automatically.</p>}
      {status === "completed" && <File document={document} />}
    </>
  );
}

/** Shows the template line that an error message names, in the version that was rendered. */
function TemplateLine({ document: { templateId, templateVersion, error } }: { document: DocumentRecord }) {
  const { manage } = useConsole();
  const [, file = "", line] = /([\w./-]+), line (\d+)/.exec(error?.message ?? "") ?? [];
  const files = useLoad(templateId, async (signal) => {
    if (line === undefined) return {};
    const path = { template: templateId, version: templateVersion };
    const { blob } = await manage.file("GET /templates/{template}/versions/{version}/files", { path, signal });
    return unzipSync(new Uint8Array(await blob.arrayBuffer()));
  });
  // The template may have been deleted, or the key may not be allowed to read it.
  if (files.state.status !== "loaded" || line === undefined) return null;
  const source = excerpt(files.state.value[file], Number(line));
  return <SourceLines path={file} line={Number(line)} source={source} />;
}

function File({ document: { id, filename, format } }: { document: DocumentRecord }) {
  const { api } = useConsole();
  const file = useLoad(id, (signal) => api.file("GET /documents/{id}/download", { path: { id }, signal }));
  const name = filename ?? `document-${id}.${extensionOf(format)}`;
  return <Loaded of={file}>{({ blob }) => <FileView file={blob} name={name} />}</Loaded>;
}

function About({ document }: { document: DocumentRecord }) {
  const { link } = useConsole();
  const { access = null, batchId, fileUrl, width, height, pixelWidth, pixelHeight } = document;
  const publicUrl = access === null ? fileUrl : null;
  return (
    <Properties
      of={{
        Id: <code>{document.id}</code>,
        Created: <Time at={document.createdAt} />,
        Completed: document.completedAt && <Time at={document.completedAt} />,
        Expires: <Time at={document.expiresAt} none="never" />,
        Template: <TemplateLink id={document.templateId} version={document.templateVersion} />,
        Batch: batchId && <a href={link(["batches", batchId])}>{shortId(batchId)}</a>,
        Pages: document.pageCount,
        "Page size": `${width} × ${height ?? "auto"} px`,
        "Image size": pixelWidth && `${pixelWidth} × ${pixelHeight} px`,
        "File size": document.fileSize && fileSize(document.fileSize),
        "SHA-256": document.sha256 && <code>{document.sha256}</code>,
        Access: access,
        "Public URL": publicUrl && (
          <a href={publicUrl} target="_blank" rel="noopener noreferrer">
            {publicUrl}
          </a>
        ),
        ...Object.fromEntries(Object.entries(document.metadata).map(([name, value]) => [`Metadata ${name}`, value])),
      }}
    />
  );
}

function Webhooks({ id }: { id: string }) {
  const { manage, link } = useConsole();
  const query = { documentId: id };
  const webhooks = useLoad(id, (signal) => manage.call("GET /webhooks", { query, signal }));
  return (
    <Loaded of={webhooks}>
      {({ webhooks }) => (
        <>
          {webhooks.length === 0 && (
            <p class="empty">
              None was sent. If a document's request has a webhookUrl, a webhook is sent when the render has ended.
            </p>
          )}
          {webhooks.map((webhook) => (
            <div key={webhook.id}>
              <p class="clamped">
                <Badge of={webhook.status} /> <a href={link(["webhooks", webhook.id])}>{webhook.url}</a>
              </p>
              <WebhookAttempts webhook={webhook} />
            </div>
          ))}
        </>
      )}
    </Loaded>
  );
}

function Delete({ document: { id, status } }: { document: DocumentRecord }) {
  const { api, link } = useConsole();
  const work = async () => {
    await api.call("DELETE /documents/{id}", { path: { id } });
    location.hash = link(["documents"]);
  };
  const [verb, question] =
    status === "processing" ? ["Cancel", "Cancel this render?"] : ["Delete", "Delete the document and its file?"];
  return (
    <ActionButton work={work} question={question}>
      {verb}
    </ActionButton>
  );
}
