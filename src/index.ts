// The Worker: requests to the interface, messages of the queues, the clock, and the three kinds of objects behind them.
import { createApp } from "./http/app.ts";
import { consumeCallbackMessages } from "./jobs/callback-messages.ts";
import { sweepCallbacks } from "./operations/hand-over-callbacks.ts";
import { jsonLog } from "./platform/json-log.ts";
import { handOverServices, requestServices } from "./services.ts";

export { AccountQuota } from "./objects/account-quota.ts";
export { BrowserPool } from "./objects/browser-pool.ts";
export { CallbackSender } from "./objects/callback-sender.ts";

const app = createApp({ servicesOf: requestServices, log: jsonLog });

export default {
  fetch: app.fetch,
  queue: (batch, env) => consumeCallbackMessages(handOverServices(env), batch),
  scheduled: (_controller, env) => sweepCallbacks(handOverServices(env)),
} satisfies ExportedHandler<Env>;
