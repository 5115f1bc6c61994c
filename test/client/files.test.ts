import type { ServerResponse } from "node:http";
import { expect, it } from "vitest";
import { failure, serve, temporary, type Reply } from "./scripted-server.ts";

const text = "%PDF-1.7 a file";

function file(headers: Record<string, string> = {}, status = 200): Reply {
  return (response) => {
    response.writeHead(status, { "Content-Type": "application/pdf", "Content-Length": text.length, ...headers });
    response.end(text);
  };
}

/** Sends the beginning of a file of 1,000 bytes, and calls `then`. */
function beginning(then: (response: ServerResponse) => void): Reply {
  return (response) => {
    response.writeHead(200, { "Content-Type": "application/pdf", "Content-Length": "1000" });
    response.write(text, () => then(response));
  };
}

const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

it("documents.download returns the file with its name, type and size", async () => {
  const { client, server } = await serve(file({ "Content-Disposition": 'attachment; filename="invoice.pdf"' }));

  const downloaded = await client.documents.download("d1");

  expect(downloaded).toMatchObject({
    documentId: "d1",
    fileName: "invoice.pdf",
    contentType: "application/pdf",
    size: text.length,
  });
  expect(decode(await downloaded.bytes())).toBe(text);
  expect(server.requests[0]).toMatchObject({ method: "GET", path: "/api/v1/documents/d1/download" });
});

it.each([
  ['attachment; filename="a \\"b\\" c.pdf"', 'a "b" c.pdf'],
  ["attachment; filename=plain.pdf", "plain.pdf"],
  [`attachment; filename="R_.pdf"; filename*=UTF-8''R%C3%A9sum%C3%A9%20%E2%82%AC.pdf`, "Résumé €.pdf"],
  [`attachment; filename*=utf-8'en'a%3Bb.pdf; filename="x.pdf"`, "a;b.pdf"],
  [`attachment; filename="x.pdf"; filename*=UTF-8''%E0%A4%A`, "x.pdf"],
  ['attachment; filename="../../etc/passwd"', "passwd"],
  ["attachment; filename*=UTF-8''..%2F..%5Cboot.ini", "boot.ini"],
  ['attachment; filename=".."', "document-d1.pdf"],
  [undefined, "document-d1.pdf"],
])("documents.download reads the name from the header %j", async (header, name) => {
  const { client } = await serve(file(header === undefined ? {} : { "Content-Disposition": header }));

  const downloaded = await client.documents.download("d1");
  await downloaded.bytes();

  expect(downloaded.fileName).toBe(name);
});

it.each([
  ["image/jpeg", "jpg"],
  ["Image/WebP; x=1", "webp"],
])("documents.download names an unnamed file of the type %s document-d1.%s", async (type, extension) => {
  const { client } = await serve(file({ "Content-Type": type }));

  expect(await client.documents.download("d1")).toMatchObject({ fileName: `document-d1.${extension}` });
});

it("documents.download throws the error of the service", async () => {
  const { client } = await serve(failure(404, "DOCUMENT_NOT_FOUND"));

  await expect(client.documents.download("d1")).rejects.toMatchObject({ code: "DOCUMENT_NOT_FOUND" });
});

it("documents.download is retried until the file begins to arrive", async () => {
  const { client } = await serve(temporary, file());

  expect(decode(await (await client.documents.download("d1")).bytes())).toBe(text);
});

it.each([
  ["the connection is lost", beginning((response) => response.destroy())],
  ["the connection is closed", beginning((response) => response.socket?.end())],
])("documents.download fails with CONNECTION_FAILED if %s before the end of the file", async (_what, reply) => {
  const { client } = await serve(reply);
  const downloaded = await client.documents.download("d1");

  await expect(downloaded.bytes()).rejects.toMatchObject({ code: "CONNECTION_FAILED", name: "ColophonError" });
});

it("documents.download fails if the file ends too early although the connection stays open", async () => {
  const body = () => new Response("%PDF", { headers: { "Content-Type": "application/pdf", "Content-Length": "1000" } });
  const { server } = await serve();
  const client = server.client({ fetch: async () => body() });

  const downloaded = await client.documents.download("d1");

  await expect(downloaded.bytes()).rejects.toThrow("The file ended after 4 of 1000 bytes.");
});

it("documents.download does not compare the length of a file that was compressed in transit", async () => {
  const headers = { "Content-Type": "application/pdf", "Content-Length": "1000", "Content-Encoding": "br" };
  const { server } = await serve();
  const client = server.client({ fetch: async () => new Response("%PDF", { headers }) });

  const downloaded = await client.documents.download("d1");

  expect(downloaded.size).toBeNull();
  expect(decode(await downloaded.bytes())).toBe("%PDF");
});

it.each([
  ["of the request", {}, { timeoutMs: 500 }],
  ["of the client", { timeoutMs: 500 }, {}],
])("documents.download fails with TIMEOUT if the file stalls for the time %s", async (_whose, ofClient, ofRequest) => {
  const { server } = await serve(beginning(() => {}));
  const downloaded = await server.client(ofClient).documents.download("d1", ofRequest);

  await expect(downloaded.bytes()).rejects.toMatchObject({ code: "TIMEOUT" });
});

it("documents.download returns an empty file if the response has no body", async () => {
  const { server } = await serve();
  const response = new Response(null, { headers: { "Content-Type": "application/pdf" } });
  const client = server.client({ fetch: async () => response });

  expect(await (await client.documents.download("d1")).bytes()).toHaveLength(0);
});

it("documents.download stops when its signal is aborted while the file arrives", async () => {
  const controller = new AbortController();
  const closed = Promise.withResolvers<void>();
  const { client } = await serve(beginning((response) => response.once("close", closed.resolve)));
  const downloaded = await client.documents.download("d1", { signal: controller.signal });
  const reader = downloaded.stream.getReader();
  await reader.read();

  controller.abort(new Error("the user left"));

  await expect(reader.read()).rejects.toThrow("the user left");
  await closed.promise;
});

it("documents.download closes the connection when the stream is cancelled", async () => {
  const closed = Promise.withResolvers<void>();
  const { client } = await serve(beginning((response) => response.once("close", closed.resolve)));

  const { stream } = await client.documents.download("d1");
  await stream.cancel();

  await closed.promise;
});

const document = { templateId: "t1", data: {} };
const created = file({ "X-Document-Id": "d7" }, 201);

it("documents.createFile asks for the type of the format, and returns the file with the document's id", async () => {
  const { client, server } = await serve(created);

  const pdf = await client.documents.createFile(document);
  for (const format of ["png", "jpeg", "webp"] as const) await client.documents.createFile({ ...document, format });

  expect(pdf.documentId).toBe("d7");
  expect(decode(await pdf.bytes())).toBe(text);
  expect(server.requests.map(({ headers }) => headers.accept)).toEqual([
    "application/pdf",
    "image/png",
    "image/jpeg",
    "image/webp",
  ]);
});

it("documents.createFile fails with TIMEOUT if the file stalls", async () => {
  const { client } = await serve((response) => {
    const headers = { "Content-Type": "application/pdf", "Content-Length": "1000", "X-Document-Id": "d7" };
    response.writeHead(201, headers).write(text);
  });
  const pdf = await client.documents.createFile(document, { timeoutMs: 500 });

  await expect(pdf.bytes()).rejects.toMatchObject({ code: "TIMEOUT" });
});

it("documents.createFile fails if the response does not name the document", async () => {
  const { client } = await serve(file({}, 201));

  await expect(client.documents.createFile(document)).rejects.toMatchObject({ code: "UNEXPECTED_RESPONSE" });
});
