// The folder that the templates of the corpus start from: an order with fields of every type.
import { validateTemplate } from "colophon-template-model/validate-template";
import { gif, svg, templateFiles, type Files } from "colophon-test-kit/template-files";
import { advice } from "../../src/check-template.ts";
import { allFindings } from "../../src/findings.ts";
import type { Finding } from "../../src/findings.ts";

/** Parses fields from strings such as "name:string". */
const fieldsOf = (text: string) =>
  text.split(" ").map((written) => {
    const [key, type] = written.split(":");
    return { key, type };
  });

const maker = { key: "maker", type: "object", fields: fieldsOf("name:string country:string") };
const parts = { key: "parts", type: "list", fields: fieldsOf("label:string weight:number") };
const itemFields = fieldsOf("title:string category:string quantity:integer price:number deliveredOn:date");
const address = { key: "address", type: "object", fields: fieldsOf("street:text city:string") };

const fields = [
  { key: "number", type: "string", required: true },
  ...fieldsOf("issuedOn:date shippedAt:datetime"),
  { key: "currency", type: "string", default: "EUR" },
  ...fieldsOf("total:number pieces:integer isPaid:boolean logo:image notes:text"),
  { key: "tags", type: "list", items: "string" },
  { key: "customer", type: "object", fields: [...fieldsOf("name:string email:string"), address] },
  { key: "items", type: "list", fields: [...itemFields, maker, parts] },
];

const sample = {
  number: "2026-17",
  issuedOn: "2026-11-20",
  shippedAt: "2026-11-21T09:30:00Z",
  total: 120.5,
  pieces: 3,
  isPaid: true,
  notes: "Thank you.\n\nSee you soon.",
  tags: ["fragile", "gift"],
  customer: { name: "Ada", email: "ada@example.com", address: { street: "Kade 1", city: "Delft" } },
  items: [
    {
      title: "Lamp",
      category: "light",
      quantity: 2,
      price: 50.25,
      deliveredOn: "2026-11-22",
      maker: { name: "Lux", country: "NL" },
      parts: [{ label: "Bulb", weight: 0.1 }],
    },
    { title: "Shade", category: "textile", quantity: 1, price: 20, parts: [] },
  ],
};

export const orderManifest = { title: "Order", pageSize: "A4", fields };

const orderFiles: Files = {
  "template.json": JSON.stringify(orderManifest, null, 1),
  "sample.json": JSON.stringify(sample, null, 1),
  "pages/1.liquid": "<p>{{ number }}</p>",
  "assets/logo.svg": svg,
  "assets/photo.gif": gif,
};

/** A page alone, or the files that differ from the base. */
export type Template = string | Files;

/** Returns what a push reports about the template. */
export function findingsOf(template: Template, lenient = false): Finding[] {
  const changes = typeof template === "string" ? { "pages/1.liquid": template } : template;
  const files = templateFiles({ ...orderFiles, ...changes });
  return allFindings(validateTemplate({ files, problems: [] }, { advise: advice({ lenient }) }));
}
