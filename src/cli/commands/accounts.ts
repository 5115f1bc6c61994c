// The commands for accounts, plans and keys.
import { planNames } from "../../core/accounts/plans.ts";
import { maxRetentionDays, parseRetention } from "../../core/accounts/retention.ts";
import { scopes } from "../../core/accounts/scopes.ts";
import { regions } from "../../core/region.ts";
import { UsageError, option, type Options } from "colophon-templates/command";
import { accountPath, pathOfId, type Commands } from "./command.ts";

const planUsage = planNames.join("|");

export const accountCommands: Commands = {
  "account create": {
    usage: `--name N --plan ${planUsage} [--region ${regions.join("|")}] [--monthly-renders N]`,
    run: async (api, options) => {
      const { name, region } = options;
      const body = { name, plan: planOption(options), region, ...rendersOption(options) };
      return { account: await api.call("POST", "/accounts", body) };
    },
  },
  "account list": {
    usage: "",
    run: async (api) => ({ accounts: await api.list("/accounts", "accounts") }),
  },
  "account set-plan": {
    usage: `--account ID --plan ${planUsage}`,
    run: async (api, options) => {
      return { account: await api.call("PATCH", accountPath(options), { plan: planOption(options) }) };
    },
  },
  "account set-limit": {
    usage: "--account ID --monthly-renders N|plan",
    run: async (api, options) => {
      const body = options["monthly-renders"] === "plan" ? { monthlyRenders: null } : rendersOption(options);
      return { account: await api.call("PATCH", accountPath(options), body) };
    },
  },
  "account set-retention": {
    usage: "--account ID --days N|keep|plan",
    run: async (api, options) => {
      const days = option(options, "days");
      const retentionDays = days === "plan" ? days : retentionOption("days", days, ", or plan");
      return { account: await api.call("PATCH", accountPath(options), { retentionDays }) };
    },
  },
  "plan list": {
    usage: "",
    run: (api) => api.call("GET", "/plans"),
  },
  "plan set": {
    usage: `--plan ${planUsage} [--api-access on|off] [--monthly-renders N] [--retention-days N|keep]`,
    run: async (api, options) => ({
      plan: await api.call("PATCH", `/plans/${planOption(options)}`, planChange(options)),
    }),
  },
  "key create": {
    usage: `--account ID [--name N] [--scopes ${scopes[0]},...] [--test]`,
    run: (api, options) => {
      const { name = "default", scopes, test } = options;
      const body = { name, scopes: scopes?.split(","), isTest: test === "on" };
      return api.call("POST", `${accountPath(options)}/keys`, body);
    },
  },
  "key list": {
    usage: "--account ID",
    run: async (api, options) => ({ keys: await api.list(`${accountPath(options)}/keys`, "keys") }),
  },
  "key revoke": {
    usage: "--id ID",
    run: async (api, options) => api.call("DELETE", await pathOfId(api, options, "key")),
  },
};

function planOption(options: Options): string {
  const plan = option(options, "plan");
  const known = planNames.find((name) => name === plan);
  if (!known) throw new UsageError(`there is no plan ${plan}; the plans are ${planNames.join(", ")}`);
  return known;
}

function rendersOption({ "monthly-renders": renders }: Options): { monthlyRenders?: number } {
  if (renders === undefined) return {};
  if (!/^\d{1,9}$/.test(renders)) throw new UsageError("--monthly-renders must be a whole number of at most 9 digits");
  return { monthlyRenders: Number(renders) };
}

function planChange(options: Options): object {
  const { "api-access": access, "retention-days": retention } = options;
  const change = {
    ...rendersOption(options),
    ...(access !== undefined && { apiAccess: access === "on" }),
    ...(retention !== undefined && { retentionDays: retentionOption("retention-days", retention) }),
  };
  if (access !== undefined && access !== "on" && access !== "off")
    throw new UsageError("--api-access must be on or off");
  if (Object.keys(change).length === 0)
    throw new UsageError("give --api-access, --monthly-renders or --retention-days");
  return change;
}

/** `others` names the other values that the option allows. */
function retentionOption(name: string, text: string, others = ""): number | "keep" {
  const retention = parseRetention(text);
  if (retention !== null) return retention;
  throw new UsageError(`--${name} must be a whole number of days from 1 to ${maxRetentionDays}, or keep${others}`);
}
