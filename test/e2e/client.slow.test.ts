// The packed client in the hands of a customer: in an empty TypeScript project, in Node and workerd.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { unstable_startWorker as startWorker } from "wrangler";
import { clientProject, compilerNames, readmeExamples, type ClientProject } from "./client-project.ts";
import { read, startService, type RunningService } from "./service.ts";

let service: RunningService;
let project: ClientProject;
/** The type of the data of the template "Invoice" of the demo account. */
let invoiceData: string;

beforeAll(async () => {
  [service, project] = await Promise.all([startService(), clientProject()]);
  type Listed = { templates: { id: string; title: string }[] };
  const { templates } = await read<Listed>(service, { key: service.demoKey }, "/templates");
  const { id = "" } = templates.find(({ title }) => title === "Invoice") ?? {};
  ({ types: invoiceData } = await service.cli<{ types: string }>("template", "types", "--id", id));
}, 240_000);

afterAll(async () => {
  await service.stop();
  await project.remove();
});

describe("the packed client", () => {
  it("contains its code with types, a licence and a README, and nothing else", () => {
    const other = project.files.filter((path) => !/^dist\/[\w.-]+\.(js|d\.ts)$/.test(path));

    expect(other.sort()).toEqual(["LICENSE", "README.md", "package.json"]);
    expect(project.files).toContain("dist/client.js");
    expect(project.files).toContain("dist/client.d.ts");
  });

  it.each(compilerNames)("compiles with %s, which refuses data that does not fit the template", async (compiler) => {
    const [example = ""] = await readmeExamples();
    await project.write("first.ts", example);
    await project.write("invoice-data.ts", invoiceData);
    await project.write("typed.ts", typedCreates);

    expect(await project.compile(["first.ts", "typed.ts"], compiler)).toBe("");
  });

  it("makes a PDF with the first example of its README", async () => {
    const variables = { COLOPHON_URL: service.baseUrl, COLOPHON_KEY: service.demoKey };

    expect(await project.run("first.js", variables)).toMatch(/^http\S+\.pdf\n$/);

    const file = await readFile(join(project.folder, "invoice.pdf"));
    expect(file.subarray(0, 5).toString()).toBe("%PDF-");
  });

  it("also works with `require`", async () => {
    await project.write("required.cjs", 'console.log(typeof require("colophon-client").createClient);');

    expect(await project.run("required.cjs", {})).toBe("function\n");
  });

  it("makes a PDF in workerd", async () => {
    await project.write("worker.ts", workerSource);
    const worker = await startWorker({
      name: "customer",
      entrypoint: join(project.folder, "worker.ts"),
      compatibilityDate: "2026-11-01",
      bindings: {
        BASE_URL: { type: "plain_text", value: service.baseUrl },
        KEY: { type: "plain_text", value: service.demoKey },
      },
      dev: { server: { port: 0 }, inspector: false, watch: false, logLevel: "error" },
    });

    try {
      const response = await worker.fetch("http://customer.example/");
      expect(await response.json()).toEqual(expectedSteps);
    } finally {
      await worker.dispose();
    }
  });
});

/** What the Worker reports. */
const expectedSteps = {
  status: "completed",
  file: { start: "%PDF-", isComplete: true },
  listed: true,
  deleted: true,
  error: { code: "DOCUMENT_NOT_FOUND", status: 404, hasRequestId: true },
};

/** The body of a function with a client: creates, downloads, lists and deletes a document, and provokes an error. */
const steps = `
  const { templates } = await colophon.templates.listPage();
  const { id } = templates.find(({ title }) => title === "Invoice");
  const { sampleData } = await colophon.templates.get(id);
  const document = await colophon.documents.create({ templateId: id, data: sampleData });
  const download = await colophon.documents.download(document.id);
  const bytes = await download.bytes();
  let listed = false;
  for await (const each of colophon.documents.list({ limit: 1 })) listed ||= each.id === document.id;
  const { deleted } = await colophon.documents.delete(document.id);
  const error = await colophon.documents.get(document.id).catch((thrown) => thrown);
  return {
    status: document.status,
    file: {
      start: new TextDecoder().decode(bytes.subarray(0, 5)),
      isComplete: bytes.length === document.fileSize && bytes.length === download.size,
    },
    listed,
    deleted,
    error: { code: error.code, status: error.status, hasRequestId: /^[0-9a-f-]{36}$/.test(error.requestId) },
  };
`;

const workerSource = `// @ts-nocheck
import { createClient } from "colophon-client";
const run = async (colophon) => {${steps}};
export default {
  fetch: async (request, env) => Response.json(await run(createClient({ baseUrl: env.BASE_URL, apiKey: env.KEY }))),
};
`;

/** Each mistake must be an error, or the compiler complains about the comment above it. */
const typedCreates = `
import { createClient, type CreateDocument } from "colophon-client";
import type { Invoice } from "./invoice-data.ts";

const { documents } = createClient({ baseUrl: "http://localhost:8787/api/v1", apiKey: "key" });
const party = { name: "Ada", address: "Street 1" };
const item = { description: "Book", quantity: 1, unitPrice: 10 };
const data: Invoice = {
  invoiceNumber: "1", issueDate: "2026-11-20", dueDate: "2026-12-20", seller: party, customer: party, items: [item],
  notes: null,
};
const create = (data: Invoice) => documents.create<Invoice>({ templateId: "t", data });

export const pdfUrl: Promise<string> = create(data).then((document) => document.pdfUrl);
export const mistakes = [
  // @ts-expect-error: a required field is missing
  documents.create<Invoice>({ templateId: "t", data: { ...data, invoiceNumber: undefined } }),
  // @ts-expect-error: a key is misspelt
  create({ ...data, invoiceNumer: "1" }),
  // @ts-expect-error: a number is given as a string
  create({ ...data, items: [{ ...item, quantity: "1" }] }),
  // @ts-expect-error: an object in a list lacks a required field
  create({ ...data, items: [{ description: "Book", quantity: 1 }] }),
  // @ts-expect-error: a nested key is misspelt
  create({ ...data, seller: { ...party, vatNumer: "1" } }),
  // @ts-expect-error: a required field is null
  create({ ...data, seller: null }),
  // @ts-expect-error: a property of the request is misspelt
  documents.create<Invoice>({ templateId: "t", data, fromat: "png" }),
  // @ts-expect-error: a format that does not exist
  documents.create<Invoice>({ templateId: "t", data, format: "svg" }),
  // @ts-expect-error: the template is missing
  documents.create<Invoice>({ data }),
];
export const untyped: CreateDocument = { templateId: "t", data: { anything: [1, "a", null] } };
`;
