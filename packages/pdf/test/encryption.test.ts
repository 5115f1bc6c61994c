// Opens encrypted files with pdf.js, which has a different implementation of the encryption.
import { getDocumentProxy } from "unpdf";
import { expect, it } from "vitest";
import { latin1 } from "colophon-test-kit/pdf";
import { referenceIn } from "colophon-test-kit/pdf-reader";
import { permissions, startEncryption, type Permission, type PdfEncryption } from "../src/encryption/encryption.ts";
import { preparePassword } from "../src/encryption/prepare-password.ts";
import { assembled, chromiumPdf, metadata, stream } from "./inputs.ts";

const texts = { title: "Payslip of May (1)", author: "Zoë" };
const heading = { level: 1, text: "Überschrift", name: "a" };
const link = "<</Type /Annot /Subtype /Link /Rect [0 0 9 9] /A <</S /URI /URI (https://a.test/\\(1\\))>>>>";
const body = chromiumPdf({
  catalog: "/Dests 6 0 R",
  page: `/Annots [${link}]`,
  more: ["<</a [3 0 R /XYZ 0 9 0]>>"],
});

type Options = Partial<Omit<PdfEncryption, "userPassword" | "ownerPassword">> & { user?: string; owner?: string };

function encrypted({ user, owner, ...rest }: Options, from = body): Uint8Array<ArrayBuffer> {
  const [userPassword, ownerPassword] = [prepared(user), prepared(owner)];
  const encryption = startEncryption({ userPassword, ownerPassword, permissions, encryptMetadata: true, ...rest });
  return assembled(from, { metadata: { ...metadata, ...texts }, headings: [heading], encryption }).bytes;
}

function prepared(text: string | undefined): Uint8Array | null {
  if (text === undefined) return null;
  const password = preparePassword(text);
  if (password.status === "refused") throw new Error(password.reason);
  return password.bytes;
}

function opened(bytes: Uint8Array, password?: string) {
  return getDocumentProxy(bytes.slice(), password === undefined ? {} : { password });
}

/** Returns a file whose page has this content. The object has the number 7. */
function withContent(content: string, resources: string, object: string): Uint8Array<ArrayBuffer> {
  const page = `/Resources <<${resources}>>\n/Contents 6 0 R`;
  const file = latin1(chromiumPdf({ page, more: [stream(content), object] }));
  return new Uint8Array(Buffer.from(file.replace("/Contents 5 0 R\n", "/C5ntents 5 0 R\n"), "latin1"));
}

const passwords: [kind: string, Options][] = [
  ["an ASCII password", { user: "correct horse" }],
  ["an Arabic password", { user: "كلمةالسر" }],
  ["emoji as password", { user: "🔑🦄" }],
  ["a password of 127 bytes", { user: `${"ß".repeat(63)}a` }],
  ["only an owner's password", { owner: "eigner" }],
  ["both passwords", { user: "läse", owner: "eigner" }],
];
/** The bits by which readers know what is allowed, from table 22 of ISO 32000-2. */
const bits: Record<Permission, number[]> = {
  print: [3],
  "print-high-quality": [3, 12],
  modify: [4],
  copy: [5],
  annotate: [6],
  "fill-forms": [9],
  assemble: [11],
};
const accessibility = 10;
const allowed: Permission[][] = [[...permissions], [], ["print"], ["print-high-quality", "copy", "fill-forms"]];
const combinations = passwords.flatMap(([kind, given]) =>
  allowed.map((list) => ({ kind, given, list, names: list.join(", ") || "nothing" })),
);

it.each(combinations)("a file with $kind opens, and allows $names", async ({ given, list }) => {
  const bytes = encrypted({ ...given, permissions: list });

  const file = await opened(bytes, given.user);

  expect((await file.getMetadata()).info).toMatchObject({ Title: texts.title });
  const expected = [accessibility, ...list.flatMap((permission) => bits[permission])].map((bit) => 2 ** (bit - 1));
  expect(new Set(await file.getPermissions())).toEqual(new Set(expected));
});

it.each(["eigner", "läse"])("a file with two passwords opens with %j", async (password) => {
  const file = await opened(encrypted({ user: "läse", owner: "eigner" }), password);

  expect((await file.getMetadata()).info).toMatchObject({ Title: texts.title });
});

it.each(["wrong", "Läse", ""])("a file with two passwords does not open with %j", async (password) => {
  await expect(opened(encrypted({ user: "läse", owner: "eigner" }), password)).rejects.toThrow(/password/i);
});

it("an encrypted file keeps its outline, links and metadata", async () => {
  const file = await opened(encrypted({ user: "u" }), "u");

  const { info, metadata: xmp } = await file.getMetadata();
  expect(info).toMatchObject({ Title: texts.title, Author: texts.author, Language: "pt-BR" });
  expect(xmp.get("dc:title")).toBe(texts.title);
  expect(await file.getOutline()).toMatchObject([{ title: heading.text, dest: "a" }]);
  expect(await (await file.getPage(1)).getAnnotations()).toMatchObject([{ url: "https://a.test/(1)" }]);
});

it.each([
  ["literal", "(\\000\\377\\)\\000\\n\\000)"],
  ["hexadecimal", "<00FF29000A00>"],
])("a %s string in the dictionary of a stream is encrypted", async (_, palette) => {
  const entries = "/Type /XObject /Subtype /Image /Width 2 /Height 1 /BitsPerComponent 8";
  const image = stream("\0\x01", `${entries} /ColorSpace [/Indexed /DeviceRGB 1 ${palette}]`);
  const from = withContent("/I Do", "/XObject <</I 7 0 R>>", image);

  const file = await opened(encrypted({ user: "u" }, from), "u");

  const first = await file.getPage(1);
  await first.getOperatorList();
  const { data } = await new Promise<{ data: Uint8Array }>((resolve) => first.objs.get("img_p0_1", resolve));
  expect([...data]).toEqual([0, 255, 41, 0, 10, 0]);
});

it("a stream of several megabytes is encrypted whole", async () => {
  const font = "<</Type /Font /Subtype /Type1 /BaseFont /Helvetica>>";
  const from = withContent(`${" ".repeat(2_500_000)}BT /F 9 Tf (end) Tj ET`, "/Font <</F 7 0 R>>", font);

  const file = await opened(encrypted({ user: "u" }, from), "u");

  const { items } = await (await file.getPage(1)).getTextContent();
  expect(items).toMatchObject([{ str: "end" }]);
});

it("only the XMP metadata can be read without a password if it is not encrypted", async () => {
  const readable = encrypted({ user: "u", encryptMetadata: false });

  expect(latin1(readable).split(texts.title)).toHaveLength(2);
  expect(latin1(readable)).toContain(`>${texts.title}</rdf:li>`);
  expect(latin1(encrypted({ user: "u" }))).not.toContain(texts.title);
  const { info, metadata: xmp } = await (await opened(readable, "u")).getMetadata();
  expect(info).toMatchObject({ Title: texts.title });
  expect(xmp.get("dc:title")).toBe(texts.title);
});

it("an encrypted file names the extension of PDF 1.7 in a catalog that is not in an object stream", () => {
  const text = latin1(encrypted({ user: "u" }));

  const root = new RegExp(`\n${referenceIn(text, "Root")} 0 obj\n([^]*?)\nendobj`).exec(text)?.[1];
  expect(root).toContain("/Extensions <</ADBE <</BaseVersion /1.7/ExtensionLevel 8>>>>");
  expect(text).toMatch(/\/ID\[<([0-9a-f]{32})><\1>\]\/Encrypt \d+ 0 R/);
});

it("each stream of an encrypted file is exactly as long as its dictionary says", () => {
  const text = latin1(encrypted({ user: "u" }, chromiumPdf({ more: [stream("x".repeat(2_500_000))] })));

  const streams = [...text.matchAll(/\/Length (\d+)[^\n]*>>stream\n/g)];
  expect(streams.length).toBeGreaterThan(3);
  for (const {
    0: { length },
    1: bytes,
    index,
  } of streams)
    expect(text.slice(index + length + Number(bytes))).toMatch(/^\nendstream\nendobj\n/);
});

it("two files with the same passwords have no equal keys or streams", () => {
  const [first, second] = [1, 2].map(() => latin1(encrypted({ user: "u", owner: "o" })));

  const parts = (text = ""): string[] =>
    text.match(/(?<=\n<<(?!\/Type\/XRef).*>>stream\n)[^]{16}|(?<=\/(?:U|O|UE|OE)<)[^>]+/g) ?? [];
  expect(parts(first).length).toBeGreaterThan(6);
  expect(parts(first).filter((part) => parts(second).includes(part))).toEqual([]);
});
