// Reads the tables of a Durable Object in pages, for the export of an account.
import type { TablePage, TablePosition, TableRow } from "../../ports/maintenance.ts";
import { hasTables } from "./storage-version.ts";

const rowsPerPage = 500;

/** Returns the page at this position, or the first page for null. `tables` lists the tables in the order of the export. */
export function exportPage(
  storage: DurableObjectStorage,
  tables: readonly [string, ...string[]],
  position: TablePosition | null,
): TablePage {
  const { table, after } = position ?? { table: tables[0], after: 0 };
  if (!tables.includes(table)) throw new Error(`the object has no table ${table}`);
  if (!hasTables(storage)) return { table, rows: [], next: null };
  const select = `SELECT rowid AS row_number, * FROM ${table} WHERE rowid > ? ORDER BY rowid LIMIT ${rowsPerPage}`;
  const rows = storage.sql.exec<TableRow & { row_number: number }>(select, after).toArray();
  const last = rows.length < rowsPerPage ? undefined : rows.at(-1);
  const following = tables[tables.indexOf(table) + 1];
  const next = last ? { table, after: last.row_number } : following ? { table: following, after: 0 } : null;
  return { table, rows: rows.map(({ row_number: _, ...row }) => row), next };
}
