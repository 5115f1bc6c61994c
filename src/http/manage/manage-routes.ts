// All operations of the management API, with their paths below its base.
import { usageRows } from "../accounts/usage-routes.ts";
import { batchRows } from "../batches/batch-routes.ts";
import { documentRows } from "../documents/document-routes.ts";
import { forOperator, type ApiOperation } from "../operation.ts";
import { accountRows } from "./account-routes.ts";
import { operatorRows } from "./admin-routes.ts";

/** Below this, the operator calls the operations of an account. */
export const accountPath = "/admin/accounts/{account}";

const ownRows: ApiOperation[] = [...accountRows, ...operatorRows.map((row) => ({ ...row, path: `/admin${row.path}` }))];
const ofAccount = [...accountRows, ...documentRows, ...batchRows, ...usageRows];

export const manageOperations: ApiOperation[] = [
  ...ownRows,
  ...ofAccount.filter(mayOperator).map((row) => forOperator(row, accountPath)),
];

/** All of them have routes, but nobody may call those that the operator may not call. */
export const manageRows: ApiOperation[] = [...ownRows, ...ofAccount.map((row) => forOperator(row, accountPath))];

function mayOperator({ access }: ApiOperation): boolean {
  return access !== "operator" && access.operator === true;
}
