import { describe, expect, it } from "vitest";
import {
  getDocument,
  getDownload,
  getPublicFile,
  listDocuments,
  openFile,
} from "../../../src/operations/documents/read-documents.ts";
import { fakeAccount } from "../../fakes/services.ts";
import { withCompleted, withFailed } from "./world.ts";

const notFound = { code: "DOCUMENT_NOT_FOUND" };

describe("getDocument and getDownload", () => {
  it("find the account's document", async () => {
    const { services, account, document } = await withCompleted();

    expect(await getDocument(services, account, document.id)).toEqual(document);
    expect(await getDownload(services, account, document.id)).toEqual(document);
  });

  it("give the same message for another account's document as for an unknown id", async () => {
    const { services, document } = await withCompleted();
    const { account: other } = await fakeAccount(services);
    const messageOf = (id: string) => getDocument(services, other, id).catch(({ message }: Error) => message);

    const [foreign, unknown] = [await messageOf(document.id), await messageOf("nope")];

    expect(foreign).toBe(unknown);
  });

  it("explain why a failed document has no download", async () => {
    const { services, account, id } = await withFailed({ released: true });

    const download = getDownload(services, account, id);

    await expect(download).rejects.toMatchObject({ ...notFound, message: expect.stringContaining("failed") });
  });
});

describe("listDocuments", () => {
  const page = { limit: 10, offset: 0 };

  it("returns the number of the account's documents that match the filter with a page of them", async () => {
    const { services, account, document } = await withCompleted();

    const [completed, failed] = await Promise.all([
      listDocuments(services, account, { status: "completed" }, page),
      listDocuments(services, account, { status: "failed" }, page),
    ]);

    expect(completed).toEqual({ documents: [document], more: null, total: 1, totalIsExact: true });
    expect(failed).toEqual({ documents: [], more: null, total: 0, totalIsExact: true });
  });

  it("returns no documents of another account", async () => {
    const { services } = await withCompleted();
    const { account: other } = await fakeAccount(services);

    expect(await listDocuments(services, other, {}, page)).toEqual({
      documents: [],
      more: null,
      total: 0,
      totalIsExact: true,
    });
  });
});

describe("getPublicFile", () => {
  const cdnUrl = "https://colophon.test/files";

  it("finds the file of a document while CDN_URL points at this Worker", async () => {
    const { services, document } = await withCompleted();
    services.settings.cdnUrl = cdnUrl;

    const file = await getPublicFile(services, document.fileKey);

    const { fileKey, sha256, fileSize, format } = document;
    expect(file).toMatchObject({ fileKey, sha256, fileSize, format });
  });

  it("finds nothing while CDN_URL points elsewhere", async () => {
    const { services, document } = await withCompleted();

    const file = getPublicFile(services, document.fileKey);

    await expect(file).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  it("rejects with NOT_FOUND for a file that does not exist", async () => {
    const { services } = await withCompleted();
    services.settings.cdnUrl = cdnUrl;

    await expect(getPublicFile(services, "nothing.pdf")).rejects.toMatchObject({ code: "NOT_FOUND" });
  });
});

describe("openFile", () => {
  it("reads the given range of the file", async () => {
    const { services, document } = await withCompleted();
    const asked: unknown[] = [];
    services.files.get = async (...args) => {
      asked.push(args);
      return { body: new Blob(["%PDF"]).stream() };
    };

    const body = await openFile(services, document.fileKey, { offset: 0, length: 4 });

    expect(asked).toEqual([[document.fileKey, { offset: 0, length: 4 }]]);
    expect(await new Response(body).text()).toBe("%PDF");
  });

  it("rejects with DOCUMENT_NOT_FOUND when the file no longer exists", async () => {
    const { services, document } = await withCompleted();
    services.files.get = async () => null;

    await expect(openFile(services, document.fileKey)).rejects.toMatchObject(notFound);
  });
});
