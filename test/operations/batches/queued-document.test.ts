import { expect, it } from "vitest";
import { templateContent } from "colophon-test-kit/template-content";
import { renderQueuedDocument } from "../../../src/operations/batches/render-items.ts";
import { putFile } from "../../fakes/renderer.ts";
import { fakeAccount, fakeNow, fakeServices, fakeTemplate } from "../../fakes/services.ts";
import { documentDraft } from "../../fixtures/documents.ts";

/** Queues a document. `render` makes one try. */
async function queuedDocument() {
  const services = fakeServices();
  const { account } = await fakeAccount(services);
  const template = fakeTemplate(services, account, templateContent({}));
  const draft = documentDraft({ accountId: account.id, templateId: template.id });
  const hold = { draft, leaseMs: 60_000, webhookUrl: null, cdnUrl: "https://files.test" };
  const request = { data: {}, format: "pdf" as const, deviceScaleFactor: 1 };
  const document = { hold, template, request, at: services.origin };
  services.state.documents.set(draft.id, { ...draft, status: "processing" });
  const render = ({ tries = 0, queuedAt = fakeNow }) => {
    const claimed = { document, queuedAt, isLarge: false, tries, interruptions: 0, faults: 0, due: 0 };
    return renderQueuedDocument(services.quota, services, claimed, 1);
  };
  return { services, state: services.state, draft, render };
}

/** Renders a document that has waited this long, with all browsers busy, and returns what the caller learns. */
async function renderAfter(waitedMs: number) {
  const { state, draft, render } = await queuedDocument();
  state.outcomes.push({ status: "no_capacity", retryAfterSeconds: 7 });
  const retryAfterSeconds = await render({ queuedAt: fakeNow - waitedMs });
  return { retryAfterSeconds, document: state.documents.get(draft.id) };
}

it("a queued document waits an hour for a browser, and then fails", async () => {
  const [before, after] = [await renderAfter(3_599_999), await renderAfter(3_600_000)];

  expect(before).toMatchObject({ retryAfterSeconds: 7, document: { status: "processing" } });
  const error = { message: "No browser was available for an hour." };
  expect(after).toMatchObject({ retryAfterSeconds: null, document: { status: "failed", error } });
});

it.each(["record of a completed", "removal of a failed"])(
  "a completed document has the file of its record if the %s first try takes effect at the end of the second try",
  async (what) => {
    const { services, state, draft, render } = await queuedDocument();
    const { documents, files, renderer } = services;
    const late: (() => Promise<unknown>)[] = [];
    /** The first call fails, and takes effect later. */
    const delayed =
      <Args extends unknown[], T>(call: (...args: Args) => Promise<T>) =>
      async (...args: Args): Promise<T> => {
        if (renders > 1 || late.length > 0) return call(...args);
        late.push(() => call(...args));
        throw new Error("Network connection lost.");
      };
    if (what.startsWith("record")) documents.insert = delayed(documents.insert);
    else files.remove = delayed(files.remove);
    let renders = 0;
    renderer.render = async (job) => {
      renders++;
      const stored = await putFile(state, { ...job, html: `${renders}` });
      if (renders === 1 && what.endsWith("failed")) return { status: "timed_out" };
      for (const call of late) await call();
      return { status: "rendered", ...stored };
    };

    await expect(render({})).rejects.toThrow("lost");
    await render({ tries: 1 });

    const { sha256 } = state.files.get(draft.fileKey) ?? {};
    expect(state.documents.get(draft.id)).toMatchObject({ status: "completed", sha256 });
  },
);
