// The schemas of `attachments` and `einvoice` in a create and in an item of a batch.
import { z } from "zod";
import { relationships } from "colophon-pdf/attachments";
import { invoiceName, invoiceProfiles } from "colophon-pdf/einvoice";
import { shown } from "colophon-template-model/manifest-messages";
import { filenameProblem, maxFilenameChars } from "../../core/documents/filename.ts";
import { invoiceXmlProblem } from "../../core/documents/invoice-xml.ts";

const maxAttachments = 100;
const maxDescriptionChars = 1_000;
const maxTypeChars = 127;
/** As in RFC 6838, without parameters, and without the signs `! # $ & ^`, which PDF/A does not allow and no registered type has. */
const mediaType = /^[a-z0-9][a-z0-9_.+-]*\/[a-z0-9][a-z0-9_.+-]*$/i;

const nameError = "`name` (string) is required: the name of the file.";
const typeError = ({ input }: { input?: unknown }) =>
  `\`mimeType\` must be a media type without parameters, such as \`text/csv\`, got ${shown(input)}.`;
const descriptionError = `\`description\` must be a string of 1 to ${maxDescriptionChars} characters without control characters.`;
const contentError = "`content` (string) is required: the bytes of the file in base64.";

export const attachment = z
  .strictObject(
    {
      name: z
        .string({ error: nameError })
        .superRefine((name, { addIssue }) => {
          const message = filenameProblem(name);
          if (message) addIssue({ code: "custom", message: message.replace("`filename`", "`name`") });
        })
        .meta({
          description: "The name of the file, with its extension. Each name is used once, whatever its case.",
          minLength: 1,
          maxLength: maxFilenameChars,
        }),
      mimeType: z
        .string({ error: typeError })
        .max(maxTypeChars, { error: typeError })
        .regex(mediaType, { error: typeError })
        .meta({ description: "The media type of the file, without parameters." }),
      relationship: z.enum(relationships).meta({
        description:
          'How the file relates to the document: it was made from the file ("source"), shows its data ("data"), or says the same ("alternative"); or the file adds something ("supplement").',
      }),
      description: z
        .string({ error: descriptionError })
        .min(1, { error: descriptionError })
        .max(maxDescriptionChars, { error: descriptionError })
        .regex(/^[^\p{Cc}\p{Cs}]*$/u, { error: descriptionError })
        .optional()
        .meta({ description: "What the file is, for people who read the document." }),
      content: z
        .string({ error: contentError })
        .superRefine((text, { addIssue }) => {
          const problem = base64Problem(text);
          if (problem !== null) addIssue(`\`content\` must be base64 (RFC 4648), but ${problem}.`);
        })
        .meta({ description: "The bytes of the file in base64.", contentEncoding: "base64" }),
    },
    { error: ({ code }) => (code === "invalid_type" ? "An attachment must be an object." : undefined) },
  )
  .meta({ description: "A file inside a PDF." });

/** The search looks at each character once. */
function base64Problem(text: string): string | null {
  const end = text.search(/[^A-Za-z0-9+/]/);
  const rest = end < 0 ? "" : text.slice(end);
  if (text.length % 4 === 0 && /^={0,2}$/.test(rest)) return null;
  const wrong = rest.search(/[^=]/);
  return wrong < 0 ? "its padding is missing or wrong" : `character ${end + wrong + 1} is ${shown(rest[wrong])}`;
}

/** Names with equal keys look equal, or are one file on systems that ignore case. */
const key = (name: string) =>
  name
    .normalize("NFC")
    .replace(/\p{Default_Ignorable_Code_Point}/gu, "")
    .toUpperCase()
    .toLowerCase();
/** The names by which programs find the XML of an electronic invoice. */
const invoiceNames = [...invoiceProfiles.map((profile) => invoiceName({ profile })), "zugferd-invoice.xml"];
const attachmentsError = `\`attachments\` must be an array of at most ${maxAttachments} files.`;

export const attachments = z
  .array(attachment, { error: attachmentsError })
  .max(maxAttachments, { error: attachmentsError })
  .superRefine((files, { addIssue }) => {
    const seen = new Map<string, number>();
    for (const [index, { name }] of files.entries()) {
      const first = seen.get(key(name));
      const message = `\`name\` is also the name of attachment ${first}; it must be unique, whatever its case.`;
      if (first === undefined) seen.set(key(name), index);
      else addIssue({ code: "custom", path: [index, "name"], message });
    }
  })
  .optional()
  .meta({
    description:
      "Files inside the PDF. The body, with the files in base64, is at most 1 MiB, or 5 MB with `Prefer: respond-async`. PDF/A-2 and images cannot have them (400).",
  });

/** Parsing 3.8 million characters took 0.5 to 2 s. */
const maxXmlChars = 1_000_000;
const xmlError = "`einvoice.xml` (string) is required: the XML of the invoice.";
const longXmlError = `\`einvoice.xml\` must have at most ${maxXmlChars} characters.`;

export const invoice = z
  .strictObject(
    {
      xml: z
        .string({ error: xmlError })
        .max(maxXmlChars, { error: longXmlError, abort: true })
        .superRefine((xml, { addIssue }) => {
          const problem = invoiceXmlProblem(xml);
          if (problem !== null) addIssue({ code: "custom", message: `\`einvoice.xml\` ${problem}.` });
        })
        .meta({
          description:
            "The invoice as Cross Industry Invoice (UN/CEFACT), in the syntax of EN 16931. Only its syntax and its root are checked.",
        }),
      profile: z.enum(invoiceProfiles).meta({
        description: "The profile of the XML, which programs read in the metadata of the file.",
      }),
    },
    { error: ({ code }) => (code === "invalid_type" ? "`einvoice` must be an object." : undefined) },
  )
  .meta({
    description:
      'Makes the PDF an electronic invoice (Factur-X 1.0, ZUGFeRD 2). It requires a level of PDF/A-3, for example `"conformance": ["pdf/a-3b"]`.',
  });

export const einvoice = invoice.optional().meta({
  description: "The XML of an electronic invoice. It is embedded in the PDF, which must conform to PDF/A-3.",
});

type InvoiceRule = [
  (input: { attachments?: { name: string }[] | undefined; einvoice?: z.output<typeof einvoice> }) => boolean,
  { path: string[]; error: string },
];

/** The arguments of `refine` for each schema with attachments and an electronic invoice. */
export const invoiceNameIsFree: InvoiceRule = [
  ({ attachments: files = [], einvoice: embedded }) =>
    !embedded || !files.some(({ name }) => invoiceNames.includes(key(name))),
  {
    path: ["attachments"],
    error: "Beside `einvoice`, an attachment cannot have a name by which programs find the XML of an invoice.",
  },
];
