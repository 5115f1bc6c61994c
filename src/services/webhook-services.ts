// Creates the services that dispatch and deliver webhooks.
import { secretCipher } from "../core/webhooks/secret-encryption.ts";
import { homeRegions } from "../platform/accounts/home-regions.ts";
import { webhookStore } from "../platform/webhooks/webhook-store.ts";
import { webhookTransport } from "../platform/webhooks/webhook-transport.ts";
import { d1Client } from "../platform/d1/d1-client.ts";
import { jsonLog } from "../platform/json-log.ts";
import { senderClient } from "../platform/webhooks/sender-client.ts";
import { webhookSecretStore } from "../platform/webhooks/webhook-secret-store.ts";
import type { DeliveryServices, DispatchServices } from "../ports/services.ts";
import { readBinding, readDeliveryRules, readNumber } from "../settings.ts";
import { readEncryptionKeys, type EncryptionKeyTexts } from "./encryption-keys.ts";

/** Returns the services that an account's sender needs to deliver webhooks. */
export function deliveryServices(env: Env & EncryptionKeyTexts): DeliveryServices {
  const d1 = d1Client(readBinding(env, "DB"), readNumber(env, "CALL_TIMEOUT_MS"));
  const keys = readEncryptionKeys(env);
  return {
    webhooks: webhookStore(d1),
    secrets: webhookSecretStore(
      d1,
      secretCipher(() => keys),
    ),
    transport: webhookTransport(readNumber(env, "WEBHOOK_TIMEOUT_MS")),
    webhookUrls: readDeliveryRules(env),
    log: jsonLog,
    now: () => Date.now(),
    random: () => Math.random(),
  };
}

/** Returns the services that the queue consumer and the scheduled run need to dispatch events. */
export function dispatchServices(env: Env): DispatchServices {
  const callTimeoutMs = readNumber(env, "CALL_TIMEOUT_MS");
  const d1 = d1Client(readBinding(env, "DB"), callTimeoutMs);
  return {
    webhooks: webhookStore(d1),
    senders: senderClient(readBinding(env, "WEBHOOK_SENDER"), {
      tryTimeoutMs: callTimeoutMs,
      homeOf: homeRegions(d1, null),
    }),
    log: jsonLog,
    now: () => Date.now(),
  };
}
