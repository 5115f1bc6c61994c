// Responds to the operator's commands that need the running service: repair, the deletion of accounts, and batches. Requests
// come from the command line, through an entry point that is not on the internet.
import { z } from "zod";
import { batchRecord, type BatchState } from "../core/batches/batch.ts";
import { repairPhases } from "../core/maintenance/repair.ts";
import { removeAccount } from "../operations/maintenance/remove-account.ts";
import { repairBatch } from "../operations/maintenance/repair.ts";
import type { MaintenanceServices } from "../ports/services.ts";

const requestSchema = z.discriminatedUnion("method", [
  z.object({
    method: z.literal("repair"),
    position: z.object({ phase: z.enum(repairPhases), after: z.string() }),
    options: z.object({ isForced: z.boolean() }),
  }),
  z.object({ method: z.enum(["removeAccount", "listBatches"]), accountId: z.string().min(1) }),
  z.object({ method: z.enum(["findBatch", "cancelBatch"]), accountId: z.string().min(1), batchId: z.string().min(1) }),
]);

export async function respondToMaintenance(services: MaintenanceServices, request: Request): Promise<Response> {
  const parsed = requestSchema.safeParse(await request.json().catch(() => null));
  if (!parsed.success) return new Response("this release of the service does not know the request", { status: 400 });
  try {
    return Response.json(await resultOf(services, parsed.data));
  } catch (cause) {
    services.log("error", { event: "maintenance.request_failed", method: parsed.data.method, cause });
    return new Response(`it failed; the reason is in the service's log (maintenance.request_failed)`, { status: 500 });
  }
}

/** The most batches that a list has. */
const listedBatches = 1_000;

async function resultOf(services: MaintenanceServices, request: z.infer<typeof requestSchema>): Promise<object | null> {
  const { batches } = services;
  switch (request.method) {
    case "repair":
      return repairBatch(services, request.position, request.options);
    case "removeAccount":
      return removeAccount(services, request.accountId);
    case "listBatches":
      return (await batches.list(request.accountId, { limit: listedBatches, offset: 0 })).batches.map(batchRecord);
    case "findBatch":
      return recordOf(await batches.find(request.accountId, request.batchId));
    case "cancelBatch":
      return recordOf(await batches.cancel(request.accountId, request.batchId));
  }
}

function recordOf(state: BatchState | null) {
  return state && batchRecord(state);
}
