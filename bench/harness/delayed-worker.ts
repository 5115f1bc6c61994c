// The Worker of the service, in which each call of D1, R2, the queue or an object takes longer, as on a platform whose parts are far from
// each other. `/api/delay/20` sets how much longer in ms.
import { env } from "cloudflare:workers";
import service from "../../src/index.ts";
import { changeMethods, type Method } from "./change-methods.ts";

export { AccountQuota, BatchRunner, BrowserPool, WebhookSender } from "../../src/index.ts";

let delayMs = 0;

export default {
  ...service,
  fetch(request, variables, context) {
    const [, ms] = /\/api\/delay\/(\d+)$/.exec(request.url) ?? [];
    if (ms === undefined) return service.fetch(request, variables, context);
    delayMs = Number(ms);
    return new Response();
  },
} satisfies ExportedHandler<Env>;

function delayed(call: Method): Method {
  return async function (this: unknown, ...values) {
    if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs));
    return Reflect.apply(call, this, values);
  };
}

/** The methods of a stub are not known. */
function delayedStubs(get: Method): Method {
  return function (this: unknown, ...values) {
    const stub = Reflect.apply(get, this, values) as Record<string, Method>;
    return new Proxy(stub, { get: (_, name) => delayed((...call) => stub[String(name)]?.(...call)) });
  };
}

changeMethods(env.DB, ["batch"], delayed);
changeMethods(Object.getPrototypeOf(env.DB.prepare("SELECT 1")), ["all", "first", "raw", "run"], delayed);
for (const bucket of [env.FILES, env.PRIVATE_FILES, env.TEMPLATES])
  changeMethods(bucket, ["delete", "get", "head", "put"], delayed);
for (const objects of [env.ACCOUNT_QUOTA, env.BROWSER_POOL]) changeMethods(objects, ["get"], delayedStubs);
changeMethods(env.WEBHOOKS, ["send"], delayed);
