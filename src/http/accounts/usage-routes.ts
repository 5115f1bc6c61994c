// The operation that returns how much of its monthly allowance the account has used.
import { getUsage } from "../../operations/accounts/get-usage.ts";
import { operation } from "../operation.ts";

export const usageRows = [
  operation("getUsage", "GET /usage", {
    access: { scope: "account:read", tests: true, operator: true },
    tag: "Account",
    summary: "Read the usage of the month",
    description: "Returns how much of its monthly allowance the account has used. The month is the UTC calendar month.",
    data: "Usage",
    responses: [{ status: 200, description: "The usage of the current month." }],
    handle: ({ services, account }) => getUsage(services, account),
  }),
];
