import { expect, it } from "vitest";
import { createDocument } from "../../../src/operations/documents/create-document.ts";
import { fakeAccount, fakeServices, fakeTemplate } from "../../fakes/services.ts";
import { dataUri, png } from "../../fixtures/images.ts";
import { field, templateContent, type TenantOptions } from "../../fixtures/tenant.ts";

/** Creates a document, and returns it with the job that the renderer received. */
async function created(options: TenantOptions, data: Record<string, unknown> = {}) {
  const services = fakeServices();
  const { account } = await fakeAccount(services, { monthlyRenders: 5 });
  const { id: templateId } = fakeTemplate(services, account, templateContent(options));
  const arrivedAt = services.now();
  const settings = { format: "pdf", deviceScaleFactor: 2, idempotency: null, arrivedAt } as const;
  const { document } = await createDocument(services, account, { templateId, data, warnings: [], ...settings });
  const [job] = services.state.jobs;
  if (!job) throw new Error("nothing was rendered");
  return { document, job };
}

it("tells the renderer the document's creation date and the template's language", async () => {
  const { manifest } = templateContent({ fields: [] });

  const { document, job } = await created({ content: { manifest: { ...manifest, locale: "pt-BR" } } });

  expect(job.metadata).toEqual({ createdAt: document.createdAt, language: "pt-BR" });
});

it("leaves out an image that would decode to gigabytes, and warns", async () => {
  const bomb = dataUri("png", png(60_000, 60_000));
  const good = dataUri("png", png(60, 60));
  const fields = [field("people", "list", { fields: [field("face", "image")] })];

  const { document, job } = await created(
    { page: '{% for p in people %}<img src="{{ p.face }}">{% endfor %}', fields },
    { people: [{ face: good }, { face: bomb }] },
  );

  expect(job.html).not.toContain(bomb);
  expect(job.html).toContain(good);
  expect(document).toMatchObject({ warnings: [expect.stringMatching(/^The image `people\.1\.face` was left empty/)] });
});
