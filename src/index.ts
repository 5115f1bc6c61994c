// The Worker's entry point: handles API requests, queue messages and the scheduled run, and exports the four Durable
// Object classes.
import { createApp } from "./http/app.ts";
import { runMaintenance } from "./operations/maintenance/run-maintenance.ts";
import { consumeWebhookMessages } from "./operations/webhooks/dispatch-webhooks.ts";
import { jsonLog } from "./platform/json-log.ts";
import { dispatchServices, maintenanceServices } from "./services/maintenance-services.ts";
import { operatorServices } from "./services/operator-services.ts";
import { requestServices } from "./services/request-services.ts";

export { AccountQuota } from "./objects/account-quota.ts";
export { BatchRunner } from "./objects/batch-runner.ts";
export { BrowserPool } from "./objects/browser-pool.ts";
export { WebhookSender } from "./objects/webhook-sender.ts";

const app = createApp({
  servicesOf: requestServices,
  manageServicesOf: operatorServices,
  maintenanceServicesOf: maintenanceServices,
  log: jsonLog,
});

export default {
  fetch: app.fetch,
  queue: (batch, env) => consumeWebhookMessages(dispatchServices(env), batch.messages),
  scheduled: (_controller, env) => runMaintenance(maintenanceServices(env)),
} satisfies ExportedHandler<Env>;
