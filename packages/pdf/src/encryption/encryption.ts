// Encrypts the streams and strings of a file with AES-256: the standard security handler of revision 6 (ISO 32000-2, 7.6). Keys, salts and
// initialization vectors are random, so the same input gives different bytes. `node:crypto` is synchronous, and in the Workers runtime as fast
// as WebCrypto.
import { createCipheriv, createHash, randomBytes } from "node:crypto";
import { latin1, latin1Bytes } from "../syntax/characters.ts";
import { parseValue } from "../syntax/parse-value.ts";
import { isDictionary, isString, sourceOf, type PdfValue } from "../syntax/values.ts";

/** The bits of `/P`. */
const permissionBits = {
  print: 0x4,
  /** Includes `print`. */
  "print-high-quality": 0x804,
  modify: 0x8,
  copy: 0x10,
  annotate: 0x20,
  "fill-forms": 0x100,
  assemble: 0x400,
};

/** Everything that has no permission is allowed, for example to extract text for accessibility. */
const noPermission = ~(Object.values(permissionBits).reduce((bits, bit) => bits | bit) | 0x3);

export type Permission = keyof typeof permissionBits;

export const permissions = Object.keys(permissionBits) as Permission[];

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

export type FileEncryption = ReturnType<typeof startEncryption>;

/** Derives the keys for a single file, which takes a few milliseconds. */
export function startEncryption({ userPassword, ownerPassword, permissions, encryptMetadata }: PdfEncryption) {
  const fileKey = randomBytes(32);
  const user = passwordEntries(userPassword ?? new Uint8Array(), fileKey);
  // No password gives random entries, so nobody has the owner's.
  const owner = ownerPassword
    ? passwordEntries(ownerPassword, fileKey, user.check)
    : { check: randomBytes(48), key: randomBytes(32) };
  const allowed = permissions.reduce((bits, permission) => bits | permissionBits[permission], noPermission);
  const encrypt = (data: Uint8Array): Uint8Array => {
    const vector = randomBytes(16);
    const cipher = createCipheriv("aes-256-cbc", fileKey, vector);
    return Buffer.concat([vector, cipher.update(data), cipher.final()]);
  };
  return {
    encryptMetadata,
    encrypt,
    /** The size after encryption: the initialization vector, and at least one byte of padding. */
    encryptedBytes: (bytes: number) => 32 + bytes - (bytes % 16),
    /** Returns the source of an object with its strings encrypted. */
    encryptedSource: (source: string) =>
      sourceOf(withStrings(parsed(source), (text) => binaryText(encrypt(latin1Bytes(text))))),
    /** The source of the dictionary to which the trailer refers. */
    dictionary: dictionarySource(
      {
        U: user.check,
        UE: user.key,
        O: owner.check,
        OE: owner.key,
        Perms: permissionsCheck(allowed, encryptMetadata, fileKey),
      },
      `/P ${allowed}${encryptMetadata ? "" : "/EncryptMetadata false"}`,
    ),
  };
}

/** Returns `/U` and `/UE`, or `/O` and `/OE`, for which `userCheck` is `/U`. */
function passwordEntries(password: Uint8Array, fileKey: Uint8Array, userCheck = new Uint8Array()) {
  const [checkSalt, keySalt] = [randomBytes(8), randomBytes(8)];
  const check = Buffer.concat([passwordHash(password, checkSalt, userCheck), checkSalt, keySalt]);
  return { check, key: unpadded("aes-256-cbc", passwordHash(password, keySalt, userCheck), zeros, fileKey) };
}

const zeros = new Uint8Array(16);
const hashNames = ["sha256", "sha384", "sha512"];

/** Algorithm 2.B. */
function passwordHash(password: Uint8Array, salt: Uint8Array, userCheck: Uint8Array): Uint8Array {
  let key: Uint8Array = createHash("sha256").update(password).update(salt).update(userCheck).digest();
  let last = 0;
  for (let round = 0; round < 64 || last > round - 32; round++) {
    const block = Buffer.concat([password, key, userCheck]);
    const repeated = Buffer.alloc(64 * block.length, block);
    const encrypted = unpadded("aes-128-cbc", key.subarray(0, 16), key.subarray(16, 32), repeated);
    // The first 16 bytes as a number, modulo 3. A byte is worth as much in every place, because 256 modulo 3 is 1.
    const remainder = encrypted.subarray(0, 16).reduce((sum, byte) => sum + byte, 0) % 3;
    key = createHash(hashNames[remainder] ?? "")
      .update(encrypted)
      .digest();
    last = encrypted.at(-1) ?? 0;
  }
  return key.subarray(0, 32);
}

/** Algorithm 10: with the file's key, a reader can tell whether `/P` has been changed. */
function permissionsCheck(allowed: number, encryptMetadata: boolean, fileKey: Uint8Array): Uint8Array {
  const block = Buffer.concat([
    new Uint8Array(4),
    Buffer.from(`\xff\xff\xff\xff${encryptMetadata ? "T" : "F"}adb`, "latin1"),
    randomBytes(4),
  ]);
  block.writeInt32LE(allowed);
  return unpadded("aes-256-ecb", fileKey, null, block);
}

function unpadded(algorithm: string, key: Uint8Array, vector: Uint8Array | null, data: Uint8Array): Uint8Array {
  return createCipheriv(algorithm, key, vector).setAutoPadding(false).update(data);
}

function parsed(source: string): PdfValue {
  const bytes = latin1Bytes(source);
  return parseValue({ bytes, at: 0, end: bytes.length });
}

function withStrings(value: PdfValue, change: (text: string) => string): PdfValue {
  if (Array.isArray(value)) return value.map((item) => withStrings(item, change));
  if (isDictionary(value)) return new Map(Array.from(value, ([key, entry]) => [key, withStrings(entry, change)]));
  return isString(value) ? { ...value, text: change(value.text) } : value;
}

function binaryText(bytes: Uint8Array): string {
  return latin1(bytes, 0, bytes.length);
}

function dictionarySource(strings: Record<string, Uint8Array>, entries: string): string {
  const hexadecimal = Object.entries(strings).map(([key, bytes]) => `/${key}<${Buffer.from(bytes).toString("hex")}>`);
  const filter = "/CF<</StdCF<</CFM/AESV3/AuthEvent/DocOpen/Length 32>>>>/StmF/StdCF/StrF/StdCF";
  return `<</Filter/Standard/V 5/R 6/Length 256${filter}${entries}${hexadecimal.join("")}>>`;
}
