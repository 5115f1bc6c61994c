// The context of every page: whose data it shows, and how to load it.
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type {
  AccountRequests,
  DataOf,
  DocumentRequests,
  OperatorRequests,
  TemplateRecord,
} from "colophon-client/manage";
import { accountPath, apiAt } from "./api.ts";
import { address, type Query } from "./route.ts";
import type { Session } from "./session.ts";

/** A document of any status. */
export type DocumentRecord = DataOf<DocumentRequests["GET /documents/{id}"]>;

export type Console = ReturnType<typeof apisOf> & {
  session: Session;
  /** The account's newest templates; empty if the key may not list them. */
  templates: TemplateRecord[];
};

/** Returns the requests for the account that is shown: the key's own account or, for the operator, `account`. */
export function apisOf({ key, kind }: Session, account: string | null, onKeyRefused: () => void) {
  const path = account === null ? null : accountPath(account);
  return {
    /** Documents, batches and usage. */
    api: apiAt<DocumentRequests>(path ?? "/api/v1", key, onKeyRefused),
    /** The management of the account. */
    manage: apiAt<AccountRequests>(path ?? "/api/manage/v1", key, onKeyRefused),
    /** The operator's requests, which concern all accounts. */
    admin: apiAt<OperatorRequests>("/api/manage/v1/admin", key, onKeyRefused),
    /** Whether the console can render: an operator cannot render for an account. */
    canRender: kind !== "operator",
    /** Returns the address of a page about the account. */
    link: (parts: string[], query?: Query) =>
      address(account === null ? parts : ["accounts", account, ...parts], query),
  };
}

const context = createContext<Console | null>(null);
export const ConsoleProvider = context.Provider;

export function useConsole(): Console {
  const value = useContext(context);
  if (!value) throw new Error("a page is shown outside the console");
  return value;
}
