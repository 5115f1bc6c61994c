// The commands for the batches of an account. They need the running service, because an object of it keeps the batches.
import type { BatchRecord } from "../../core/batches/batch.ts";
import { CommandError, option } from "colophon-templates/command";
import { accountOption, type Command, type Commands } from "./command.ts";

export const batchCommands: Commands = {
  "batch list": {
    usage: "--account ID",
    required: ["account"],
    run: async (services, options) => ({
      batches: await services.service.listBatches(await accountOption(services, options)),
    }),
  },
  "batch show": onBatch("findBatch"),
  "batch cancel": onBatch("cancelBatch"),
};

function onBatch(method: "findBatch" | "cancelBatch"): Command {
  return {
    usage: "--account ID --id ID",
    required: ["account", "id"],
    async run(services, options): Promise<BatchRecord> {
      const id = option(options, "id");
      const batch = await services.service[method](await accountOption(services, options), id.toLowerCase());
      if (!batch) throw new CommandError(`the account has no batch ${id}`);
      return batch;
    },
  };
}
