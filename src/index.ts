// The Worker: requests to the interface, and the two kinds of objects behind it.
import { createApp } from "./http/app.ts";
import { jsonLog } from "./platform/json-log.ts";
import { requestServices } from "./services.ts";

export { AccountQuota } from "./objects/account-quota.ts";
export { BrowserPool } from "./objects/browser-pool.ts";

const app = createApp({ servicesOf: requestServices, log: jsonLog });

export default { fetch: app.fetch } satisfies ExportedHandler<Env>;
