// Tests which links a PDF keeps.
import { env, exports } from "cloudflare:workers";
import { expect, it } from "vitest";
import { latin1 } from "../../fixtures/pdf.ts";
import { newTenant, post } from "../../fixtures/tenant.ts";

async function linksOf(page: string): Promise<{ links: string[]; warnings: string[] }> {
  const tenant = await newTenant(env, { page, fields: [] });
  const response = await post(exports.default, tenant, { templateId: tenant.templateId, data: {} });
  const { data } = await response.json<{ data: { pdfUrl: string; warnings: string[] } }>();
  const file = latin1(new Uint8Array(await (await exports.default.fetch(data.pdfUrl)).arrayBuffer()));
  const links = [...file.matchAll(/\/URI \((.*?)\)|\/Dest \/(\w+)/g)].map(([, uri, name]) => uri ?? `#${name}`);
  return { links, warnings: data.warnings };
}

const link = (target: string) => `<p><a href="${target}">${target}</a></p>`;

it("keeps links to web pages, mail addresses, telephone numbers and elements of the document", async () => {
  const targets = ["https://example.com/a", "http://example.com/b", "mailto:a@example.com", "tel:+31201234567"];

  const { links, warnings } = await linksOf(`${[...targets, "#there"].map(link).join("")}<p id="there">there</p>`);

  expect(links.toSorted()).toEqual([...targets, "#there"].toSorted());
  expect(warnings).toEqual([]);
});

it("removes relative links and links with unsupported schemes, and warns with the number of removed links", async () => {
  const targets = [
    "javascript:alert(1)",
    "file:///etc/passwd",
    "/relative",
    "data:text/html,x",
    " JavaScript:alert(1)",
  ];

  const { links, warnings } = await linksOf(targets.map(link).join(""));

  expect(links).toEqual([]);
  expect(warnings).toEqual(["Removed 5 links: only http, https, mailto, tel and #fragment links are allowed."]);
});
