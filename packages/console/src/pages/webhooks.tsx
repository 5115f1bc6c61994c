// The deliveries of the account's webhooks, and the secrets that sign them.
import { useState } from "preact/hooks";
import { dayMs } from "colophon-base/calendar-day";
import type { WebhookRecord } from "colophon-client/manage";
import { useConsole, type Console } from "../console.ts";
import { numberText } from "../format.ts";
import { ActionButton, ActionForm, Badge, CopyButton, Field, PageLinks, Time } from "../parts/parts.tsx";
import { List, type Column } from "../parts/table.tsx";

const webhookStatuses: WebhookRecord["status"][] = ["pending", "delivered", "dead"];

export function Webhooks({ query }: { query: Record<string, string> }) {
  const { manage, link, session } = useConsole();
  const [round, setRound] = useState(0);
  return (
    <>
      <h1>Webhooks</h1>
      <PageLinks
        label="Status"
        names={["all", ...webhookStatuses]}
        current={query["status"] || "all"}
        link={(status) => link(["webhooks"], status === "all" ? {} : { status })}
      />
      <List
        read={(input) => manage.call("GET /webhooks", input)}
        name="webhooks"
        query={query}
        columns={webhookColumns(link)}
        round={round}
        empty={
          <>
            {query["status"] ? "No webhook has this status." : "There are no webhooks yet."} A document whose request
            has a <code>webhookUrl</code> sends one when its render ends.
          </>
        }
      />
      <h2>After an outage of your server</h2>
      <RedeliverDead reload={() => setRound(round + 1)} />
      {session.kind !== "test" && <Secrets />}
    </>
  );
}

export function webhookColumns(link: Console["link"]): Column<WebhookRecord>[] {
  return [
    {
      label: "URL",
      cell: ({ id, url }) => (
        <a class="clamped" href={link(["webhooks", id])}>
          {url}
        </a>
      ),
    },
    { label: "Status", cell: ({ status }) => <Badge of={status} /> },
    { label: "Attempts", isNumber: true, cell: ({ attempts }) => numberText(attempts) },
    {
      label: "Last attempt",
      cell: ({ history: [last] }) => (
        <span class="clamped">{last ? (last.error ?? `responded with ${last.status}`) : "–"}</span>
      ),
    },
    { label: "Next attempt", cell: ({ nextAttemptAt }) => <Time at={nextAttemptAt} /> },
    { label: "Created", cell: ({ createdAt }) => <Time at={createdAt} /> },
  ];
}

function RedeliverDead({ reload }: { reload: () => void }) {
  const { manage } = useConsole();
  const [weekAgo] = useState(() => new Date(Date.now() - 7 * dayMs).toISOString().slice(0, 10));
  const [sent, setSent] = useState<number | null>(null);
  const submit = async (form: HTMLFormElement) => {
    const since = String(new FormData(form).get("since"));
    setSent((await manage.call("POST /webhooks/redeliver", { body: { since } })).redelivered);
    reload();
  };
  return (
    <ActionForm label="Resend all dead webhooks" submit={submit}>
      <Field label="Created since (UTC)">
        <input type="date" name="since" required defaultValue={weekAgo} />
      </Field>
      <span role="status">{sent !== null && `${numberText(sent)} will be resent.`}</span>
    </ActionForm>
  );
}

function Secrets() {
  const { manage } = useConsole();
  const [secrets, setSecrets] = useState<string[]>([]);
  const show = async () => setSecrets((await manage.call("GET /webhook-secrets")).secrets);
  const rotate = async () => setSecrets((await manage.call("POST /webhook-secrets/rotate")).secrets);
  return (
    <>
      <h2>Secrets</h2>
      <p class="quiet">
        These secrets sign webhooks, so that your server can verify them. After a rotation, the previous secret stays
        valid for a day, and older ones expire immediately.
      </p>
      {secrets.map((secret) => (
        <p key={secret}>
          <code>{secret}</code> <CopyButton text={secret} />
        </p>
      ))}
      <p class="actions">
        <ActionButton work={show}>Show</ActionButton>
        <ActionButton work={rotate} question="Make a new secret?">
          Rotate
        </ActionButton>
      </p>
    </>
  );
}
