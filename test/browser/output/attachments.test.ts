// Attachments through the whole service.
import { getDocumentProxy } from "unpdf";
import { expect, it } from "vitest";
import { rendered } from "../fixtures/rendered.ts";

it("a PDF/A-3 contains the attachments and the invoice of its request, and its record does not list them", async () => {
  const large = Buffer.from("0123456789".repeat(40_000)).toString("base64");
  const attachments = [
    { name: "請求書.txt", mimeType: "text/plain", relationship: "source", content: large },
    { name: "😀.txt", mimeType: "text/plain", relationship: "data", description: "smile", content: "8J+YgA==" },
  ];
  const namespace = "urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100";
  const xml = `<CrossIndustryInvoice xmlns="${namespace}">é</CrossIndustryInvoice>`;
  const einvoice = { xml, profile: "EN 16931" };

  const { record, bytes } = await rendered({ page: "<h1>A" }, { conformance: ["pdf/a-3b"], attachments, einvoice });

  const document = await getDocumentProxy(bytes.slice());
  const found = (await document.getAttachments()) ?? new Map<string, never>();
  const content = async (name: string) => Buffer.from((await document.getAttachmentContent(name)) ?? "").toString();
  expect([...found.keys()]).toEqual(["factur-x.xml", "請求書.txt", "😀.txt"]);
  expect(await content("factur-x.xml")).toBe(xml);
  expect(await content("請求書.txt")).toBe("0123456789".repeat(40_000));
  expect(await content("😀.txt")).toBe("😀");
  expect(record).toMatchObject({ conformance: ["pdf/a-3b"], warnings: [] });
  expect(JSON.stringify(record)).not.toMatch(/attach|invoice/);
});
