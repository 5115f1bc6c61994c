// Encrypts secrets for storage with AES-256-GCM. A stored secret can be decrypted only for the purpose and the owner for which it was
// encrypted. Two keys can be valid at a time, so that the key can be replaced while the service runs.
import { base64, base64Bytes, hex } from "colophon-base/encoding";

/** The keys as 32 bytes each. `previous` is used only to decrypt. */
export type EncryptionKeys = { current: Uint8Array<ArrayBuffer>; previous: Uint8Array<ArrayBuffer> | null };

/** `ciphertext` is the initialisation vector followed by the output of AES-GCM, in base64. `keyId` identifies the key. */
export type EncryptedSecret = { keyId: string; ciphertext: string };

export type SecretCipher = ReturnType<typeof secretCipher>;

const keyBytes = 32;
const ivBytes = 12;

/** Decodes a base64 key. Returns null if it is not the base64 of 32 bytes. */
export function parseEncryptionKey(text: string): Uint8Array<ArrayBuffer> | null {
  const bytes = /^[A-Za-z0-9+/]{43}=$/.test(text) ? base64Bytes(text) : null;
  return bytes?.length === keyBytes ? bytes : null;
}

/** `readKeys` is called when the cipher is first used. If it throws, every method throws. */
export function secretCipher(readKeys: () => EncryptionKeys, purpose = "webhook secret") {
  let imported: Promise<ImportedKey[]> | undefined;
  const keys = () => (imported ??= importKeys(readKeys));
  const current = async () => {
    const [first] = await keys();
    if (!first) throw new Error("there is no key");
    return first;
  };
  const parameters = (owner: string, iv: Uint8Array<ArrayBuffer>) => {
    return { name: "AES-GCM", iv, additionalData: new TextEncoder().encode(`${purpose} of ${owner}`) };
  };
  return {
    currentKeyId: async () => (await current()).id,
    /** Encrypts with the current key. The result differs each time. */
    async encrypt(owner: string, secret: string): Promise<EncryptedSecret> {
      const { id, key } = await current();
      const iv = crypto.getRandomValues(new Uint8Array(ivBytes));
      const sealed = await crypto.subtle.encrypt(parameters(owner, iv), key, new TextEncoder().encode(secret));
      return { keyId: id, ciphertext: base64(new Uint8Array([...iv, ...new Uint8Array(sealed)])) };
    },
    /** Returns the secret, or null if it was encrypted with a different key or for a different owner, or was changed afterwards. */
    async decrypt(owner: string, { keyId, ciphertext }: EncryptedSecret): Promise<string | null> {
      const match = (await keys()).find(({ id }) => id === keyId);
      if (!match) return null;
      try {
        const bytes = base64Bytes(ciphertext);
        const algorithm = parameters(owner, bytes.subarray(0, ivBytes));
        return new TextDecoder().decode(await crypto.subtle.decrypt(algorithm, match.key, bytes.subarray(ivBytes)));
      } catch {
        return null;
      }
    },
  };
}

type ImportedKey = { id: string; key: CryptoKey };

async function importKeys(readKeys: () => EncryptionKeys): Promise<ImportedKey[]> {
  const { current, previous } = readKeys();
  return Promise.all([current, ...(previous ? [previous] : [])].map(importKey));
}

/** The id of a key is a part of its SHA-256, which does not reveal the key, because the key is 256 random bits. */
async function importKey(bytes: Uint8Array<ArrayBuffer>): Promise<ImportedKey> {
  const id = hex(await crypto.subtle.digest("SHA-256", bytes)).slice(0, 16);
  const key = await crypto.subtle.importKey("raw", bytes, "AES-GCM", false, ["encrypt", "decrypt"]);
  return { id, key };
}
