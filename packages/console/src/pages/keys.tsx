// The keys of the account. A new key is shown once.
import { useState } from "preact/hooks";
import type { KeyRecord } from "colophon-client/manage";
import { useConsole } from "../console.ts";
import { ActionButton, ActionForm, Badge, CopyButton, Field, Time } from "../parts/parts.tsx";
import { List, type Column } from "../parts/table.tsx";

type Scope = KeyRecord["scopes"][number];
/** What each scope allows. */
const scopes: Record<Scope, string> = {
  documents: "create, read and delete documents and batches",
  "documents:read": "only read them",
  templates: "push, roll back, read and delete templates",
  "templates:read": "only read them",
  keys: "create, list and revoke keys",
  webhooks: "read and resend webhooks, and read their secrets",
  account: "read usage and events, and change the account's settings",
  "account:read": "only read them",
};

export function Keys({ query }: { query: Record<string, string> }) {
  const { manage } = useConsole();
  const [round, setRound] = useState(0);
  const reload = () => setRound((count) => count + 1);
  const revoke = (id: string) => async () => {
    await manage.call("DELETE /keys/{key}", { path: { key: id } });
    reload();
  };
  return (
    <>
      <h1>Keys</h1>
      <NewKey reload={reload} />
      <List
        read={(input) => manage.call("GET /keys", input)}
        name="keys"
        query={query}
        columns={columns(revoke)}
        round={round}
        empty="The account has no keys."
      />
    </>
  );
}

function columns(revoke: (id: string) => () => Promise<void>): Column<KeyRecord>[] {
  return [
    {
      label: "Key",
      cell: ({ id, name, isTest }) => (
        <>
          <span class="clamped">{name || "(no name)"}</span> {isTest && <Badge of="test" />}
          <small class="quiet">
            <code>{id}</code>
          </small>
        </>
      ),
    },
    {
      label: "Scopes",
      cell: (key) => (key.scopes.length === Object.keys(scopes).length ? "all" : key.scopes.join(", ")),
    },
    { label: "Created", cell: ({ createdAt }) => <Time at={createdAt} /> },
    { label: "Last used", cell: ({ lastUsedAt }) => <Time at={lastUsedAt} none="never" /> },
    { label: "Expires", cell: ({ expiresAt }) => <Time at={expiresAt} none="never" /> },
    {
      label: "Access",
      cell: ({ id, revokedAt, expiresAt }) => {
        if (revokedAt) return <Badge of="revoked" />;
        if (expiresAt && Date.parse(expiresAt) <= Date.now()) return <Badge of="expired" />;
        return (
          <ActionButton work={revoke(id)} question="Revoke it permanently?">
            Revoke
          </ActionButton>
        );
      },
    },
  ];
}

function isScope(value: FormDataEntryValue): value is Scope {
  return typeof value === "string" && Object.hasOwn(scopes, value);
}

function NewKey({ reload }: { reload: () => void }) {
  const { manage } = useConsole();
  const [made, setMade] = useState<{ name: string; key: string } | null>(null);
  const create = async (form: HTMLFormElement) => {
    const data = new FormData(form);
    const expiresAt = data.get("expiresAt");
    const body = {
      name: String(data.get("name")),
      scopes: data.getAll("scopes").filter(isScope),
      isTest: data.has("isTest"),
      ...(expiresAt && { expiresAt: String(expiresAt) }),
    };
    setMade(await manage.call("POST /keys", { body }));
    form.reset();
    reload();
  };
  return (
    <details>
      <summary>Create a key</summary>
      <ActionForm class="stack" label="Create" submit={create}>
        <Field label="Name" hint="What the key is for, such as a program's name.">
          <input name="name" required maxLength={100} />
        </Field>
        <fieldset>
          <legend>Permissions</legend>
          {Object.entries(scopes).map(([scope, allows]) => (
            <label key={scope}>
              <input type="checkbox" name="scopes" value={scope} defaultChecked={scope === "documents"} /> {scope}
              <small class="quiet">{allows}</small>
            </label>
          ))}
        </fieldset>
        <label>
          <input type="checkbox" name="isTest" /> Test key: its documents have a watermark, do not count, and are
          removed after a day
        </label>
        <Field label="Expires (UTC)" hint="Without a date, it is valid until it is revoked.">
          <input type="date" name="expiresAt" />
        </Field>
      </ActionForm>
      <div role="status">
        {made && (
          <div class="notice success">
            <p>The key “{made.name}” is shown only now. Keep it in a safe place.</p>
            <p>
              <code>{made.key}</code> <CopyButton key={made.key} text={made.key} />
            </p>
          </div>
        )}
      </div>
    </details>
  );
}
