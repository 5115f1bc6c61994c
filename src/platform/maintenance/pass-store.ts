// The position of the scheduled repair pass in D1.
import { eq } from "drizzle-orm";
import type { RepairPosition } from "../../core/maintenance/repair.ts";
import type { PassStore } from "../../ports/maintenance.ts";
import type { D1Client } from "../d1/d1-client.ts";
import { repairPasses } from "../d1/schema.ts";

const name = "scheduled";

export function passStore(d1: D1Client): PassStore {
  return {
    async read() {
      const row = await d1.run((db) => db.select().from(repairPasses).where(eq(repairPasses.name, name)).get());
      const position = row?.position ? (JSON.parse(row.position) as RepairPosition) : null;
      return { position, finishedAt: row?.finishedAt ?? null };
    },
    async save({ position, finishedAt }) {
      const state = { position: position && JSON.stringify(position), finishedAt };
      const row = { name, ...state };
      await d1.run((db) =>
        db.insert(repairPasses).values(row).onConflictDoUpdate({ target: repairPasses.name, set: state }).run(),
      );
    },
  };
}
