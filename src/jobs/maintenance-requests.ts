// Responds to the operator's commands that need the running service: repair, and the deletion of accounts. Requests come from
// the command line, through an entry point that is not on the internet.
import { z } from "zod";
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
  z.object({ method: z.literal("removeAccount"), accountId: z.string().min(1) }),
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

function resultOf(services: MaintenanceServices, request: z.infer<typeof requestSchema>): Promise<object> {
  switch (request.method) {
    case "repair":
      return repairBatch(services, request.position, request.options);
    case "removeAccount":
      return removeAccount(services, request.accountId);
  }
}
