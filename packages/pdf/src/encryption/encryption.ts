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

const pieceBytes = 1_000_000;

/** Chooses the key of a single file. Its dictionary is derived in steps. */
export function startEncryption(options: PdfEncryption) {
  const fileKey = randomBytes(32);
  const steps = dictionarySteps(options, fileKey);
  let dictionary: string | null = null;
  const derive = (): string | null => {
    if (dictionary === null) dictionary = steps.next().value ?? null;
    return dictionary;
  };
  const encrypt = function* (data: Uint8Array): Generator<Uint8Array, undefined> {
    const vector = randomBytes(16);
    yield vector;
    const cipher = createCipheriv("aes-256-cbc", fileKey, vector);
    for (let at = 0; at < data.length; at += pieceBytes) yield cipher.update(data.subarray(at, at + pieceBytes));
    yield cipher.final();
  };
  return {
    encryptMetadata: options.encryptMetadata,
    /** Returns the encrypted data in pieces, so that a large stream is in memory only once more, in the file. */
    encrypt,
    /** The size after encryption: the initialization vector, and at least one byte of padding. */
    encryptedBytes: (bytes: number) => 32 + bytes - (bytes % 16),
    /** Returns the source of an object with its strings encrypted. */
    encryptedSource: (source: string) =>
      sourceOf(withStrings(parsed(source), (text) => binaryText(Buffer.concat([...encrypt(latin1Bytes(text))])))),
    /** Takes the next step, which takes one to three milliseconds. Returns null if some are left. */
    derive,
    /** Returns the source of the dictionary to which the trailer refers. Takes the steps that are left. */
    dictionary(): string {
      let source = derive();
      while (source === null) source = derive();
      return source;
    },
  };
}

/** Each step hashes a password once. */
function* dictionarySteps(
  { userPassword, ownerPassword, permissions, encryptMetadata }: PdfEncryption,
  fileKey: Uint8Array,
): Generator<undefined, string> {
  const user = yield* passwordEntries(userPassword ?? new Uint8Array(), fileKey);
  // No password gives random entries, so nobody has the owner's.
  const owner = ownerPassword
    ? yield* passwordEntries(ownerPassword, fileKey, user.check)
    : { check: randomBytes(48), key: randomBytes(32) };
  const allowed = permissions.reduce((bits, permission) => bits | permissionBits[permission], noPermission);
  const check = permissionsCheck(allowed, encryptMetadata, fileKey);
  return dictionarySource(
    { U: user.check, UE: user.key, O: owner.check, OE: owner.key, Perms: check },
    `/P ${allowed}${encryptMetadata ? "" : "/EncryptMetadata false"}`,
  );
}

/** Returns `/U` and `/UE`, or `/O` and `/OE`, for which `userCheck` is `/U`. */
function* passwordEntries(
  password: Uint8Array,
  fileKey: Uint8Array,
  userCheck: Uint8Array = new Uint8Array(),
): Generator<undefined, { check: Uint8Array; key: Uint8Array }> {
  const [checkSalt, keySalt] = [randomBytes(8), randomBytes(8)];
  const check = Buffer.concat([passwordHash(password, checkSalt, userCheck), checkSalt, keySalt]);
  yield;
  const key = unpadded("aes-256-cbc", passwordHash(password, keySalt, userCheck), zeros, fileKey);
  yield;
  return { check, key };
}

const zeros = new Uint8Array(16);
const hashNames = ["sha256", "sha384", "sha512"];

/** Algorithm 2.B. */
function passwordHash(password: Uint8Array, salt: Uint8Array, userCheck: Uint8Array): Uint8Array {
  let key: Uint8Array = createHash("sha256").update(password).update(salt).update(userCheck).digest();
  let last = 0;
  for (let round = 0; round < 64 || last > round - 32; round++) {
    const repeated = repeatedTimes64(Buffer.concat([password, key, userCheck]));
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

/** In the Workers runtime, filling a buffer with a pattern takes as long as the encryption of the result. */
function repeatedTimes64(block: Uint8Array): Uint8Array {
  const repeated = new Uint8Array(64 * block.length);
  repeated.set(block);
  for (let filled = block.length; filled < repeated.length; filled *= 2) repeated.copyWithin(filled, 0, filled);
  return repeated;
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
