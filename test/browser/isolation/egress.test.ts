// Tests that neither a template nor its data can make the browser connect to the trap server. The first test proves that connections
// are counted. An image is prepared by the same page script and captured from the same page.
import { env, exports } from "cloudflare:workers";
import { expect, inject, it } from "vitest";
import { field } from "colophon-test-kit/template-content";
import { newTenant, post } from "../../fixtures/tenant.ts";
import { egressVectors } from "../fixtures/egress-vectors.ts";

const vectors = egressVectors(inject("trapPort"));

it("the counter of connections counts a connection that the test itself makes", async () => {
  const before = await connectionsSoFar();

  await fetch(`http://127.0.0.1:${inject("trapPort")}/`);

  expect(await connectionsSoFar()).toBeGreaterThan(before);
});

it("unescaped data with any of the attack vectors makes no connection", async () => {
  const before = await connectionsSoFar();
  const tenant = await newTenant(env, {
    page: "<style>{{ markup | raw }}</style>{{ markup | raw }}<p style='background:url({{ markup }})'>{{ markup }}</p>",
    fields: [field("markup", "text")],
    // With the `<p>x</p>`, the header and the footer are never empty, so both are drawn, together with the page's styles.
    content: { header: "<p>x</p>{{ markup | raw }}", footer: "<p>x</p>{{ markup | raw }}" },
  });

  for (const [name, markup] of Object.entries(vectors)) {
    const response = await post(exports.default, tenant, { templateId: tenant.templateId, data: { markup } });
    expect(response.status, `${name}: ${await response.text()}`).toBe(201);
  }

  expect(await connectionsSoFar()).toBe(before);
});

async function connectionsSoFar(): Promise<number> {
  // Wait, so that late connections are counted too.
  await new Promise((resolve) => setTimeout(resolve, 300));
  return Number(await (await fetch(inject("trapCountUrl"))).text());
}

it("a warning states the number of frames and of blocked requests", async () => {
  const tenant = await newTenant(env, {
    page: `<iframe src="http://127.0.0.1:${inject("trapPort")}/"></iframe><img src="http://127.0.0.1:${inject("trapPort")}/"><meta http-equiv="refresh" content="0;url=http://127.0.0.1:${inject("trapPort")}/"><p>x</p>`,
    fields: [],
  });

  const response = await post(exports.default, tenant, { templateId: tenant.templateId, data: {} });

  const { data } = await response.json<{ data: { warnings: string[] } }>();
  const url = `http://127.0.0.1:${inject("trapPort")}/`;
  expect(data.warnings).toEqual([
    "Left 1 frame empty: a document cannot contain frames.",
    `Blocked 1 network request (${url}): documents are rendered offline.`,
  ]);
});

it.each(["pdf", "png"])(
  "the URL of a blocked image is counted and named once, however often the image is shown (%s)",
  async (format) => {
    const image = (query: string) => `<img src="https://cdn.example.com/logos/acme.png?${query}" height="20">`;
    const tenant = await newTenant(env, {
      page: `${image("a=1").repeat(3)}<p style="background:url('https://cdn.example.com/logos/acme.png?a=1')">x</p>`,
      fields: [],
      content: { header: image("a=1"), footer: image("b=2") },
    });

    const warnings: string[] = [];
    // The second document is rendered in the same page as the first.
    for (let times = 0; times < 2; times++) {
      const response = await post(exports.default, tenant, { templateId: tenant.templateId, data: {}, format });
      warnings.push(...(await response.json<{ data: { warnings: string[] } }>()).data.warnings);
    }

    const urls = format === "pdf" ? "2 network requests" : "1 network request";
    const more = format === "pdf" ? " and 1 more" : "";
    const warning = `Blocked ${urls} (https://cdn.example.com/…/acme.png${more}): documents are rendered offline.`;
    expect(warnings).toEqual([warning, warning]);
  },
);
