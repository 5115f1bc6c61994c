// Reads attachments with pdf.js, as other programs would.
import { createHash } from "node:crypto";
import { getDocumentProxy } from "unpdf";
import { expect, it } from "vitest";
import { latin1 } from "colophon-test-kit/pdf";
import { readPdf } from "colophon-test-kit/pdf-reader";
import { startAssembly } from "../src/assemble-pdf.ts";
import { startEncryption } from "../src/encryption/encryption.ts";
import { openPdf } from "../src/file/open-pdf.ts";
import type { AttachedFiles, Attachment } from "../src/parts/attachments.ts";
import { invoiceProfiles } from "../src/parts/einvoice.ts";
import { chromiumPdf, metadata } from "./inputs.ts";

type Options = { conformance?: "pdf/a-3b"; userPassword?: string };

function withFiles(attached: AttachedFiles, { conformance, userPassword }: Options = {}): Uint8Array {
  const permissions = { ownerPassword: null, permissions: [], encryptMetadata: true };
  const encryption =
    userPassword === undefined
      ? null
      : startEncryption({ userPassword: new TextEncoder().encode(userPassword), ...permissions });
  const assembly = startAssembly({
    body: openPdf(chromiumPdf()),
    encryption,
    ...(conformance && { conformance: [conformance] }),
  });
  return assembly.finish({ sheets: null, headings: [], metadata, attached }).bytes;
}

const file = (name: string, data: string | Uint8Array = name): Attachment => ({
  name,
  mimeType: "text/plain",
  relationship: "data",
  content: Buffer.from(data).toString("base64"),
});

async function readFiles(bytes: Uint8Array, password?: string) {
  const document = await getDocumentProxy(bytes.slice(), password === undefined ? {} : { password });
  const found = (await document.getAttachments()) ?? new Map<string, never>();
  return Promise.all(
    Array.from(found, async ([id, { filename, description }]) => {
      const content = await document.getAttachmentContent(id);
      return { filename, description, data: Buffer.from(content ?? "") };
    }),
  );
}

const catalogOf = (bytes: Uint8Array) => [...readPdf(bytes).objects.values()].find((text) => text.includes("/Catalog"));

it("files with names in every script, with every byte and without any, come out of the PDF unchanged", async () => {
  const names = ["a.txt", "Zahlung (2).csv", "счёт.xml", "請求書.xml", "فاتورة.xml", "😀.txt", "a b.txt", "ﬃ.txt"];
  const bytes = Uint8Array.from({ length: 1_000 }, (_, index) => index % 256);
  const noise = crypto.getRandomValues(new Uint8Array(5_000));
  const attachments = [
    ...names.map((name) => file(name)),
    file("bytes", bytes),
    file("noise", noise),
    file("empty", ""),
  ];

  const read = await readFiles(withFiles({ attachments }));

  const expected = attachments.map(({ name, content }) => ({
    filename: name,
    description: "",
    data: Buffer.from(content, "base64"),
  }));
  expect(read).toHaveLength(expected.length);
  expect(read).toEqual(expect.arrayContaining(expected));
});

it("an attachment says its type, its relationship, its size, its MD5 and the time of the document", async () => {
  const described = { ...file("a.csv", "x,y\n"), mimeType: "text/csv", description: "Zeilen für Ω" };

  const bytes = withFiles({ attachments: [{ ...described, relationship: "supplement" }] });

  expect((await readFiles(bytes))[0]?.description).toBe("Zeilen für Ω");
  const { objects } = readPdf(bytes);
  const md5 = createHash("md5").update("x,y\n").digest("hex");
  expect(latin1(bytes)).toContain(`/Subtype/text#2Fcsv/Params<</Size 4/CheckSum<${md5}>/ModDate (D:`);
  expect([...objects.values()].find((text) => text.includes("/Filespec"))).toContain("/AFRelationship/Supplement");
  expect(catalogOf(bytes)).toMatch(/\/AF ?\[\d+ 0 R\]/);
});

it("attachments are encrypted with the file", async () => {
  const attachments = [file("secret.txt", "the secret text")];

  const bytes = withFiles({ attachments }, { userPassword: "open" });

  expect(latin1(bytes)).not.toContain("secret");
  expect((await readFiles(bytes, "open"))[0]?.data.toString()).toBe("the secret text");
});

it("a file without attachments has the same bytes as before, and the same attachments give the same bytes", () => {
  const attachments = [file("a"), file("b")];

  expect(withFiles({ attachments: [] })).toEqual(withFiles({}));
  expect(catalogOf(withFiles({}))).not.toMatch(/\/(?:AF|Names)\b/);
  expect(withFiles({ attachments })).toEqual(withFiles({ attachments }));
});

it.each(invoiceProfiles)(
  "an electronic invoice of the profile %s has its name, relationship and metadata",
  async (profile) => {
    const xml = "<a>urn:xeinkauf.de:kosit:xrechnung_2.3 é</a>";

    const bytes = withFiles({ einvoice: { xml, profile } }, { conformance: "pdf/a-3b" });

    const name = profile === "XRECHNUNG" ? "xrechnung.xml" : "factur-x.xml";
    expect(await readFiles(bytes)).toEqual([{ filename: name, description: "", data: Buffer.from(xml) }]);
    const isPartial = ["MINIMUM", "BASIC WL"].includes(profile);
    const specification = [...readPdf(bytes).objects.values()].find((text) => text.includes("/Filespec"));
    expect(specification).toContain(`/AFRelationship/${isPartial ? "Data" : "Alternative"}`);
    const xmp = latin1(bytes);
    expect(xmp).toContain(`<fx:DocumentFileName>${name}</fx:DocumentFileName>`);
    expect(xmp).toContain(`<fx:Version>${profile === "XRECHNUNG" ? "2.3" : "1.0"}</fx:Version>`);
    expect(xmp).toContain(`<fx:ConformanceLevel>${profile}</fx:ConformanceLevel>`);
    expect(xmp.match(/<pdfaProperty:name>/g)).toHaveLength(4);
  },
);
