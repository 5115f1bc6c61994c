// The keys that encrypt webhook secrets, from the secrets of the Worker.
import { CodedError } from "colophon-base/loggable-error";
import { parseEncryptionKey, type EncryptionKeys } from "../core/webhooks/secret-encryption.ts";

/** The keys that encrypt webhook secrets, in base64. They are secrets, so `wrangler.toml` does not list them. */
export type EncryptionKeyTexts = {
  WEBHOOK_SECRETS_KEY?: string | undefined;
  /** The key before the current one. It is needed until `webhook-secret re-encrypt` has run. */
  WEBHOOK_SECRETS_KEY_PREVIOUS?: string | undefined;
};

/** Returns the keys that encrypt webhook secrets. The previous key is optional, and an empty string counts as none. */
export function readEncryptionKeys(texts: EncryptionKeyTexts): EncryptionKeys {
  const { WEBHOOK_SECRETS_KEY: current, WEBHOOK_SECRETS_KEY_PREVIOUS: previous } = texts;
  if (!current?.trim()) {
    throw new CodedError(
      "WEBHOOK_SECRETS_KEY is missing: set it as a secret of the Worker; npm start creates it for local use",
    );
  }
  return {
    current: readEncryptionKey("WEBHOOK_SECRETS_KEY", current),
    previous: previous?.trim() ? readEncryptionKey("WEBHOOK_SECRETS_KEY_PREVIOUS", previous) : null,
  };
}

function readEncryptionKey(name: keyof EncryptionKeyTexts, text: string): Uint8Array<ArrayBuffer> {
  const key = parseEncryptionKey(text.trim());
  if (!key)
    throw new CodedError(`${name} must be 32 random bytes in base64, as \`openssl rand -base64 32\` prints them`);
  return key;
}
