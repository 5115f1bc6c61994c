// Writes the rows of an account from another instance. Its webhook secret and its keys are created anew.
import { sentence } from "colophon-base/text";
import type { AccountSummary } from "../../core/accounts/account.ts";
import { validationError } from "../../core/errors.ts";
import { isRegion } from "../../core/region.ts";
import type { TransferredRow } from "../../ports/maintenance.ts";
import type { MaintenanceServices, OperatorServices } from "../../ports/services.ts";
import { placeAccount, rotateWebhookSecret } from "../accounts/manage-accounts.ts";

/**
 * Returns the number of rows that this instance did not have. May be repeated. Throws VALIDATION_ERROR, without writing anything,
 * if a row is invalid in this release, belongs to another account, or the account is being deleted here.
 */
export async function importRows(
  manage: OperatorServices,
  { objects }: Pick<MaintenanceServices, "objects">,
  accountId: string,
  rows: TransferredRow[],
  wanted?: number,
): Promise<number> {
  const shard = await placeImport(manage, accountId, { rows, wanted });
  const isForeign = rows.some(({ table, row }) => row[table === "accounts" ? "id" : "accountId"] !== accountId);
  const written = isForeign
    ? { problem: "it belongs to another account" }
    : await manage.transfer.write(accountId, rows, shard);
  if (typeof written === "object")
    throw validationError([{ path: "rows", message: `A row cannot be imported: ${sentence(written.problem)}` }]);
  await requireAccount(manage, accountId);
  const secrets = await manage.secrets.valid(accountId, manage.now());
  if (secrets.length === 0) await rotateWebhookSecret(manage, accountId);
  // The counts of the month are derived from these rows.
  if (rows.some(({ table }) => table === "documentCounts")) await objects.repair(accountId, "AccountQuota");
  return written;
}

/** Throws VALIDATION_ERROR if the template belongs to a different account here. */
export async function requireOwner(
  { owners }: Pick<OperatorServices, "owners">,
  { accountId, templateId }: { accountId: string; templateId: string },
): Promise<void> {
  if ((await owners(templateId)).every((owner) => owner.accountId === accountId)) return;
  throw validationError([{ path: "key", message: "The template of `key` belongs to another account here." }]);
}

type Placed = { rows: TransferredRow[]; wanted: number | undefined };

/**
 * Returns the shard of the account, and chooses one for a new account. Throws VALIDATION_ERROR if the account is in a different shard
 * than wanted.
 */
async function placeImport(manage: OperatorServices, accountId: string, { rows, wanted }: Placed): Promise<number> {
  const imported = rows.find(({ table }) => table === "accounts");
  const existing = imported ? await manage.accounts.findAccount(accountId) : await requireAccount(manage, accountId);
  const region = imported?.row["region"];
  if (!existing) return placeAccount(manage.accounts, isRegion(region) ? region : null, wanted);
  if (wanted === undefined || wanted === existing.shard) return existing.shard;
  throw validationError([{ path: "shard", message: `The account is in shard ${existing.shard}.` }]);
}

async function requireAccount({ accounts }: OperatorServices, accountId: string): Promise<AccountSummary> {
  const account = await accounts.findAccount(accountId);
  if (account) return account;
  throw validationError([{ path: "accountId", message: "The account does not exist here, or is being deleted." }]);
}
