// Reads the storage of an account's objects, for the export of the account.
import type { AccountObject } from "../../core/maintenance/repair.ts";
import type { MaintenanceService, TablePage, TablePosition, TableRow } from "../../ports/maintenance.ts";
import type { MaintenanceServices } from "../../ports/services.ts";

export type ObjectRows = { object: AccountObject; table: string; rows: TableRow[] };

/** Returns one page of an object's tables. */
export function exportObjectPage(
  { objects }: Pick<MaintenanceServices, "objects">,
  { accountId, object, position }: { accountId: string; object: AccountObject; position: TablePosition | null },
): Promise<TablePage> {
  return objects.exportPage(accountId, object, position);
}

/** Yields the rows of both objects of the account, page by page. */
export async function* readObjectRows(
  service: Pick<MaintenanceService, "exportPage">,
  accountId: string,
): AsyncGenerator<ObjectRows> {
  for (const object of ["AccountQuota", "WebhookSender"] as const) {
    let position: TablePosition | null = null;
    do {
      const page: TablePage = await service.exportPage(accountId, object, position);
      if (page.rows.length > 0) yield { object, table: page.table, rows: page.rows };
      position = page.next;
    } while (position);
  }
}
