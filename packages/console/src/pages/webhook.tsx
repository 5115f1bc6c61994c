// A webhook: its payload, its attempts, and a button that resends it.
import type { DataOf, AccountRequests, WebhookRecord } from "colophon-client/manage";
import { useConsole } from "../console.ts";
import { numberText, shortId } from "../format.ts";
import { useEvery, useLoad } from "../load.ts";
import { ActionButton, Badge, Loaded, Properties, Time } from "../parts/parts.tsx";
import { Table, type Column } from "../parts/table.tsx";

export function Webhook({ id }: { id: string }) {
  const { manage, link } = useConsole();
  const path = { webhook: id };
  const webhook = useLoad(id, (signal) => manage.call("GET /webhooks/{webhook}", { path, signal }));
  const isPending = webhook.state.status === "loaded" && webhook.state.value.status === "pending";
  useEvery(2_000, isPending, webhook.reload);
  const redeliver = async () => {
    await manage.call("POST /webhooks/{webhook}/redeliver", { path });
    webhook.reload();
  };
  const subject = ({ payload, documentId }: DataOf<AccountRequests["GET /webhooks/{webhook}"]>) => {
    const page = String(payload["type"]).startsWith("batch.") ? "batches" : "documents";
    return <a href={link([page, documentId])}>{shortId(documentId)}</a>;
  };
  return (
    <Loaded of={webhook} heading="Webhook">
      {(found) => (
        <>
          <h1>Webhook</h1>
          <p class="actions">
            <Badge of={found.status} /> <ActionButton work={redeliver}>Send again</ActionButton>
          </p>
          <Properties
            of={{
              URL: found.url,
              Id: <code>{found.id}</code>,
              About: subject(found),
              Created: <Time at={found.createdAt} />,
              "Next attempt": <Time at={found.nextAttemptAt} none="none" />,
              Attempts: numberText(found.attempts),
            }}
          />
          <h2>Last attempts</h2>
          <WebhookAttempts webhook={found} />
          <h2>Payload</h2>
          <pre tabIndex={0}>{JSON.stringify(found.payload, null, 2)}</pre>
        </>
      )}
    </Loaded>
  );
}

type Attempt = WebhookRecord["history"][number];

const columns: Column<Attempt>[] = [
  { label: "Time", cell: ({ at }) => <Time at={at} /> },
  { label: "Status", cell: ({ status }) => status ?? "none" },
  { label: "Error", cell: ({ error }) => <span class="text">{error ?? "–"}</span> },
  { label: "Duration", isNumber: true, cell: ({ durationMs }) => `${numberText(Math.round(durationMs))} ms` },
];

/** Only the operator can see responses. */
const responseColumn: Column<Attempt> = {
  label: "Response",
  cell: ({ response }) => <code class="text">{response}</code>,
};

export function WebhookAttempts({ webhook: { history } }: { webhook: WebhookRecord }) {
  const { session } = useConsole();
  if (history.length === 0) return <p class="empty">There have been no attempts yet.</p>;
  const shown = session.kind === "operator" ? [...columns, responseColumn] : columns;
  return <Table caption="Attempts" items={history} keyOf={({ at }) => at} columns={shown} />;
}
