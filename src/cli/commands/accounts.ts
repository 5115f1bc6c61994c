// The commands for accounts, plans and keys.
import { ColophonError } from "colophon-client/manage";
import { accessKinds } from "colophon-template-model/template";
import { CommandError, UsageError, option, type Options } from "colophon-templates/command";
import type { AccountSettings } from "../../core/accounts/account.ts";
import { planNames, type PlanName, maxRetentionDays, parseRetention } from "../../core/accounts/plans.ts";
import { scopes } from "../../core/accounts/scopes.ts";
import { regions } from "../../core/region.ts";
import type { ServiceApi } from "../service-api.ts";
import { accountOf, oneOf, ownerOf, type Commands } from "./command.ts";

/** The maximum time that the command waits. An account with many documents needs most of it. */
const removalTimeoutMs = 30 * 60_000;
const longestPauseMs = 5_000;

const planUsage = planNames.join("|");

export const accountCommands: Commands = {
  "account create": {
    usage: `--name N --plan ${planUsage} [--region ${regions.join("|")}] [--monthly-renders N] [--shard N]`,
    run: async (api, options) => {
      const region = options["region"] && { region: oneOf("region", options["region"], regions) };
      const own = { ...region, ...rendersOption(options), ...shardOption(options) };
      const body = { name: option(options, "name"), plan: planOption(options), ...own };
      return { account: await api.call("POST /accounts", { body }) };
    },
  },
  "account list": {
    usage: "",
    run: async (api) => ({ accounts: await Array.fromAsync(api.list("GET /accounts")) }),
  },
  "account set-plan": {
    usage: `--account ID --plan ${planUsage}`,
    run: (api, options) => updateAccount(api, options, { plan: planOption(options) }),
  },
  "account set-limit": {
    usage: "--account ID --monthly-renders N|plan",
    run: async (api, options) => {
      const isOfPlan = options["monthly-renders"] === "plan";
      return updateAccount(api, options, isOfPlan ? { monthlyRenders: null } : rendersOption(options));
    },
  },
  "account set-retention": {
    usage: "--account ID --days N|keep|plan",
    run: async (api, options) => {
      const days = option(options, "days");
      const retentionDays = days === "plan" ? days : retentionOption("days", days, ", or plan");
      return updateAccount(api, options, { retentionDays });
    },
  },
  "account set-access": {
    usage: `--account ID --access ${accessKinds.join("|")}`,
    run: async (api, options) =>
      updateAccount(api, options, { access: oneOf("access", option(options, "access"), accessKinds) }),
  },
  "account set-downloads": {
    usage: "--account ID --record on|off",
    run: async (api, options) => {
      const recordDownloads = oneOf("record", option(options, "record"), ["on", "off"]) === "on";
      return updateAccount(api, options, { recordDownloads });
    },
  },
  "account delete": {
    usage: "--account ID --confirm ID [--no-wait]",
    // Without this option, the command only says what it would delete.
    optional: ["confirm"],
    run: deleteAccount,
  },
  "plan list": {
    usage: "",
    run: (api) => api.call("GET /plans"),
  },
  "plan set": {
    usage: `--plan ${planUsage} [--api-access on|off] [--monthly-renders N] [--retention-days N|keep]`,
    run: async (api, options) => {
      const [path, body] = [{ plan: planOption(options) }, planChange(options)];
      return { plan: await api.call("PATCH /plans/{plan}", { path, body }) };
    },
  },
  "key create": {
    usage: `--account ID [--name N] [--scopes ${scopes[0]},...] [--test]`,
    run: async (api, options) => {
      const { name = "default", test } = options;
      const chosenScopes = options["scopes"]?.split(",").map((scope) => oneOf("scopes", scope, scopes));
      return accountOf(api, options).call("POST /keys", {
        body: { name, scopes: chosenScopes, isTest: test === "on" },
      });
    },
  },
  "key list": {
    usage: "--account ID",
    run: async (api, options) => ({ keys: await Array.fromAsync(accountOf(api, options).list("GET /keys")) }),
  },
  "key revoke": {
    usage: "--id ID",
    run: async (api, options) => {
      const { id, account } = await ownerOf(api, options, "key");
      return account.call("DELETE /keys/{key}", { path: { key: id } });
    },
  },
};

type AccountChange = Partial<AccountSettings> & {
  plan?: PlanName;
  monthlyRenders?: number | null;
  retentionDays?: number | "keep" | "plan";
};

async function updateAccount(api: ServiceApi, options: Options, body: AccountChange) {
  return { account: await api.call("PATCH /accounts/{id}", { path: { id: option(options, "account") }, body }) };
}

function planOption(options: Options): PlanName {
  return oneOf("plan", option(options, "plan"), planNames);
}

function rendersOption({ "monthly-renders": renders }: Options): { monthlyRenders?: number } {
  if (renders === undefined) return {};
  if (!/^\d{1,9}$/.test(renders)) throw new UsageError("--monthly-renders must be a whole number of at most 9 digits");
  return { monthlyRenders: Number(renders) };
}

export function shardOption({ shard }: Options): { shard?: number } {
  if (shard === undefined) return {};
  if (!/^\d{1,4}$/.test(shard))
    throw new UsageError("--shard must be the number of a database: 0 for DB, or n for DB_n");
  return { shard: Number(shard) };
}

function planChange(options: Options) {
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

/**
 * Marks the account as deleted, and waits until the service has removed its data. If the command is interrupted, the service's
 * scheduled run finishes the removal.
 */
async function deleteAccount(api: ServiceApi, options: Options): Promise<{ id: string; status: string }> {
  const id = option(options, "account");
  const path = { id };
  if (options["confirm"] !== id) {
    const { name } = await api.call("GET /accounts/{id}", { path });
    throw new CommandError(
      `this permanently deletes the account ${id} (${name}) with its documents, files, templates, webhooks and keys. To do it, add --confirm ${id}`,
    );
  }
  const timeoutAt = Date.now() + removalTimeoutMs;
  let isMarked = false;
  for (let hasSaidSo = false; Date.now() < timeoutAt;) {
    const removal = await api.call("DELETE /accounts/{id}", { path }).catch((error: unknown) => {
      // The service's scheduled run may have removed the rest since the first call.
      if (isMarked && error instanceof ColophonError && error.code === "ACCOUNT_NOT_FOUND") return null;
      throw error;
    });
    if (removal === null) return { id, status: "deleted" };
    isMarked = true;
    if (removal.status === "removed") return { id, status: "deleted" };
    if (options["no-wait"] === "on") return { id, status: "deleting" };
    if (removal.status === "removing") continue;
    if (!hasSaidSo) console.error("waiting until the account's requests have ended, which takes up to two minutes");
    hasSaidSo = true;
    const pauseMs = Math.min(Math.max((removal.until ?? 0) - Date.now(), 100), longestPauseMs);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  throw new CommandError(
    `the account ${id} is deleted, but its data was not removed within ${removalTimeoutMs / 60_000} minutes. The service continues; run the command again to see when it has ended`,
  );
}
