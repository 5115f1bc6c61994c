// Tests that nothing in a template or in data makes the browser connect to a listener.
import { env, exports } from "cloudflare:workers";
import { expect, inject, it } from "vitest";
import { field, newTenant, post, pushed } from "../../fixtures/tenant.ts";
import { egressVectors } from "../fixtures/egress-vectors.ts";

const vectors = egressVectors(inject("trapPort"));

async function connectionsSoFar(): Promise<number> {
  // Late connections must be counted too.
  await new Promise((resolve) => setTimeout(resolve, 300));
  return Number(await (await fetch(inject("trapCountUrl"))).text());
}

it("counts a connection of the test itself, which proves that the count works", async () => {
  const before = await connectionsSoFar();

  await fetch(`http://127.0.0.1:${inject("trapPort")}/`);

  expect(await connectionsSoFar()).toBeGreaterThan(before);
});

for (const format of ["pdf", "png"] as const) {
  it(`makes no connection for any vector in a template (${format})`, async () => {
    const before = await connectionsSoFar();
    const tenant = await newTenant(env);

    for (const [name, page] of Object.entries(vectors)) {
      const templateId = await pushed(
        env,
        tenant.accountId,
        { page: `{% raw %}${page}{% endraw %}`, fields: [] },
        name,
      );
      const response = await post(exports.default, tenant, { templateId, data: {}, format });
      expect(response.status, `${name}: ${await response.text()}`).toBe(201);
    }

    expect(await connectionsSoFar()).toBe(before);
  });

  it(`makes no connection for any vector in data that the template does not escape (${format})`, async () => {
    const before = await connectionsSoFar();
    const tenant = await newTenant(env, {
      page: "<style>{{ markup | raw }}</style>{{ markup | raw }}<p style='background:url({{ markup }})'>{{ markup }}</p>",
      fields: [field("markup", "text")],
      // The `<p>x</p>` ensures that the header and the footer are drawn, because their SVG images contain the page's styles.
      content: { header: "<p>x</p>{{ markup | raw }}", footer: "<p>x</p>{{ markup | raw }}" },
    });

    for (const [name, markup] of Object.entries(vectors)) {
      const response = await post(exports.default, tenant, { templateId: tenant.templateId, data: { markup }, format });
      expect(response.status, `${name}: ${await response.text()}`).toBe(201);
    }

    expect(await connectionsSoFar()).toBe(before);
  });
}

it("warns with the number of requests that it blocked", async () => {
  const tenant = await newTenant(env, {
    page: `<iframe src="http://127.0.0.1:${inject("trapPort")}/"></iframe><meta http-equiv="refresh" content="0;url=http://127.0.0.1:${inject("trapPort")}/"><p>x</p>`,
    fields: [],
  });

  const response = await post(exports.default, tenant, { templateId: tenant.templateId, data: {} });

  const { data } = await response.json<{ data: { warnings: string[] } }>();
  expect(data.warnings).toEqual(["Blocked 1 network request: documents are rendered offline."]);
});
