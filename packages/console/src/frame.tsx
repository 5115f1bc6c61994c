// The frame of the pages: their names, and the page for the current address. An operator first chooses an account; the pages are the
// same.
import type { ComponentType } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { TemplateRecord } from "colophon-client/manage";
import { apisOf, ConsoleProvider, useConsole, type Console } from "./console.ts";
import { capitalized } from "./format.ts";
import { useLoad } from "./load.ts";
import { Accounts, Plans } from "./pages/accounts.tsx";
import { Batch, Batches } from "./pages/batch.tsx";
import { Document } from "./pages/document.tsx";
import { Documents } from "./pages/documents.tsx";
import { Events } from "./pages/events.tsx";
import { Keys } from "./pages/keys.tsx";
import { Overview } from "./pages/overview.tsx";
import { Template } from "./pages/template.tsx";
import { Templates } from "./pages/templates.tsx";
import { Webhook } from "./pages/webhook.tsx";
import { Webhooks } from "./pages/webhooks.tsx";
import { Badge, Loaded, PageLinks } from "./parts/parts.tsx";
import { address, useRoute } from "./route.ts";
import type { Session } from "./session.ts";

type PageProps = { query: Record<string, string>; id: string; tab: string };
/** The pages by name: the page of a list, and the page of a single item. */
type Pages = Record<string, { list: ComponentType<PageProps>; item?: ComponentType<PageProps> }>;

const accountPages: Pages = {
  overview: { list: Overview },
  documents: { list: Documents, item: Document },
  templates: { list: Templates, item: Template },
  batches: { list: Batches, item: Batch },
  webhooks: { list: Webhooks, item: Webhook },
  keys: { list: Keys },
  events: { list: Events },
};
const operatorPages: Pages = { accounts: { list: Accounts }, plans: { list: Plans } };

type Props = {
  session: Session;
  close: () => void;
  /** Checks again whether the service accepts the key. */
  reopen: () => void;
};

export function Frame({ session, close, reopen }: Props) {
  const { parts, query } = useRoute();
  const isOperator = session.kind === "operator";
  const account = isOperator && parts[0] === "accounts" ? (parts[1] ?? null) : null;
  const apis = useMemo(() => apisOf(session, account, reopen), [session, account]);
  const inner = account === null ? parts : parts.slice(2);
  const pages = isOperator && account === null ? operatorPages : accountPages;
  const [name = Object.keys(pages)[0] ?? "", id, tab = ""] = inner;
  const Page = id === undefined ? pages[name]?.list : pages[name]?.item;
  const templates = useTemplates(apis.manage, `${account} ${name}`, pages === accountPages);
  const shown: Console = { ...apis, session, templates };
  const [content, isFollowing] = [useRef<HTMLElement>(null), useRef(false)];
  useEffect(() => {
    document.title = `${capitalized(name)} – Colophon`;
    scrollTo(0, 0);
    // The element with the focus belonged to the previous page.
    if (isFollowing.current) content.current?.focus();
    isFollowing.current = true;
  }, [account, name, id]);
  return (
    <ConsoleProvider value={shown}>
      <button class="skip" type="button" onClick={() => content.current?.focus()}>
        Skip to content
      </button>
      <header>
        <a class="brand" href="#/">
          Colophon
        </a>
        <Navigation
          pages={isOperator ? operatorPages : accountPages}
          current={account === null ? name : "accounts"}
          link={address}
        />
        <span class="end">
          <Badge of={session.kind} noun={`key ${/_([0-9a-f]{16})_/.exec(session.key)?.[1] ?? ""}`} />
          <a href="/docs">API reference</a>
          <button type="button" onClick={close}>
            Sign out
          </button>
        </span>
      </header>
      <main ref={content} tabIndex={-1}>
        {account !== null && (
          <>
            <AccountName key={account} id={account} />
            <Navigation pages={accountPages} current={name} link={shown.link} />
          </>
        )}
        {Page ? (
          <Page key={`${account} ${name} ${id}`} query={query} id={id ?? ""} tab={tab} />
        ) : (
          <>
            <h1>This page does not exist</h1>
            <a href="#/">Go to the overview</a>
          </>
        )}
      </main>
    </ConsoleProvider>
  );
}

type NavigationProps = { pages: Pages; current: string; link: Console["link"] };

function Navigation({ pages, current, link }: NavigationProps) {
  const label = pages === accountPages ? "Pages of the account" : "Pages of the operator";
  return <PageLinks label={label} names={Object.keys(pages)} current={current} link={(name) => link([name])} />;
}

function AccountName({ id }: { id: string }) {
  const { admin } = useConsole();
  const account = useLoad(id, (signal) => admin.call("GET /accounts/{id}", { path: { id }, signal }));
  return (
    <Loaded of={account}>
      {({ name, plan }) => (
        <p class="clamped">
          Account <strong>{name}</strong>, plan {plan}
        </p>
      )}
    </Loaded>
  );
}

/**
 * The pages label documents and batches with the names of these templates. They are loaded again on every page, because pushes
 * add templates.
 */
function useTemplates(manage: Console["manage"], key: string, isOfAccount: boolean): TemplateRecord[] {
  const [templates, setTemplates] = useState<TemplateRecord[]>([]);
  useEffect(() => {
    if (!isOfAccount) return;
    const listed = manage.call("GET /templates", { query: { limit: 100 } });
    listed.then(({ templates }) => setTemplates(templates)).catch(() => setTemplates([]));
  }, [key]);
  return templates;
}
