// The packed client as a customer uses it: in an empty TypeScript project, in Node, workerd and a browser.
import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { join } from "node:path";
import { build } from "esbuild";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { clientProject, compilerNames, readmeExamples, type ClientProject } from "./client-project.ts";
import { expectedSteps, useClient, type StepsInput } from "./client-steps.ts";
import { launchChromium } from "./local-chromium.ts";
import { originOf, pushSample } from "./service.ts";
import { startWithReceiver, type ServiceWithReceiver } from "./webhook-receiver.ts";

let running: ServiceWithReceiver;
let project: ClientProject;
let input: StepsInput;

beforeAll(async () => {
  [running, project] = await Promise.all([startWithReceiver(), clientProject()]);
  const { service, account } = running;
  const { templateId } = await pushSample(service, account, "templates/invoice");
  input = { baseUrl: service.baseUrl, apiKey: account.key, templateId, webhook: await receivedWebhook() };
}, 240_000);

afterAll(async () => {
  await running.stop();
  await project.remove();
});

async function receivedWebhook(): Promise<StepsInput["webhook"]> {
  const { service, account, messages } = running;
  const { secrets } = await service.cli<{ secrets: string[] }>("webhook-secret", "show", "--account", account.id);
  await running.create();
  const { body, headers } = await vi.waitUntil(() => messages[0], { timeout: 30_000 });
  const ofMessage = Object.entries(headers).filter(([name]) => name.startsWith("webhook-"));
  return { body, headers: Object.fromEntries(ofMessage), secrets };
}

it("the packed client contains its code with types, a licence and a README, and nothing else", () => {
  const other = project.files.filter((path) => !/^[\w.-]+\.(js|d\.ts)$/.test(path));

  expect(other.sort()).toEqual(["LICENSE", "README.md", "package.json"]);
  for (const entry of ["client", "manage"])
    expect(project.files).toEqual(expect.arrayContaining([`${entry}.js`, `${entry}.d.ts`]));
});

it.each(compilerNames)("the packed client compiles with %s, which refuses data of wrong types", async (compiler) => {
  const [example = ""] = await readmeExamples();
  await project.write("first.ts", example);
  await project.write("typed.ts", typedCreates);
  await project.write("managed.ts", typedRequests);

  expect(await project.compile(["first.ts", "typed.ts", "managed.ts"], compiler)).toBe("");
});

it("the packed client creates a PDF with the first example in its README", async () => {
  const variables = { COLOPHON_URL: input.baseUrl.replace(/\/api\/v1$/, ""), COLOPHON_KEY: input.apiKey };

  expect(await project.run("first.js", variables)).toMatch(/^http\S+\.pdf\n$/);

  const file = await readFile(join(project.folder, "invoice.pdf"));
  expect(file.subarray(0, 5).toString()).toBe("%PDF-");
});

it("the packed client also works with `require`", async () => {
  await project.write("required.cjs", 'console.log(typeof require("colophon-client").createClient);');

  expect(await project.run("required.cjs", {})).toBe("function\n");
});

it("the packed client creates, downloads, lists and deletes documents, and verifies webhooks, in Node", async () => {
  const main = `console.log(JSON.stringify(await (${useClient})(await import("colophon-client"), ${inputText()})));`;
  await project.write("main.js", main);

  expect(JSON.parse(await project.run("main.js", {}))).toEqual(expectedSteps);
});

it("the packed client creates, downloads, lists and deletes documents, and verifies webhooks, in workerd", async () => {
  await project.write("worker.js", workerSource());
  const entry = join(project.folder, "worker.js");
  const bundle = await build({ entryPoints: [entry], bundle: true, format: "esm", write: false });
  const worker = new Miniflare(
    convertV4MiniflareOptions({
      modules: true,
      script: bundle.outputFiles[0]?.text ?? "",
      compatibilityDate: "2026-11-01",
    }),
  );

  try {
    const response = await worker.dispatchFetch("http://customer.example/");
    expect(await response.json()).toEqual(expectedSteps);
  } finally {
    await worker.dispose();
  }
});

it("the packed client creates, downloads, lists and deletes documents in a browser, on a page of a different origin", async () => {
  const site = serverOf(project.client);
  const browser = await launchChromium();

  try {
    const page = await browser.newPage();
    await page.goto(await originOf(site));
    const run = `import("/client.js").then((client) => (${useClient})(client, ${inputText()}))`;
    expect(await page.evaluate(run)).toEqual(expectedSteps);
  } finally {
    await browser.close();
    await new Promise((resolve) => site.close(resolve));
  }
});

const inputText = () => JSON.stringify(input);

const workerSource = () => `
import * as client from "colophon-client";
export default { fetch: async () => Response.json(await (${useClient})(client, ${inputText()})) };
`;

/** Serves an empty page at the root, and the files of the folder. */
function serverOf(folder: string): Server {
  return createServer(async (request, response) => {
    const name = /^\/([\w.-]+\.js)$/.exec(request.url ?? "")?.[1];
    response.setHeader("Content-Type", name ? "text/javascript" : "text/html");
    response.end(name ? await readFile(join(folder, name)) : "<!doctype html><title>A page</title>");
  });
}

/** Each mistake must be an error, or the compiler complains about the comment above it. */
const typedCreates = `
import { createClient, type CreateDocument } from "colophon-client";

type Invoice = { invoiceNumber: string; items: { quantity: number }[]; notes?: string | null };

const { documents } = createClient({ baseUrl: "http://localhost:8787/api/v1", apiKey: "key" });
const data: Invoice = { invoiceNumber: "1", items: [{ quantity: 1 }], notes: null };
const create = (data: Invoice) => documents.create<Invoice>({ templateId: "t", data });

export const pdfUrl: Promise<string> = create(data).then((document) => document.pdfUrl);
export const mistakes = [
  // @ts-expect-error: a required field is missing
  documents.create<Invoice>({ templateId: "t", data: { ...data, invoiceNumber: undefined } }),
  // @ts-expect-error: a key is misspelt
  create({ ...data, invoiceNumer: "1" }),
  // @ts-expect-error: a number in a list is given as a string
  create({ ...data, items: [{ quantity: "1" }] }),
  // @ts-expect-error: a property of the request is misspelt
  documents.create<Invoice>({ templateId: "t", data, fromat: "png" }),
  // @ts-expect-error: a format that does not exist
  documents.create<Invoice>({ templateId: "t", data, format: "svg" }),
  // @ts-expect-error: the template is missing
  documents.create<Invoice>({ data }),
];
export const untyped: CreateDocument = { templateId: "t", data: { anything: [1, "a", null] } };
`;

const typedRequests = `
import { createManageClient, type KeyRecord, type OperatorRequests } from "colophon-client/manage";

const options = { baseUrl: "http://localhost:8787/api/manage/v1", apiKey: "key" };
const account = createManageClient(options);
const operator = createManageClient<OperatorRequests>({ ...options, baseUrl: options.baseUrl + "/admin" });

export async function use(): Promise<KeyRecord[]> {
  const { template } = await account.call("PUT /templates/{template}", {
    path: { template: "invoice" }, header: { "If-Match": '"3"' }, body: new Blob([], { type: "application/zip" }),
  });
  for await (const { version } of account.list("GET /templates/{template}/versions", { path: { template: template.id } }))
    await account.file("GET /templates/{template}/versions/{version}/files", { path: { template: template.id, version } });
  await operator.call("PATCH /accounts/{id}", { path: { id: "a" }, body: { plan: "pro" } });
  return (await account.call("GET /keys", { query: { limit: 10 } })).keys;
}
export const mistakes = [
  // @ts-expect-error: there is no such request
  () => account.call("GET /key"),
  // @ts-expect-error: a request of the operator
  () => account.call("GET /plans"),
  // @ts-expect-error: the template is missing
  () => account.call("DELETE /templates/{template}"),
  // @ts-expect-error: a parameter of the query is misspelt
  () => account.call("GET /keys", { query: { limitt: 10 } }),
  // @ts-expect-error: a plan that does not exist
  () => operator.call("PATCH /accounts/{id}", { path: { id: "a" }, body: { plan: "gold" } }),
  // @ts-expect-error: a property that responses do not have
  async () => (await account.call("GET /keys")).key,
];
`;
