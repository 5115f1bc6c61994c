// The schema of the response about the monthly allowance, for the description of the API.
import { z } from "zod";
import { planNames } from "../../core/accounts/plans.ts";
import type { UsageRecord } from "../../operations/accounts/get-usage.ts";
import { schemaOf, timestamp } from "../response-schemas.ts";

const renders = z.int().min(0);

export const usageSchema = schemaOf<UsageRecord>()(
  z
    .object({
      plan: z.enum(planNames),
      period: z
        .string()
        .regex(/^\d{4}-\d{2}(-\d{2})?$/)
        .meta({ description: "The UTC month, for example `2026-11`; for a test key the day, such as `2026-11-21`." }),
      used: renders.meta({
        description: "Renders that are completed. Deleting a document does not lower this number.",
      }),
      reserved: renders.meta({ description: "Renders that are in progress." }),
      limit: renders.meta({ description: "Renders that the plan allows in a month." }),
      remaining: renders.meta({ description: "Renders that are left in the month; never below zero." }),
      resetsAt: timestamp.meta({ description: "When the next month begins." }),
    })
    .meta({ description: "The usage of the account in the current month." }),
);
