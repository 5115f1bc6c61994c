// All operations of the management API, with their paths below its base.
import { accountOperations } from "../accounts/account-operations.ts";
import { batchOperations } from "../batches/batch-operations.ts";
import type { ApiOperation } from "../description/operation.ts";
import { documentOperations } from "../documents/document-operations.ts";
import { accountRows } from "./account-operations.ts";
import { operatorRows } from "./admin-operations.ts";

const documentApi: ApiOperation[] = [...documentOperations, ...batchOperations, ...accountOperations];

/** Below this, the operator calls the operations of an account. */
export const accountPath = "/admin/accounts/{account}";

export const manageOperations: ApiOperation[] = [
  ...accountRows,
  ...operatorRows.map((row) => ({ ...row, path: `/admin${row.path}` })),
  ...[...accountRows, ...documentApi].filter(mayOperator).map(forOperator),
];

function mayOperator({ access }: ApiOperation): boolean {
  return access !== "operator" && access.operator === true;
}

function forOperator(row: ApiOperation): ApiOperation {
  const { path, operationId, errors } = row;
  const name = `admin${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}`;
  const own = errors.filter((error) => error !== "apiAccessDenied" && error !== "insufficientScope");
  return {
    ...row,
    path: accountPath + path,
    operationId: name,
    access: "operator",
    tag: "Operator",
    errors: [...own, "accountNotFound"],
  };
}
