// The account's templates, and the area for dropping a new one.
import { useState } from "preact/hooks";
import type { TemplateRecord } from "colophon-client/manage";
import { useConsole, type Console } from "../console.ts";
import { Time } from "../parts/parts.tsx";
import { List, type Column } from "../parts/table.tsx";
import { Push } from "../template/push.tsx";

export function Templates({ query }: { query: Record<string, string> }) {
  const { manage, link, session } = useConsole();
  const [round, setRound] = useState(0);
  return (
    <>
      <h1>Templates</h1>
      <List
        read={(input) => manage.call("GET /templates", input)}
        name="templates"
        query={query}
        columns={columns(link)}
        round={round}
        empty={
          <>
            There are no templates yet. Drop a template's folder below, or push it with <code>template push DIR</code>.
          </>
        }
      />
      {session.kind !== "test" && (
        <>
          <h2>Push a template</h2>
          <Push onPushed={() => setRound(round + 1)} />
        </>
      )}
    </>
  );
}

function columns(link: Console["link"]): Column<TemplateRecord>[] {
  return [
    {
      label: "Template",
      cell: ({ folder, title, description }) => (
        <>
          <a href={link(["templates", folder])}>{folder}</a>
          <small class="quiet clamped">{description || title}</small>
        </>
      ),
    },
    { label: "Version", isNumber: true, cell: ({ version }) => version },
    { label: "Page", cell: ({ pageSize }) => pageSize },
    { label: "Fields", isNumber: true, cell: ({ fieldsCount }) => fieldsCount },
    { label: "Changed", cell: ({ updatedAt }) => <Time at={updatedAt} /> },
  ];
}
