// The schema of `encryption` in a create and in an item of a batch.
import { z } from "zod";
import { permissions, type Permission } from "colophon-pdf/encryption";
import { maxPasswordBytes, preparePassword, type PreparedPassword } from "colophon-pdf/prepare-password";
import { oneOf } from "./format-rules.ts";

/** A prepared byte comes from at most two UTF-16 units. Preparing a megabyte of combining marks would take minutes. */
const maxPasswordChars = 2 * maxPasswordBytes;

/** The output is the prepared password. */
function password(name: string) {
  return z
    .string({ error: `\`encryption.${name}\` must be a string.` })
    .meta({ minLength: 1, maxLength: maxPasswordChars })
    .transform((text, { addIssue }) => {
      const prepared = text === "" || text.length > maxPasswordChars ? wrongLength(text) : preparePassword(text);
      if (prepared.status === "prepared") return new TextDecoder().decode(prepared.bytes);
      addIssue(prepared.reason);
      return z.NEVER;
    });
}

function wrongLength(text: string): PreparedPassword {
  const most = `A password has at most ${maxPasswordBytes} bytes, and ${maxPasswordChars} characters before it is prepared.`;
  return { status: "refused", reason: text === "" ? "An empty password protects nothing; leave it out." : most };
}

const isPermission = (value: unknown) => permissions.some((permission) => permission === value);

export const encryption = z
  .strictObject(
    {
      userPassword: password("userPassword")
        .optional()
        .meta({ description: "The password that opens the file. Without it, everybody can open the file." }),
      ownerPassword: password("ownerPassword").optional().meta({
        description:
          "The password that opens the file with all permissions, different from `userPassword`. Without it, nobody has all permissions.",
      }),
      permissions: z
        .custom<Permission[]>(Array.isArray, { error: "`encryption.permissions` must be an array." })
        .superRefine((list, { addIssue }) => {
          const wrong = list.findIndex((entry) => !isPermission(entry));
          const message = oneOf(`encryption.permissions.${wrong}`, permissions);
          if (wrong >= 0) addIssue({ code: "custom", path: [wrong], message });
        })
        .meta({
          description:
            'What readers allow after the file was opened without the owner password. "print-high-quality" includes "print". The default is everything; an empty list is nothing. Extracting text for accessibility is always allowed.',
          type: "array",
          items: { type: "string", enum: [...permissions] },
        })
        .transform((list) => [...new Set(list)])
        .optional(),
      encryptMetadata: z.boolean({ error: "`encryption.encryptMetadata` must be true or false." }).optional().meta({
        description:
          "Whether the metadata is also encrypted, which is the default. If false, programs can read it without a password.",
      }),
    },
    { error: ({ code }) => (code === "invalid_type" ? "`encryption` must be an object." : undefined) },
  )
  .refine(({ userPassword, ownerPassword }) => userPassword !== undefined || ownerPassword !== undefined, {
    error: "`encryption` must have a `userPassword`, an `ownerPassword` or both.",
  })
  .refine(({ userPassword, ownerPassword }) => userPassword === undefined || userPassword !== ownerPassword, {
    path: ["ownerPassword"],
    error:
      "`encryption.ownerPassword` must not be the same as the `userPassword`, which would then give all permissions.",
  })
  .meta({
    description: `Encrypts a PDF with AES-256 (ISO 32000-2, revision 6). It needs at least one password. Passwords are prepared with SASLprep, have at most ${maxPasswordBytes} bytes after that, and are never stored in clear.`,
  });
