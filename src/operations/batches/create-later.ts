// Creates a document that is rendered after the response: reserves its hold, stores its row as `processing`, and passes it to the
// account's object. Refusals happen before that.
import type { Account } from "../../core/accounts/account.ts";
import type { Creation } from "../../core/documents/document.ts";
import { sealEncryption } from "../../core/documents/encryption.ts";
import { batchLimitExceeded, serviceUnavailable } from "../../core/errors.ts";
import type { Services } from "../../ports/services.ts";
import { planOrReplay, validatedWebhookUrl, type CreateDocumentInput } from "../documents/create-document.ts";
import { databaseFull, releaseHold } from "../documents/record-outcome.ts";
import { reserveHold } from "../documents/reserve-hold.ts";

const retryAfterSeconds = 5;

export async function createLater(services: Services, account: Account, input: CreateDocumentInput): Promise<Creation> {
  const webhookUrl = validatedWebhookUrl(services, input.webhookUrl);
  const planned = await planOrReplay(services, account, { ...input, webhookUrl });
  if (planned.status === "replayed") return planned.creation;
  const { plan } = planned;
  const { draft } = plan;
  const sealed = input.encryption && (await sealEncryption(services.passwords, draft.id, input.encryption));
  const reserved = await reserveHold(services, account, { plan, idempotency: input.idempotency, isQueued: true });
  if (reserved.status === "replayed") return reserved.creation;
  const document = { ...draft, status: "processing" } as const;
  const inserted = await services.documents.insert(document);
  if (inserted.status === "full") {
    await releaseHold(services, draft, { mayHaveFile: false });
    throw databaseFull(services, draft);
  }
  const { leaseMs, cdnUrl, batchLimits } = services.settings;
  const { data, format, deviceScaleFactor, width, height, locale, conformance, attachments, einvoice } = input;
  const request = {
    data,
    format,
    deviceScaleFactor,
    ...(width !== undefined && { width }),
    ...(height !== undefined && { height }),
    ...(locale !== undefined && { locale }),
    ...(conformance !== undefined && { conformance }),
    ...(attachments && { attachments }),
    ...(einvoice && { einvoice }),
  };
  const hold = { draft, webhookUrl, leaseMs, cdnUrl };
  const { template } = plan.render;
  const queued = await services.batches
    .enqueue(account.id, { hold, template, request, at: services.origin, ...(sealed && { sealed }) })
    .catch((cause: unknown) => {
      // The document may have been queued. If not, its hold expires and it becomes a failed document.
      const message =
        "The document may have been accepted. Repeat the request with the same `Idempotency-Key`, or check the list.";
      throw serviceUnavailable({ message, retryAfterSeconds, cause });
    });
  if (queued === "queued") return { document, isReplay: false, used: reserved.used };
  await services.documents.remove(account.id, draft.id, "processing");
  await releaseHold(services, draft, { mayHaveFile: false });
  const message = `The account has ${batchLimits.waitingItems} queued items and documents, which is the maximum.`;
  throw batchLimitExceeded(message, retryAfterSeconds);
}
