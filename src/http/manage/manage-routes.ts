// All operations of the management API, with their paths below its base.
import { usageRows } from "../accounts/usage-routes.ts";
import { batchRows } from "../batches/batch-routes.ts";
import { documentRows } from "../documents/document-routes.ts";
import { forOperator, type ApiOperation } from "../operation.ts";
import { accountRows } from "./account-routes.ts";
import { operatorRows } from "./admin-routes.ts";

/** The operations that the operator may call for an account. */
const forAccounts = [...accountRows, ...documentRows, ...batchRows, ...usageRows].filter(
  ({ access }) => access !== "operator" && access.operator,
);

export const manageOperations: ApiOperation[] = [
  ...accountRows,
  ...operatorRows.map((row) => ({ ...row, path: `/admin${row.path}` })),
  ...forAccounts.map((row) => forOperator(row, "/admin/accounts/{account}")),
];
