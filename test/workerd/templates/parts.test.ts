// A version with parts in the real stores: a render uses the stored parts.
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import type { TemplateContent } from "colophon-template-model/template";
import { validateTemplate } from "colophon-template-model/validate-template";
import { bytesOf, svg, type Files } from "colophon-test-kit/template-files";
import { pushTemplate } from "../../../src/operations/templates/push-template.ts";
import { operatorServices } from "../../../src/services/operator-services.ts";
import { post, type Tenant } from "../../fixtures/tenant.ts";
import { dataOf, newWorld } from "../app.ts";

const fields = [
  { key: "number", type: "string" },
  { key: "items", type: "list", fields: [{ key: "title", type: "string" }] },
];

const files: Files = {
  "template.json": JSON.stringify({ title: "Letter", pageSize: "A4", styles: ["base.css"], fields }),
  "sample.json": JSON.stringify({ number: "7", items: [{ title: "Lamp" }] }),
  "pages/1.liquid":
    '{% layout "letter" %}\n{% block title %}No. {{ number }}, {{ block.super }}{% endblock %}\n{% render "row" for items as item %}',
  "footer.liquid": '{% render "foot", number: number %}',
  "parts/letter.liquid": "<h1>{% block title %}Letter{% endblock %}</h1>{% block %}{% endblock %}",
  "parts/row.liquid": '<p title="ü & „x“">{{ forloop.index }} {{ item.title }} {% render "sign" %}</p>',
  "shared/parts/foot.liquid": "<p>{{ number }}, page {{ page.number }}</p>",
  "shared/parts/sign.liquid": '<img src="{{ \'sign.svg\' | asset }}" alt="">',
  "shared/parts/unused.liquid": "<p>unused</p>",
  "shared/assets/sign.svg": svg,
  "shared/styles/base.css": "p { color: red }",
};

it("a version is rendered with its parts from the store", async () => {
  const { tenant, service } = await newWorld();
  const templateId = await push(tenant, validContent(files));

  const data = { number: "9", items: [{ title: "Lamp" }, { title: "<Shade>" }] };
  const record = await dataOf(await post(service, { ...tenant, templateId }, { templateId, data }));

  expect(record).toMatchObject({ status: "completed", warnings: [] });
  const html = service.jobs[0]?.html ?? "";
  expect(html).toContain("<h1>No. 9, Letter</h1>");
  expect(html).toMatch(/1 Lamp <img src=.*2 &lt;Shade&gt; <img src=/s);
});

it("a changed shared part makes a new version, and the earlier version does not change", async () => {
  const { tenant, service } = await newWorld();
  const templateId = await push(tenant, validContent(files));
  await push(tenant, validContent({ ...files, "shared/parts/foot.liquid": "<p>new {{ number }}</p>" }));

  const data = { number: "9", items: [] };
  const create = (templateVersion: number) =>
    post(service, { ...tenant, templateId }, { templateId, templateVersion, data });
  const records = [await dataOf(await create(1)), await dataOf(await create(2))];

  expect(records.map(({ templateVersion }) => templateVersion)).toEqual([1, 2]);
  const footers = service.jobs.map((job) => JSON.stringify(job));
  expect(footers.map((text) => text.includes("new 9"))).toEqual([false, true]);
});

function validContent(all: Files): TemplateContent {
  const entries = Object.entries(all).map(([path, content]) => ({ path, bytes: bytesOf(content ?? "") }));
  const result = validateTemplate({ files: entries, problems: [] });
  if (result.status === "broken") throw new Error(JSON.stringify(result.problems));
  return result.content;
}

async function push({ accountId }: Tenant, content: TemplateContent): Promise<string> {
  const { template } = await pushTemplate(operatorServices(env), { accountId, folder: "letter", content });
  return template.id;
}
