// The operator's part: all accounts with their plans and usage, and the plans.
import type { AccountRecord, DocumentRequests, PlanRecord } from "colophon-client/manage";
import { accountPath, apiAt, problemOf } from "../api.ts";
import { useConsole } from "../console.ts";
import { numberText } from "../format.ts";
import { useLoad } from "../load.ts";
import { ActionForm, Field, Loaded, Time } from "../parts/parts.tsx";
import { List, Table, type Column } from "../parts/table.tsx";
import { address } from "../route.ts";

export function Accounts({ query }: { query: Record<string, string> }) {
  const { admin } = useConsole();
  return (
    <>
      <h1>Accounts</h1>
      <FindAccount />
      <List
        read={(input) => admin.call("GET /accounts", input)}
        name="accounts"
        query={query}
        columns={columns}
        empty={
          <>
            There are no accounts yet. <code>npm run -s cli -- account create --name N --plan free</code> makes one.
          </>
        }
      />
    </>
  );
}

const columns: Column<AccountRecord>[] = [
  {
    label: "Account",
    cell: ({ id, name }) => (
      <>
        <a class="clamped" href={address(["accounts", id])}>
          {name}
        </a>
        <small class="quiet">
          <code>{id}</code>
        </small>
      </>
    ),
  },
  { label: "Plan", cell: ({ plan }) => plan },
  { label: "Used this month", isNumber: true, cell: ({ id }) => <Used account={id} /> },
  { label: "Created", cell: ({ createdAt }) => <Time at={createdAt} /> },
];

function Used({ account }: { account: string }) {
  const { session } = useConsole();
  const { call } = apiAt<DocumentRequests>(accountPath(account), session.key);
  const { state } = useLoad(account, (signal) => call("GET /usage", { signal }));
  if (state.status === "failed") return <span title={state.problem.message}>{state.problem.code}</span>;
  if (state.status === "loading") return <>…</>;
  return <>{`${numberText(state.value.used)} of ${numberText(state.value.limit)}`}</>;
}

/** A customer's message often contains only the id of a document. */
function FindAccount() {
  const { admin } = useConsole();
  const find = async (form: HTMLFormElement) => {
    const id = String(new FormData(form).get("id")).trim();
    const { owners } = await admin.call("GET /owners", { query: { id } });
    const [owner] = owners;
    if (!owner) throw problemOf("NOT_FOUND", `Nothing has the id ${id}.`);
    const page = owner.kind === "document" ? ["documents", id] : [];
    location.hash = address(["accounts", owner.accountId, ...page]);
  };
  return (
    <ActionForm label="Find" submit={find}>
      <Field label="Find the account of a document, template, key or webhook by its id">
        <input name="id" required maxLength={100} size={38} />
      </Field>
    </ActionForm>
  );
}

const planColumns: Column<PlanRecord>[] = [
  { label: "Plan", cell: ({ name }) => name },
  { label: "Renders a month", isNumber: true, cell: ({ monthlyRenders }) => numberText(monthlyRenders) },
  { label: "Access to the API", cell: ({ apiAccess }) => (apiAccess ? "yes" : "no") },
  {
    label: "Documents are kept",
    cell: ({ retentionDays }) => (retentionDays === "keep" ? "until they are deleted" : `${retentionDays} days`),
  },
];

export function Plans() {
  const { admin } = useConsole();
  const plans = useLoad("plans", (signal) => admin.call("GET /plans", { signal }));
  return (
    <>
      <h1>Plans</h1>
      <Loaded of={plans}>
        {({ plans }) => <Table caption="Plans" items={plans} keyOf={({ name }) => name} columns={planColumns} />}
      </Loaded>
      <p class="quiet">
        <code>npm run -s cli -- plan set</code> changes a plan, and <code>account set-plan</code> changes the plan of an
        account.
      </p>
    </>
  );
}
