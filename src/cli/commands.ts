// The operator's commands. Each takes its options and services, and returns what `--json` prints; a refusal is a
// `CommandError` with one line. A new command is one entry here.
import { webhookStatuses, type WebhookStatus } from "../core/webhooks/delivery.ts";
import { isPlanName, planNames, type PlanName } from "../core/accounts/plans.ts";
import { templateSummary, type Template } from "../core/templates/template.ts";
import { createAccount, createKey, rotateWebhookSecret } from "../operations/accounts/manage-accounts.ts";
import { pushTemplate } from "../operations/templates/push-template.ts";
import type { WebhookSummary } from "../core/webhooks/webhook-event.ts";
import type { operatorServices } from "../services.ts";
import { readTemplateFolder } from "./templates/template-folder.ts";

export type OperatorServices = ReturnType<typeof operatorServices>;
export type Options = Record<string, string | undefined>;

export type Command = {
  /** As the usage shows it; `DIR` is a positional argument. */
  usage: string;
  /** Option names without dashes. */
  required: string[];
  optional?: string[];
  positional?: string;
  run(services: OperatorServices, options: Options): Promise<object>;
};

/** The operator asked for something that cannot be done. The message is one line, or one a problem. */
export class CommandError extends Error {}

export const commands: Record<string, Command> = {
  "account create": {
    usage: `--name N --plan ${planNames.join("|")}`,
    required: ["name", "plan"],
    run: async (services, options) => ({
      account: await createAccount(services, option(options, "name"), planOption(options)),
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
  "plan list": {
    usage: "",
    required: [],
    run: async ({ accounts }) => ({ plans: await accounts.listPlans() }),
  },
  "plan set": {
    usage: `--plan ${planNames.join("|")} [--api-access on|off] [--monthly-renders N]`,
    required: ["plan"],
    optional: ["api-access", "monthly-renders"],
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
      const made = await createKey(services, id, options["name"] ?? "default");
      if (!made) throw noAccount(id);
      return made;
    },
  },
  "key list": {
    usage: "--account ID",
    required: ["account"],
    run: async ({ accounts }, options) => {
      const keys = await accounts.listKeys(await knownAccount({ accounts }, options));
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
  "template push": {
    usage: "DIR --account ID [--id ID]",
    required: ["account"],
    optional: ["id"],
    positional: "DIR",
    run: async (services, options) => {
      const directory = option(options, "DIR");
      const read = await readTemplateFolder(directory);
      if (read.status === "broken") {
        throw new CommandError(read.problems.map(({ file, line, reason }) => `${file}:${line}: ${reason}`).join("\n"));
      }
      const accountId = await knownAccount(services, options);
      const { folder, content } = read;
      const result = await pushTemplate(services, { accountId, id: options["id"], folder, content });
      if (result.status === "not_found") throw new CommandError(`the account has no template ${options["id"]}`);
      if (result.status === "overtaken") throw new CommandError("another push of this template was first; push again");
      return { template: templateLine(result.template), changed: result.changed };
    },
  },
  "template list": {
    usage: "--account ID",
    required: ["account"],
    run: async (services, options) => {
      const templates = await services.templates.listAll(await knownAccount(services, options));
      return { templates: templates.map(templateLine) };
    },
  },
  "template delete": {
    usage: "--id ID",
    required: ["id"],
    run: async ({ templates }, options) => {
      const id = option(options, "id");
      if (!(await templates.remove(id))) throw new CommandError(`there is no template ${id}`);
      return { id, deleted: true };
    },
  },
  "webhook-secret show": {
    usage: "--account ID",
    required: ["account"],
    run: async (services, options) => {
      const accountId = await knownAccount(services, options);
      return { secrets: await services.secrets.valid(accountId, services.now()) };
    },
  },
  "webhook-secret rotate": {
    usage: "--account ID",
    required: ["account"],
    run: async (services, options) => ({
      secrets: await rotateWebhookSecret(services, await knownAccount(services, options)),
    }),
  },
  "webhook list": {
    usage: `--account ID [--status ${webhookStatuses.join("|")}]`,
    required: ["account"],
    optional: ["status"],
    run: async (services, options) => {
      const accountId = await knownAccount(services, options);
      const rows = await services.webhooks.list(accountId, statusOption(options));
      return { webhooks: rows.map(webhookLine) };
    },
  },
  "webhook redeliver": {
    usage: "--id ID",
    required: ["id"],
    run: async ({ webhooks, now }, options) => {
      const id = option(options, "id");
      if (!(await webhooks.redeliver(id, now()))) throw new CommandError(`there is no webhook ${id}`);
      return { id, status: "pending" };
    },
  },
};

function option(options: Options, name: string): string {
  const value = options[name];
  if (value === undefined) throw new Error(`the option ${name} was not checked`);
  return value;
}

function planOption(options: Options): PlanName {
  const plan = option(options, "plan");
  if (!isPlanName(plan)) throw new CommandError(`there is no plan ${plan}; plans are ${planNames.join(", ")}`);
  return plan;
}

function planChange(options: Options): { monthlyRenders?: number; apiAccess?: boolean } {
  const access = options["api-access"];
  const renders = options["monthly-renders"];
  if (access === undefined && renders === undefined) throw new CommandError("give --api-access or --monthly-renders");
  if (access !== undefined && access !== "on" && access !== "off") throw new CommandError("--api-access is on or off");
  if (renders !== undefined && !/^\d{1,9}$/.test(renders))
    throw new CommandError("--monthly-renders is a whole number");
  return {
    ...(access === undefined ? {} : { apiAccess: access === "on" }),
    ...(renders === undefined ? {} : { monthlyRenders: Number(renders) }),
  };
}

function statusOption({ status }: Options): WebhookStatus | undefined {
  const known = webhookStatuses.find((candidate) => candidate === status);
  if (status !== undefined && !known) throw new CommandError(`--status is ${webhookStatuses.join(", ")}`);
  return known;
}

async function knownAccount({ accounts }: Pick<OperatorServices, "accounts">, options: Options): Promise<string> {
  const id = option(options, "account");
  if (!(await accounts.findAccount(id))) throw noAccount(id);
  return id;
}

function noAccount(id: string): CommandError {
  return new CommandError(`there is no account ${id}`);
}

function templateLine(template: Template) {
  return { version: template.version, ...templateSummary(template) };
}

function webhookLine({ id, documentId, url, createdAt, delivery }: WebhookSummary) {
  const { status, attempts, nextAttemptAt, history } = delivery;
  const [last] = history;
  return {
    ...{ id, documentId, status, attempts },
    nextAttemptAt: iso(nextAttemptAt),
    lastStatus: last?.status ?? null,
    lastError: last?.error ?? null,
    url,
    createdAt: iso(createdAt),
    history: history.map(({ at, ...attempt }) => ({ at: iso(at), ...attempt })),
  };
}

function iso(ms: number): string;
function iso(ms: number | null): string | null;
function iso(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}
