// The commands for the batches of an account.
import { option } from "colophon-templates/command";
import { accountPath, type Command, type Commands } from "./command.ts";

export const batchCommands: Commands = {
  "batch list": {
    usage: "--account ID",
    run: async (api, options) => ({ batches: await api.list(`${accountPath(options)}/batches`, "batches") }),
  },
  "batch show": onBatch("GET", ""),
  "batch cancel": onBatch("POST", "/cancel"),
};

function onBatch(method: string, action: string): Command {
  return {
    usage: "--account ID --id ID",
    run: (api, options) => {
      const id = encodeURIComponent(option(options, "id"));
      return api.call(method, `${accountPath(options)}/batches/${id}${action}`);
    },
  };
}
