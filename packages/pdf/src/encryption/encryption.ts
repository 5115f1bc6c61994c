// How a file is encrypted.

/** Extracting text for accessibility is always allowed. */
export const permissions = [
  "print",
  /** Includes `print`. */
  "print-high-quality",
  "modify",
  "copy",
  "annotate",
  "fill-forms",
  "assemble",
] as const;

export type Permission = (typeof permissions)[number];

/** The passwords are prepared, see `preparePassword`. */
export type PdfEncryption = {
  /** Null if everybody may open the file. */
  userPassword: Uint8Array | null;
  /** Whoever has it may do everything. Null if nobody has it. */
  ownerPassword: Uint8Array | null;
  /** What a reader may do with the file after it has been opened with the user password. */
  permissions: readonly Permission[];
  /** False leaves the XMP metadata readable for programs that do not have a password. */
  encryptMetadata: boolean;
};
