// Calls the maintenance of a running service through its `Maintenance` entry point, which only other Workers of the same
// platform account can reach, and locally only processes with the same STATE_DIR.
import type { MaintenanceService } from "../../ports/maintenance.ts";
import { withDeadline } from "colophon-base/deadline";

/** A batch may settle hundreds of holds. */
const timeoutMs = 120_000;

/** `service` is undefined where no service can be reached; every call then rejects. */
export function maintenanceClient(service: Pick<Fetcher, "fetch"> | undefined): MaintenanceService {
  const call = async <R>(request: object): Promise<R> => {
    if (!service) throw new Error("this command needs a running service");
    const body = JSON.stringify(request);
    const sent = service.fetch("http://maintenance/", { method: "POST", body });
    const response = await withDeadline("the service", timeoutMs, sent);
    const text = await response.text();
    if (response.ok) return JSON.parse(text) as R;
    if (response.status === 503) throw new Error(`this command needs the running service: ${firstLine(text)}`);
    throw new Error(`the service failed (${response.status}): ${firstLine(text)}`);
  };
  return {
    repair: (position, options) => call({ method: "repair", position, options }),
    removeAccount: (accountId) => call({ method: "removeAccount", accountId }),
    listBatches: (accountId) => call({ method: "listBatches", accountId }),
    findBatch: (accountId, batchId) => call({ method: "findBatch", accountId, batchId }),
    cancelBatch: (accountId, batchId) => call({ method: "cancelBatch", accountId, batchId }),
  };
}

function firstLine(text: string): string {
  return text.split("\n")[0] ?? "";
}
