// What every page needs: whose data it shows, and how to read it.
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type {
  AccountRequests,
  DocumentRequests,
  ManageClient,
  OperatorRequests,
  TemplateRecord,
} from "colophon-client/manage";
import type { Query } from "./route.ts";
import type { Session } from "./session.ts";

export type Console = {
  session: Session;
  /** The API of documents, batches and usage, for the account that is shown. */
  api: ManageClient<DocumentRequests>;
  /** The management API for the same account. */
  manage: ManageClient<AccountRequests>;
  /** The operator's part, of all accounts. */
  admin: ManageClient<OperatorRequests>;
  /** The newest templates of the account; none if the key may not list them. */
  templates: TemplateRecord[];
  /** Whether a render is possible here: an operator renders nothing for an account. */
  canRender: boolean;
  /** Returns the address of a page about the account that is shown. */
  link(parts: string[], query?: Query): string;
};

const context = createContext<Console | null>(null);
export const ConsoleProvider = context.Provider;

export function useConsole(): Console {
  const value = useContext(context);
  if (!value) throw new Error("a page is shown outside of the console");
  return value;
}
