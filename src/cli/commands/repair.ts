// The command that repairs what crashes have left. The running service does the same by itself, once a day.
import { passStart, type Repair, type RepairPosition } from "../../core/maintenance/repair.ts";
import type { OperatorServices } from "../../ports/services.ts";
import { CommandError, type Commands, type Options } from "./command.ts";

export const repairCommands: Commands = {
  repair: {
    usage: "[--dry-run] [--force]",
    required: [],
    flags: ["dry-run", "force"],
    run: repair,
  },
};

type RepairReport = { repaired: Repair[] } | { wouldRepair: Repair[]; wouldRefuse: Repair[] };

/** Runs a whole pass, one batch after another. A command that was interrupted can simply be run again. */
async function repair({ service }: OperatorServices, options: Options): Promise<RepairReport> {
  const isDryRun = options["dry-run"] === "on";
  const repairs: Repair[] = [];
  const refused: Repair[] = [];
  for (let position: RepairPosition | null = passStart(); position;) {
    const batch = await service.repair(position, { isDryRun, isForced: options["force"] === "on" });
    repairs.push(...batch.repairs);
    refused.push(...batch.refused);
    position = batch.next;
  }
  if (refused.length > 0 && !isDryRun) throw tooMany(refused);
  return isDryRun ? { wouldRepair: repairs, wouldRefuse: refused } : { repaired: repairs };
}

function tooMany(refused: Repair[]): CommandError {
  const counts = [...Map.groupBy(refused, ({ kind }) => kind)].map(([kind, ofKind]) => `${ofKind.length} x ${kind}`);
  return new CommandError(
    `not repaired, because there are too many for an accident: ${counts.join(", ")}. ` +
      "Check that the bucket and the database belong together. See them with --dry-run, and repair them with --force.",
  );
}
