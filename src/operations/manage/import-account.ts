// Writes the rows of an account from another instance. Its webhook secret and its keys are made anew.
import { validationError } from "../../core/errors.ts";
import type { TransferredRow } from "../../ports/maintenance.ts";
import type { MaintenanceServices, OperatorServices } from "../../ports/services.ts";
import { rotateWebhookSecret } from "../accounts/manage-accounts.ts";

/** May be repeated. Throws VALIDATION_ERROR if a row is not one of this release; then nothing is written. */
export async function importRows(
  manage: OperatorServices,
  { objects }: Pick<MaintenanceServices, "objects">,
  rows: TransferredRow[],
): Promise<void> {
  const problem = await manage.transfer.write(rows);
  if (problem) throw validationError([{ path: "rows", message: `A row cannot be imported: ${problem}.` }]);
  for (const { table, row } of rows) {
    if (table === "accounts") await addSecret(manage, String(row["id"]));
    // The counts of the month follow from these rows.
    if (table === "documentCounts") await objects.repair(String(row["accountId"]), "AccountQuota");
  }
}

async function addSecret(manage: OperatorServices, accountId: string): Promise<void> {
  const secrets = await manage.secrets.valid(accountId, manage.now());
  if (secrets.length === 0) await rotateWebhookSecret(manage, accountId);
}
