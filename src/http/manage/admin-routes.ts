// The operations of the management API that only the operator may call.
import { z } from "zod";
import { maxMonthlyRenders, planNames, maxRetentionDays } from "../../core/accounts/plans.ts";
import { accountNotFound, planNotFound } from "../../core/errors.ts";
import { passStart, repairPhases } from "../../core/maintenance/repair.ts";
import { regions } from "../../core/region.ts";
import { createAccount, updateAccount } from "../../operations/accounts/manage-accounts.ts";
import { removeAccount } from "../../operations/maintenance/remove-account.ts";
import { repairBatch } from "../../operations/maintenance/repair.ts";
import { ownedKinds } from "../../ports/accounts.ts";
import { operation } from "../operation.ts";
import { pageResponse } from "../queries/list-response.ts";
import { listOf } from "../response-schemas.ts";
import { listQuery, wholeNumber } from "../validation.ts";
import { accountRecord, accountSchema, created, planSchema, settingsShape, shardNumber } from "./manage-records.ts";
import { transferRows } from "./transfer-routes.ts";

const common = { access: "operator", tag: "Operator" } as const;
const rendersError = "`monthlyRenders` must be a whole number of at most 9 digits.";
const monthlyRenders = wholeNumber(rendersError, 0, maxMonthlyRenders);
const retentionError = `must be "keep" or a whole number of days from 1 to ${maxRetentionDays}`;
const days = z.int().min(1).max(maxRetentionDays);
const planRetention = z.union([z.literal("keep"), days], `\`retentionDays\` ${retentionError}.`);
const ownRetention = z.union([z.enum(["keep", "plan"]), days], `\`retentionDays\` ${retentionError}, or "plan".`);
const plan = z.enum(planNames, `\`plan\` must be one of ${planNames.join(", ")}.`);
const nameError = "`name` must have 1 to 200 characters, without control characters.";
const name = z.string("`name` (string) is required.").regex(/^\P{Cc}{1,200}$/u, nameError);

const accounts = [
  operation("createAccount", "POST /accounts", {
    ...common,
    summary: "Create an account",
    body: z.strictObject({
      name,
      plan,
      region: z
        .enum(regions, `\`region\` must be one of ${regions.join(", ")}.`)
        .nullable()
        .optional(),
      monthlyRenders: monthlyRenders.nullable().optional(),
      retentionDays: ownRetention.optional(),
      ...settingsShape,
      shard: shardNumber.optional(),
    }),
    data: accountSchema,
    responses: [created],
    handle: async ({ context, manage, body }) => {
      const created = await createAccount(manage, body);
      context.set("createdAccountId", created.id);
      return accountRecord(created);
    },
  }),
  operation("listAccounts", "GET /accounts", {
    ...common,
    summary: "List accounts",
    query: listQuery,
    data: listOf("accounts", accountSchema),
    handle: ({ manage, ...input }) =>
      pageResponse(input, "accounts", (page) => manage.accounts.listAccounts(page), accountRecord),
  }),
  operation("getAccount", "GET /accounts/{id}", {
    ...common,
    summary: "Read an account",
    data: accountSchema,
    errors: ["accountNotFound"],
    handle: async ({ manage, param }) => {
      const account = await manage.accounts.findAccount(param("id"));
      if (!account) throw accountNotFound();
      return accountRecord(account);
    },
  }),
  operation("updateAccount", "PATCH /accounts/{id}", {
    ...common,
    summary: "Change an account",
    description: "Changes the properties in the body. `monthlyRenders: null` restores the plan's allowance.",
    body: z.strictObject({
      plan: plan.optional(),
      monthlyRenders: monthlyRenders.nullable().optional(),
      retentionDays: ownRetention.optional(),
      ...settingsShape,
    }),
    data: accountSchema,
    errors: ["accountNotFound"],
    handle: async ({ manage, param, body }) => accountRecord(await updateAccount(manage, param("id"), body)),
  }),
  operation("deleteAccount", "DELETE /accounts/{id}", {
    ...common,
    summary: "Delete an account with all its data",
    description:
      "Its keys stop working within ten seconds. Each request removes a part of the data; repeat it until the status is `removed`. If you do not, the scheduled run of the service removes the rest.",
    data: z.object({
      id: z.string(),
      status: z.enum(["waiting", "removing", "removed"]),
      until: z.number().optional().meta({ description: "Nothing is removed before this time, in ms since the epoch." }),
    }),
    errors: ["accountNotFound"],
    handle: async ({ context, manage, param }) => {
      const id = param("id");
      if ((await manage.archive.markDeleted(id, manage.now())) === null) throw accountNotFound();
      return { id, ...(await removeAccount(context.var.maintenance, id)) };
    },
  }),
];

const plans = [
  operation("listPlans", "GET /plans", {
    ...common,
    summary: "List plans",
    data: z.object({ plans: z.array(planSchema) }),
    handle: async ({ manage }) => ({ plans: await manage.accounts.listPlans() }),
  }),
  operation("updatePlan", "PATCH /plans/{plan}", {
    ...common,
    summary: "Change a plan",
    body: z
      .strictObject({
        monthlyRenders: monthlyRenders.optional(),
        apiAccess: z.boolean("`apiAccess` must be true or false.").optional(),
        retentionDays: planRetention.optional(),
      })
      .refine((change) => Object.values(change).some((value) => value !== undefined), {
        path: [""],
        error: "Give at least one of monthlyRenders, apiAccess and retentionDays.",
      }),
    data: planSchema,
    errors: ["planNotFound"],
    handle: async ({ manage, param, body }) => {
      const named = planNames.find((known) => known === param("plan"));
      if (!named) throw planNotFound();
      return manage.accounts.updatePlan(named, body);
    },
  }),
];

const maintenance = [
  operation("listOwners", "GET /owners", {
    ...common,
    summary: "Find what an id refers to, and its account",
    query: z.strictObject({ id: z.string("`id` is required.").min(1).max(100) }),
    data: z.object({ owners: z.array(z.object({ kind: z.enum(ownedKinds), accountId: z.string() })) }),
    handle: async ({ manage, query }) => ({ owners: await manage.owners(query.id.toLowerCase()) }),
  }),
  operation("repair", "POST /repair", {
    ...common,
    summary: "Repair a part of the data that crashes left inconsistent",
    description:
      "Repeat it with the response's `next` as `position` until `next` is null. `isForced` repairs files and documents even if there are suspiciously many.",
    body: z.strictObject({
      position: z.strictObject({ phase: z.enum(repairPhases), after: z.string().max(500) }).optional(),
      isForced: z.boolean().optional(),
    }),
    data: z.object({
      repairs: z.array(z.looseObject({ kind: z.string() })),
      refused: z.array(z.looseObject({ kind: z.string() })),
      next: z.object({ phase: z.enum(repairPhases), after: z.string() }).nullable(),
    }),
    handle: ({ context, body: { position = passStart(), isForced = false } }) =>
      repairBatch(context.var.maintenance, position, { isForced }),
  }),
  operation("reEncryptWebhookSecrets", "POST /webhook-secrets/re-encrypt", {
    ...common,
    summary: "Encrypt all webhook secrets with the current key",
    data: z.object({ reEncrypted: z.int(), unreadable: z.int() }),
    handle: ({ manage }) => manage.secrets.reEncrypt(manage.now()),
  }),
];

export const operatorRows = [...accounts, ...plans, ...maintenance, ...transferRows];
