// The commands for accounts, plans and keys.
import { isPlanName, planNames, type PlanName } from "../../core/accounts/plans.ts";
import {
  maxRetentionDays,
  parseRetention,
  type AccountRetention,
  type Retention,
} from "../../core/accounts/retention.ts";
import type { PlanChange } from "../../ports/accounts.ts";
import { isRegion, regions, type Region } from "../../core/region.ts";
import { createAccount, createKey } from "../../operations/accounts/manage-accounts.ts";
import { CommandError, UsageError, option, type Options } from "colophon-templates/command";
import { accountOption, iso, noAccount, type Commands } from "./command.ts";

export const accountCommands: Commands = {
  "account create": {
    usage: `--name N --plan ${planNames.join("|")} [--region ${regions.join("|")}]`,
    required: ["name", "plan"],
    optional: ["region"],
    run: async (services, options) => ({
      account: await createAccount(services, option(options, "name"), planOption(options), regionOption(options)),
    }),
  },
  "account list": {
    usage: "",
    required: [],
    run: async ({ accounts }) => ({ accounts: await accounts.listAccounts() }),
  },
  "account set-plan": {
    usage: `--account ID --plan ${planNames.join("|")}`,
    required: ["account", "plan"],
    run: async ({ accounts }, options) => {
      const id = option(options, "account");
      if (!(await accounts.setAccountPlan(id, planOption(options)))) throw noAccount(id);
      return { account: await accounts.findAccount(id) };
    },
  },
  "account set-retention": {
    usage: "--account ID --days N|keep|plan",
    required: ["account", "days"],
    run: async ({ accounts }, options) => {
      const id = option(options, "account");
      const days = option(options, "days");
      const retention: AccountRetention = days === "plan" ? "plan" : retentionOption("days", days, ", or plan");
      if (!(await accounts.setAccountRetention(id, retention))) throw noAccount(id);
      return { account: await accounts.findAccount(id) };
    },
  },
  "plan list": {
    usage: "",
    required: [],
    run: async ({ accounts }) => ({ plans: await accounts.listPlans() }),
  },
  "plan set": {
    usage: `--plan ${planNames.join("|")} [--api-access on|off] [--monthly-renders N] [--retention-days N|keep]`,
    required: ["plan"],
    optional: ["api-access", "monthly-renders", "retention-days"],
    run: async ({ accounts }, options) => ({
      plan: await accounts.updatePlan(planOption(options), planChange(options)),
    }),
  },
  "key create": {
    usage: "--account ID [--name N]",
    required: ["account"],
    optional: ["name"],
    run: async (services, options) => {
      const id = option(options, "account");
      const created = await createKey(services, id, options["name"] ?? "default");
      if (!created) throw noAccount(id);
      return created;
    },
  },
  "key list": {
    usage: "--account ID",
    required: ["account"],
    run: async ({ accounts }, options) => {
      const keys = await accounts.listKeys(await accountOption({ accounts }, options));
      return {
        keys: keys.map(({ createdAt, revokedAt, ...key }) => ({
          ...key,
          createdAt: iso(createdAt),
          revokedAt: iso(revokedAt),
        })),
      };
    },
  },
  "key revoke": {
    usage: "--id ID",
    required: ["id"],
    run: async ({ accounts, now }, options) => {
      const id = option(options, "id");
      if (!(await accounts.revokeKey(id, now()))) throw new CommandError(`there is no key ${id}`);
      return { id, revoked: true };
    },
  },
};

function planOption(options: Options): PlanName {
  const plan = option(options, "plan");
  if (!isPlanName(plan)) throw new UsageError(`there is no plan ${plan}; the plans are ${planNames.join(", ")}`);
  return plan;
}

function regionOption({ region }: Options): Region | null {
  if (region === undefined) return null;
  if (!isRegion(region)) {
    throw new UsageError(`there is no region ${region}; the regions are ${regions.join(", ")}`);
  }
  return region;
}

function planChange(options: Options): PlanChange {
  const access = options["api-access"];
  const renders = options["monthly-renders"];
  const retention = options["retention-days"];
  if (access === undefined && renders === undefined && retention === undefined) {
    throw new UsageError("give --api-access, --monthly-renders or --retention-days");
  }
  if (access !== undefined && access !== "on" && access !== "off") {
    throw new UsageError("--api-access must be on or off");
  }
  if (renders !== undefined && !/^\d{1,9}$/.test(renders)) {
    throw new UsageError("--monthly-renders must be a whole number of at most 9 digits");
  }
  return {
    ...(access === undefined ? {} : { apiAccess: access === "on" }),
    ...(renders === undefined ? {} : { monthlyRenders: Number(renders) }),
    ...(retention === undefined ? {} : { retentionDays: retentionOption("retention-days", retention) }),
  };
}

/** `others` names the other values that the option allows. */
function retentionOption(name: string, text: string, others = ""): Retention {
  const retention = parseRetention(text);
  if (retention !== null) return retention;
  throw new UsageError(`--${name} must be a whole number of days from 1 to ${maxRetentionDays}, or keep${others}`);
}
