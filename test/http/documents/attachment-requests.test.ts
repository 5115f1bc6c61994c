// Which `attachments` and `einvoice` a create accepts, and what the render then gets.
import { expect, it } from "vitest";
import { post } from "../../fixtures/tenant.ts";
import { fakeApi, refusalOf } from "../fake-api.ts";

const file = { name: "a.csv", mimeType: "text/csv", relationship: "data", content: "YQ==" };
const namespace = "urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100";
const xml = `<r:CrossIndustryInvoice xmlns:r="${namespace}"><a>é &amp; &#233;</a></r:CrossIndustryInvoice>`;
const conformance = ["pdf/a-3b"];
const withXml = (text: unknown) => ({ conformance, einvoice: { xml: text, profile: "BASIC" } });
const inRoot = (text: string) => withXml(`<CrossIndustryInvoice xmlns="${namespace}">${text}</CrossIndustryInvoice>`);
const attached = (change: object) => ({
  attachments: [
    { ...file, name: "first.csv" },
    { ...file, ...change },
  ],
});

const at = "attachments.1.";
const notBase64 = /must be base64/;
const wellFormed = /^`einvoice.xml` must be well-formed XML, but in line \d+ /;

it.each<[what: string, body: object, path: string, message: RegExp]>([
  ["null as attachments", { attachments: null }, "attachments", /must be an array of at most 100 files/],
  ["an object as attachments", { attachments: { 0: file } }, "attachments", /must be an array/],
  ["null as an attachment", { attachments: [null] }, "attachments.0", /An attachment must be an object/],
  ["101 attachments", { attachments: Array.from({ length: 101 }, () => file) }, "attachments", /at most 100 files/],
  ["an unknown property", attached({ size: 1 }), `${at}size`, /is not a known property; .* are `name`, `mimeType`/],
  ["no name", attached({ name: undefined }), `${at}name`, /is required/],
  ["an empty name", attached({ name: "" }), `${at}name`, /`name` must have 1 to 200 characters/],
  ["a name of 201 characters", attached({ name: "a".repeat(201) }), `${at}name`, /1 to 200 characters/],
  ["a path", attached({ name: "../a.csv" }), `${at}name`, /must not contain `\/`/],
  ["a path of Windows", attached({ name: "a\\b.csv" }), `${at}name`, /must not contain `\/` or/],
  ["a control character", attached({ name: "a\u0007" }), `${at}name`, /control characters/],
  ["a mark that turns the text", attached({ name: "a\u202evsc.exe" }), `${at}name`, /direction of text/],
  ["NUL in a name", attached({ name: "a\0.csv" }), `${at}name`, /control characters/],
  ["a line separator in a name", attached({ name: "a\u2028.csv" }), `${at}name`, /line breaks/],
  ["half a character in a name", attached({ name: "a\ud800.csv" }), `${at}name`, /surrogate/],
  ["U+FFFF in a name", attached({ name: "a\uffff" }), `${at}name`, /not valid Unicode/],
  ["a name of dots", attached({ name: ".." }), `${at}name`, /must not begin with a dot/],
  ["a name that ends with a dot", attached({ name: "a." }), `${at}name`, /must not end with a dot/],
  ["a name of white space", attached({ name: " " }), `${at}name`, /white space/],
  ["a stream of Windows", attached({ name: "a.csv:b" }), `${at}name`, /some systems do not allow/],
  ["a device of Windows", attached({ name: "nul.csv" }), `${at}name`, /the name of a device/],
  ["null as a name", attached({ name: null }), `${at}name`, /is required/],
  ["a name twice", attached({ name: "first.csv" }), `${at}name`, /also the name of attachment 0/],
  [
    "a name twice with ß and SS",
    {
      attachments: [
        { ...file, name: "ß" },
        { ...file, name: "SS" },
      ],
    },
    `${at}name`,
    /also the name of attachment 0/,
  ],
  ["a name twice in other case", attached({ name: "FIRST.csv" }), `${at}name`, /also the name of attachment 0/],
  [
    "a name twice but for an invisible character",
    attached({ name: "first\u200b.csv" }),
    `${at}name`,
    /also the name of/,
  ],
  [
    "two forms of a name",
    {
      attachments: [
        { ...file, name: "é" },
        { ...file, name: "e\u0301" },
      ],
    },
    `${at}name`,
    /also the name of attachment 0/,
  ],
  ["a type without subtype", attached({ mimeType: "text" }), `${at}mimeType`, /must be a media type/],
  ["a type with a parameter", attached({ mimeType: "text/csv; a=b" }), `${at}mimeType`, /, got "text\/csv; a=b"/],
  ["a type with a line break", attached({ mimeType: "text/csv\n" }), `${at}mimeType`, /must be a media type/],
  ...Array.from("!#$&^", (sign): [string, object, string, RegExp] => [
    `${sign} in a type`,
    attached({ mimeType: `a/b${sign}` }),
    `${at}mimeType`,
    /must be a media type/,
  ]),
  ["two types", attached({ mimeType: "text/csv,text/html" }), `${at}mimeType`, /must be a media type/],
  ["a type with a path", attached({ mimeType: "text/../html" }), `${at}mimeType`, /must be a media type/],
  ["a type with NUL", attached({ mimeType: "text/csv\0" }), `${at}mimeType`, /must be a media type/],
  ["a type with letters of other scripts", attached({ mimeType: "text/сsv" }), `${at}mimeType`, /must be a media type/],
  ["a type that ends a name of PDF", attached({ mimeType: "a/b>>/AA<<" }), `${at}mimeType`, /must be a media type/],
  ["a type as a list", attached({ mimeType: ["text/csv"] }), `${at}mimeType`, /must be a media type/],
  ["a type of 128 characters", attached({ mimeType: `a/${"b".repeat(126)}` }), `${at}mimeType`, /must be a media type/],
  [
    "an unknown relationship",
    attached({ relationship: "Data" }),
    `${at}relationship`,
    /must be one of "source", .*, got "Data"/,
  ],
  ["no relationship", attached({ relationship: undefined }), `${at}relationship`, /must be one of "source"/],
  ["an empty description", attached({ description: "" }), `${at}description`, /1 to 1000 characters/],
  ["null as a description", attached({ description: null }), `${at}description`, /1 to 1000 characters/],
  ["a line break in a description", attached({ description: "a\nb" }), `${at}description`, /control characters/],
  ["1,001 characters", attached({ description: "a".repeat(1_001) }), `${at}description`, /1 to 1000 characters/],
  ["no content", attached({ content: undefined }), `${at}content`, /is required/],
  ["bytes as a list", attached({ content: [1] }), `${at}content`, /is required/],
  ["base64 without padding", attached({ content: "YQ" }), `${at}content`, /its padding is missing/],
  ["a line break after base64", attached({ content: "YQ==\n" }), `${at}content`, /but character 5 is "\\n"/],
  ["a data URL", attached({ content: "data:a/b;base64,YQ==" }), `${at}content`, /but character 5 is ":"/],
  ["base64 with three signs of padding", attached({ content: "Y===" }), `${at}content`, notBase64],
  ["base64 with padding inside", attached({ content: "YQ==YQ==" }), `${at}content`, notBase64],
  ["base64 with NUL", attached({ content: "YWE\0" }), `${at}content`, notBase64],
  ["base64 with letters of other scripts", attached({ content: "YWЕ=" }), `${at}content`, notBase64],
  ["base64 for URLs", attached({ content: "_-8=" }), `${at}content`, notBase64],
  ["base64 with a line break", attached({ content: "YWFh\nYWE" }), `${at}content`, notBase64],
  ["PDF/A-2", { ...attached({}), conformance: ["pdf/a-2b"] }, "attachments", /PDF\/A-2 allows only attachments that/],
  ["PDF/A-2 and PDF/UA", { ...attached({}), conformance: ["pdf/ua-1", "pdf/a-2a"] }, "attachments", /PDF\/A-2 allows/],
  ["an image", { ...attached({}), format: "png" }, "attachments", /only allowed with the `format` "pdf"/],
  ["an invoice in an image", { ...withXml(xml), conformance: [], format: "png" }, "einvoice", /only allowed with/],
  ["an invoice without PDF/A", { ...withXml(xml), conformance: undefined }, "einvoice", /requires PDF\/A-3.* is empty/],
  ["an invoice in PDF/A-2", { ...withXml(xml), conformance: ["pdf/a-2b"] }, "einvoice", /requires PDF\/A-3/],
  ["an invoice in PDF/UA", { ...withXml(xml), conformance: ["pdf/ua-1"] }, "einvoice", /requires PDF\/A-3/],
  ["null as an invoice", { conformance, einvoice: null }, "einvoice", /must be an object/],
  [
    "an invoice with an unknown property",
    { conformance, einvoice: { ...withXml(xml).einvoice, a: 1 } },
    "einvoice.a",
    /is not a known property/,
  ],
  ["no profile", { conformance, einvoice: { xml } }, "einvoice.profile", /must be one of "MINIMUM"/],
  ["a string as invoice", { conformance, einvoice: xml }, "einvoice", /must be an object/],
  [
    "an unknown profile",
    { conformance, einvoice: { xml, profile: "COMFORT" } },
    "einvoice.profile",
    /must be one of "MINIMUM"/,
  ],
  ["no XML", withXml(undefined), "einvoice.xml", /is required/],
  ["an empty XML", withXml(""), "einvoice.xml", wellFormed],
  ["JSON", withXml('{"a":1}'), "einvoice.xml", wellFormed],
  ["XML that is cut off", withXml(xml.slice(0, -5)), "einvoice.xml", wellFormed],
  ["two roots", withXml(`${xml}<b/>`), "einvoice.xml", wellFormed],
  ["an unknown entity", inRoot("&nbsp;"), "einvoice.xml", wellFormed],
  ["an undeclared prefix", inRoot("<x:a/>"), "einvoice.xml", wellFormed],
  ["an attribute twice", inRoot('<a b="1" b="2"/>'), "einvoice.xml", wellFormed],
  ["a control character in XML", inRoot("\u0001"), "einvoice.xml", wellFormed],
  ["a DOCTYPE", withXml(`<!DOCTYPE a [<!ENTITY b "c">]>${xml}`), "einvoice.xml", /must not have a DOCTYPE/],
  [
    "an external DTD",
    withXml(`<!DOCTYPE a SYSTEM "file:///etc/passwd">${xml}`),
    "einvoice.xml",
    /must not have a DOCTYPE/,
  ],
  [
    "entities that grow",
    withXml(`<!DOCTYPE a [<!ENTITY b "bb"><!ENTITY c "&b;&b;">]>${xml}`),
    "einvoice.xml",
    /must not have a DOCTYPE/,
  ],
  ["UTF-16", withXml(`<?xml version="1.0" encoding="UTF-16"?>${xml}`), "einvoice.xml", /UTF-8/],
  ["UTF-16 as characters", withXml(`\u3c00\u3f00`), "einvoice.xml", wellFormed],
  ["two XML declarations", withXml(`<?xml version="1.0"?><?xml version="1.0"?>${xml}`), "einvoice.xml", wellFormed],
  ["half a character in XML", inRoot("\ud800"), "einvoice.xml", /surrogate/],
  ["a reference to a control character", inRoot("&#1;"), "einvoice.xml", wellFormed],
  ["a reference to NUL", inRoot("&#0;"), "einvoice.xml", wellFormed],
  ["a reference to half a character", inRoot("&#xd800;"), "einvoice.xml", wellFormed],
  ["XML as bytes", withXml([60]), "einvoice.xml", /is required/],
  ["a different encoding", withXml(`<?xml version="1.0" encoding="ISO-8859-1"?>${xml}`), "einvoice.xml", /UTF-8/],
  ["a different root", withXml("<Invoice/>"), "einvoice.xml", /must have the root `CrossIndustryInvoice`/],
  ["a root without namespace", withXml("<CrossIndustryInvoice/>"), "einvoice.xml", /must have the root/],
  ["200,000 nested elements", inRoot("<a>".repeat(200_000)), "einvoice.xml", /nested more than 100 levels/],
  [
    "1,000,001 characters of XML, which are not parsed",
    withXml(`<${"a".repeat(1_000_000)}`),
    "einvoice.xml",
    /^`einvoice.xml` must have at most 1000000 characters\.$/,
  ],
  ["XML 1.1", withXml(`<?xml version="1.1"?>${xml}`), "einvoice.xml", /must be XML 1\.0/],
  [
    "an attachment with the name of an invoice of a different profile",
    { ...withXml(xml), ...attached({ name: "xrechnung.xml" }) },
    "attachments",
    /cannot have a name by/,
  ],
  [
    "an attachment with the name of ZUGFeRD 1",
    { ...withXml(xml), ...attached({ name: "ZUGFeRD-invoice.xml" }) },
    "attachments",
    /cannot have a name by/,
  ],
  [
    "an attachment with the name of the invoice",
    { ...withXml(xml), ...attached({ name: "Factur-X.xml" }) },
    "attachments",
    /cannot have a name by/,
  ],
])("a create with %s among its attachments is refused with the path and the reason", async (_, body, path, message) => {
  const api = await fakeApi();

  const refusal = await refusalOf(await post(api, api, { templateId: api.templateId, data: {}, ...body }));

  expect(refusal).toMatchObject({ status: 400, code: "VALIDATION_ERROR", details: [{ path }] });
  expect(refusal.message).toMatch(message);
  expect([api.services.state.holds.size, api.services.state.documents.size]).toEqual([0, 0]);
});

it.each<[what: string, body: object, expected: object | undefined]>([
  ["no attachments", { attachments: [] }, undefined],
  ["no attachments and an image", { attachments: [], format: "png" }, undefined],
  ["an attachment", { attachments: [file] }, { attachments: [file] }],
  ["an empty file", { attachments: [{ ...file, content: "" }] }, { attachments: [{ ...file, content: "" }] }],
  ["PDF/UA", { attachments: [file], conformance: ["pdf/ua-1"] }, { attachments: [file] }],
  [
    "an invoice with a byte order mark",
    withXml(`\ufeff${xml}`),
    { attachments: [], einvoice: { xml: `\ufeff${xml}`, profile: "BASIC" } },
  ],
  ["an invoice", withXml(xml), { attachments: [], einvoice: { xml, profile: "BASIC" } }],
])("a create with %s gives the files to the render, and stores nothing of them", async (_, body, expected) => {
  const api = await fakeApi();
  const { state } = api.services;

  const response = await post(api, api, { templateId: api.templateId, data: {}, ...body });

  expect([response.status, state.jobs.map((job) => job.attached)]).toEqual([201, [expected]]);
  const stored = [...state.holds.values(), ...state.documents.values(), ...state.log, ...state.queued];
  expect(JSON.stringify([stored, await response.json()])).not.toMatch(/a\.csv|YQ==|CrossIndustry/);
});
