// The list of changes: who changed what, and when.
import type { EventRecord } from "colophon-client/manage";
import { useConsole } from "../console.ts";
import { shortId } from "../format.ts";
import { useLoad } from "../load.ts";
import { Time } from "../parts/parts.tsx";
import { List, type Column } from "../parts/table.tsx";

/** The page of the thing that an action changed. */
const pages: Record<string, string> = { template: "templates", webhook: "webhooks" };

export function Events({ query }: { query: Record<string, string> }) {
  const { manage, link } = useConsole();
  const keys = useLoad("keys", (signal) => manage.call("GET /keys", { query: { limit: 100 }, signal }));
  // The key may lack the scope for this list.
  const known = keys.state.status === "loaded" ? keys.state.value.keys : [];
  const columns: Column<EventRecord>[] = [
    { label: "Time", cell: ({ createdAt }) => <Time at={createdAt} /> },
    { label: "What", cell: ({ action }) => action.replace(".", " ").replaceAll("_", " ") },
    {
      label: "Of",
      cell: ({ action, subject }) => {
        const page = action.endsWith(".deleted") ? undefined : pages[action.split(".")[0] ?? ""];
        return page ? <a href={link([page, subject])}>{shortId(subject)}</a> : shortId(subject);
      },
    },
    {
      label: "By",
      cell: ({ actor }) => (
        <span class="clamped">
          {actor === "operator" ? "the operator" : `key ${actor} ${known.find(({ id }) => id === actor)?.name ?? ""}`}
        </span>
      ),
    },
  ];
  return (
    <>
      <h1>Events</h1>
      <List
        read={(input) => manage.call("GET /events", input)}
        name="events"
        query={query}
        columns={columns}
        empty="No changes in the last 90 days. Pushes of templates, new keys and rotations are listed here."
      />
    </>
  );
}
