// The service's Worker, in which the renders of batches and queued documents are fakes like in `testService`.
import type { RenderJob, RenderOutcome } from "colophon-render/render-job";
import { BatchRunner as RealBatchRunner } from "../../src/objects/batch-runner.ts";
import { batchServices } from "../../src/services/object-services.ts";
import { renderFile } from "./app.ts";

export { AccountQuota, BrowserPool, WebhookSender, default } from "../../src/index.ts";

/** How the documents of an account are rendered after the response to their request. By default, each gets a small file. */
export const laterRenders = new Map<string, (job: RenderJob) => Promise<RenderOutcome>>();

export class BatchRunner extends RealBatchRunner {
  constructor(ctx: DurableObjectState, env: Env) {
    const services = batchServices(env, (work) => ctx.waitUntil(work));
    const render = (job: RenderJob) => (laterRenders.get(job.accountId) ?? renderFile)(job);
    super(ctx, env, {
      ...services,
      servicesFor: (origin) => ({ ...services.servicesFor(origin), renderer: { render } }),
    });
  }
}
