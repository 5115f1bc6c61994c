// The Worker's entry point: handles API requests, queue messages and the scheduled run, and exports the three Durable
// Object classes.
import { createApp } from "./http/app.ts";
import { consumeWebhookMessages } from "./jobs/webhook-messages.ts";
import { dispatchOverdueWebhooks } from "./operations/webhooks/dispatch-webhooks.ts";
import { jsonLog } from "./platform/json-log.ts";
import { dispatchServices, requestServices } from "./services.ts";

export { AccountQuota } from "./objects/account-quota.ts";
export { BrowserPool } from "./objects/browser-pool.ts";
export { WebhookSender } from "./objects/webhook-sender.ts";

const app = createApp({ servicesOf: requestServices, log: jsonLog });

export default {
  fetch: app.fetch,
  queue: (batch, env) => consumeWebhookMessages(dispatchServices(env), batch),
  scheduled: (_controller, env) => dispatchOverdueWebhooks(dispatchServices(env)),
} satisfies ExportedHandler<Env>;
