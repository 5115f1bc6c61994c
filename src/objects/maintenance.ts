// The entry point through which the operator's commands reach the running service, for what needs its Durable Objects. It has no
// address on the internet: only a service binding of the same platform account leads to it.
import { WorkerEntrypoint } from "cloudflare:workers";
import { respondToMaintenance } from "../jobs/maintenance-requests.ts";
import { maintenanceServices } from "../services/maintenance-services.ts";

export class Maintenance extends WorkerEntrypoint<Env> {
  override fetch(request: Request): Promise<Response> {
    return respondToMaintenance(maintenanceServices(this.env), request);
  }
}
