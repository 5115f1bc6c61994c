import { expect, it } from "vitest";
import { templateContent } from "colophon-test-kit/template-content";
import { renderQueuedDocument } from "../../../src/operations/batches/render-items.ts";
import { fakeAccount, fakeNow, fakeServices, fakeTemplate } from "../../fakes/services.ts";
import { documentDraft } from "../../fixtures/documents.ts";

/** Renders a document that has waited this long, with all browsers busy, and returns what the caller learns. */
async function renderAfter(waitedMs: number) {
  const services = fakeServices();
  const { account } = await fakeAccount(services);
  const template = fakeTemplate(services, account, templateContent({}));
  const draft = documentDraft({ accountId: account.id, templateId: template.id });
  const hold = { draft, leaseMs: 60_000, webhookUrl: null, cdnUrl: "https://files.test" };
  const request = { data: {}, format: "pdf" as const, deviceScaleFactor: 1 };
  const document = { hold, template, request, at: services.origin };
  services.state.documents.set(draft.id, { ...draft, status: "processing" });
  services.state.outcomes.push({ status: "no_capacity", retryAfterSeconds: 7 });
  const tries = { tries: 0, interruptions: 0, faults: 0, due: 0 };
  const claimed = { ...tries, document, queuedAt: fakeNow - waitedMs, isLarge: false };
  const retryAfterSeconds = await renderQueuedDocument(services.quota, services, claimed, 1);
  return { retryAfterSeconds, document: services.state.documents.get(draft.id) };
}

it("a queued document waits an hour for a browser, and then fails", async () => {
  const [before, after] = [await renderAfter(3_599_999), await renderAfter(3_600_000)];

  expect(before).toMatchObject({ retryAfterSeconds: 7, document: { status: "processing" } });
  const error = { message: "No browser was available for an hour." };
  expect(after).toMatchObject({ retryAfterSeconds: null, document: { status: "failed", error } });
});
