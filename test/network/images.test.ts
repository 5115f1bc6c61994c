import { env } from "cloudflare:workers";
import { expect, inject, it } from "vitest";
import { selfContainedHtml } from "colophon-test-kit/self-contained-html";
import { field } from "colophon-test-kit/template-content";
import { newTenant, post } from "../fixtures/tenant.ts";
import { dataOf, testService } from "../workerd/app.ts";

/**
 * Creates a document with an image from the test server, which responds according to `behaviour`. Returns the image source
 * that the renderer received, and the document's warnings and status.
 */
async function created(behaviour: string) {
  const tenant = await newTenant(env, { page: '<img src="{{ photo }}">', fields: [field("photo", "image")] });
  const service = testService();
  const photo = `${inject("receiverOrigin")}/${tenant.accountId}/${behaviour}`;
  const { warnings, status } = await dataOf(
    await post(service, tenant, { templateId: tenant.templateId, data: { photo } }),
  );
  const [job] = service.jobs;
  const [, source = null] = /<img src="([^"]*)">/.exec(job ? selfContainedHtml(job) : "") ?? [];
  return { source, warnings, status };
}

it.each(["image", "redirect-to-image"])(
  "an image from a server with the behaviour %s is inlined",
  async (behaviour) => {
    const { source, warnings } = await created(behaviour);

    expect(source).toMatch(/^data:image\/png;base64,iVBOR/);
    expect(warnings).toEqual([]);
  },
);

it("an image arrives completely, even if its server compresses it or states no length", async () => {
  const whole = await created("long-image");

  expect(whole.source).toHaveLength("data:image/png;base64,".length + 4 * Math.ceil(400_070 / 3));
  expect((await created("chunked-image")).source).toBe(whole.source);
  expect((await created("compressed-image")).source).toBe(whole.source);
});

it.each([
  ["its server responded with status 500", "fails"],
  ["its content is not a PNG, JPEG, WebP, AVIF, GIF or SVG image", "ok"],
  ["it is larger than 5 MB", "huge"],
  ["its server could not be reached", "reset"],
  ["it did not arrive in time", "hang"],
])("an image is left empty with a warning that states the reason (%s)", async (reason, behaviour) => {
  const { source, warnings, status } = await created(behaviour);

  expect(status).toBe("completed");
  expect(source).toBe("");
  expect(warnings).toEqual([`The image \`photo\` was left empty: ${reason}.`]);
});
