// The commands for the batches of an account.
import { option } from "colophon-templates/command";
import type { Command, Commands } from "./command.ts";

export const batchCommands: Commands = {
  "batch list": {
    usage: "--account ID",
    run: async (api, options) => {
      const { list } = api.documentsOf(option(options, "account"));
      return { batches: await Array.fromAsync(list("GET /batches")) };
    },
  },
  "batch show": onBatch("GET /batches/{id}"),
  "batch cancel": onBatch("POST /batches/{id}/cancel"),
};

function onBatch(request: "GET /batches/{id}" | "POST /batches/{id}/cancel"): Command {
  return {
    usage: "--account ID --id ID",
    run: (api, options) =>
      api.documentsOf(option(options, "account")).call(request, { path: { id: option(options, "id") } }),
  };
}
