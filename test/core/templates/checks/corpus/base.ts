// The folder that the templates of the corpus start from: an order with fields of every type.
import { allFindings } from "../../../../../src/core/templates/folder/findings.ts";
import { validateTemplate } from "../../../../../src/core/templates/folder/validate-template.ts";
import type { Finding } from "../../../../../src/core/templates/checks/finding.ts";
import { bytesOf, gif, svg, type Files } from "../../../../fixtures/template-files.ts";

const fields = [
  { key: "number", type: "string", required: true },
  { key: "issuedOn", type: "date" },
  { key: "shippedAt", type: "datetime" },
  { key: "currency", type: "string", default: "EUR" },
  { key: "total", type: "number" },
  { key: "pieces", type: "integer" },
  { key: "isPaid", type: "boolean" },
  { key: "logo", type: "image" },
  { key: "notes", type: "text" },
  { key: "tags", type: "list", items: "string" },
  {
    key: "customer",
    type: "object",
    fields: [
      { key: "name", type: "string" },
      { key: "email", type: "string" },
      {
        key: "address",
        type: "object",
        fields: [
          { key: "street", type: "text" },
          { key: "city", type: "string" },
        ],
      },
    ],
  },
  {
    key: "items",
    type: "list",
    fields: [
      { key: "title", type: "string" },
      { key: "category", type: "string" },
      { key: "quantity", type: "integer" },
      { key: "price", type: "number" },
      { key: "deliveredOn", type: "date" },
      {
        key: "maker",
        type: "object",
        fields: [
          { key: "name", type: "string" },
          { key: "country", type: "string" },
        ],
      },
      {
        key: "parts",
        type: "list",
        fields: [
          { key: "label", type: "string" },
          { key: "weight", type: "number" },
        ],
      },
    ],
  },
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

/** A page alone, or the files that differ from those of the base. */
export type Template = string | Files;

/** Returns what a push reports about the template. */
export function findingsOf(template: Template, lenient = false): Finding[] {
  const changes = typeof template === "string" ? { "pages/1.liquid": template } : template;
  const all = Object.entries({ ...orderFiles, ...changes });
  const files = all.flatMap(([path, content]) => (content === null ? [] : [{ path, bytes: bytesOf(content) }]));
  return allFindings(validateTemplate({ files, problems: [] }, { lenient }));
}
