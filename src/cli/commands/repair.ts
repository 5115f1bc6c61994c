// The command that repairs data that crashes left inconsistent. The running service does this by itself once a day.
import type { DataOf, OperatorRequests } from "colophon-client/manage";
import { CommandError, type Options } from "colophon-templates/command";
import type { ServiceApi } from "../service-api.ts";
import type { Commands } from "./command.ts";

export const repairCommands: Commands = {
  repair: {
    usage: "[--force]",
    run: repair,
  },
};

type Batch = DataOf<OperatorRequests["POST /repair"]>;
type Repair = Batch["repairs"][number];

/** Runs a complete pass, batch by batch. A command that was interrupted can simply be run again. */
async function repair(api: ServiceApi, options: Options): Promise<{ repaired: Repair[] }> {
  const repaired: Repair[] = [];
  const refused: Repair[] = [];
  const isForced = options["force"] === "on";
  for (let position: Batch["next"] | undefined; position !== null;) {
    const batch: Batch = await api.call("POST /repair", { body: { position, isForced } });
    repaired.push(...batch.repairs);
    refused.push(...batch.refused);
    position = batch.next;
  }
  if (refused.length > 0) throw tooMany(refused);
  return { repaired };
}

function tooMany(refused: Repair[]): CommandError {
  const counts = [...Map.groupBy(refused, ({ kind }) => kind)].map(([kind, ofKind]) => `${ofKind.length} x ${kind}`);
  return new CommandError(
    `not repaired, because there are suspiciously many: ${counts.join(", ")}. ` +
      "Check that the bucket and the database match. If the damage is real, repair it with --force.",
  );
}
