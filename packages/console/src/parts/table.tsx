// Lists as tables. On a narrow screen, each row becomes a block in which every value has a label.
import type { ComponentChildren } from "preact";
import type { Pagination } from "colophon-client";
import { useConsole } from "../console.ts";
import { numberText } from "../format.ts";
import { useLoad } from "../load.ts";
import type { Query } from "../route.ts";
import { Loaded } from "./parts.tsx";

export type Column<T> = { label: string; cell: (item: T) => ComponentChildren; isNumber?: boolean };

type TableProps<T> = { caption: string; columns: Column<T>[]; items: T[]; keyOf: (item: T) => string | number };

/** The roles are explicit, because browsers drop them when a row is displayed as a block. */
export function Table<T>({ caption, columns, items, keyOf }: TableProps<T>) {
  return (
    <table role="table" aria-label={caption}>
      <thead role="rowgroup">
        <tr role="row">
          {columns.map(({ label, isNumber }) => (
            <th role="columnheader" scope="col" class={isNumber ? "number" : ""}>
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {items.map((item) => (
          <tr role="row" key={keyOf(item)}>
            {columns.map(({ label, cell, isNumber }) => (
              <td role="cell" data-label={label} class={isNumber ? "number" : ""}>
                <div>{cell(item)}</div>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

type PageOf<T> = { pagination: Pagination; [name: string]: T[] | Pagination };

type ListProps<T> = {
  /** Requests a page. The query comes from the address, and the service validates it. */
  read: (input: { query: never; signal: AbortSignal }) => Promise<PageOf<T>>;
  /** The name of the list in the API, and of its page. */
  name: string;
  /** With a `limit`, only the beginning of the list is shown. */
  query: Query;
  columns: Column<T>[];
  /** The message and actions to show if the list is empty. */
  empty: ComponentChildren;
  /** The list is loaded again when this changes. */
  round?: unknown;
};

/**
 * A page of an API list, with links to the next page and back to the first. The browser's back button leads to the previous
 * page.
 */
export function List<T extends { id: string }>({ read, name, query, columns, empty, round }: ListProps<T>) {
  const { link } = useConsole();
  const { limit, ...all } = query;
  const list = useLoad(JSON.stringify([name, query, round]), (signal) => read({ query: query as never, signal }));
  return (
    <Loaded of={list}>
      {({ [name]: listed, pagination: { total, totalIsExact, nextCursor } }) => {
        const items = Array.isArray(listed) ? listed : [];
        return items.length === 0 && !nextCursor ? (
          <div class="empty">{empty}</div>
        ) : (
          <>
            {items.length === 0 ? (
              <p class="empty">No matches so far. Each page searches a part of the list.</p>
            ) : (
              <Table caption={name} items={items} keyOf={({ id }) => id} columns={columns} />
            )}
            <nav class="pager" aria-label={`Pages of ${name}`}>
              <span class="quiet">
                Total: {!totalIsExact && "at least "}
                {numberText(total)}
              </span>
              {limit !== undefined && nextCursor && <a href={link([name], all)}>Show all</a>}
              {query["cursor"] && <a href={link([name], { ...query, cursor: undefined })}>First page</a>}
              {limit === undefined && nextCursor && (
                <a href={link([name], { ...query, cursor: nextCursor })}>Next page</a>
              )}
            </nav>
          </>
        );
      }}
    </Loaded>
  );
}
