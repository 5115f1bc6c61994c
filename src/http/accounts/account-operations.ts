// The description of the routes about the account.
import { commonErrors } from "../description/error-cases.ts";
import type { ApiOperation } from "../description/operation.ts";

const getUsage: ApiOperation = {
  method: "get",
  path: "/usage",
  operationId: "getUsage",
  access: { scope: "account:read", tests: true, operator: true },
  tag: "Account",
  summary: "Read the usage of the month",
  description: "Returns how much of its monthly allowance the account has used. The month is the UTC calendar month.",
  responses: [{ status: 200, description: "The usage of the current month.", data: "Usage" }],
  errors: commonErrors,
};

export const accountOperations = [getUsage];
