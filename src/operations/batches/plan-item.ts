// Plans the document of one item of a batch. The version of the template, the ids and the time come from the batch.
import { keptTemplateId, type Batch, type BatchItem } from "../../core/batches/batch.ts";
import { itemIds } from "../../core/batches/item-ids.ts";
import type { PlanServices } from "../../ports/services.ts";
import { planDocument, type DocumentPlan } from "../documents/plan-document.ts";

export async function planItem(
  services: PlanServices,
  batch: Batch,
  { item, index, waiting = 0 }: { item: BatchItem; index: number; waiting?: number },
): Promise<DocumentPlan> {
  const { id: batchId, accountId, retentionDays, options, template, month, createdAt } = batch;
  const kept = { ...template, accountId, id: keptTemplateId(batchId) };
  const find = async () => kept;
  const { data, filename, metadata } = item;
  const input = {
    ...options,
    data,
    templateId: template.id,
    webhookUrl: null,
    idempotency: null,
    arrivedAt: createdAt,
    ...(filename !== undefined && { filename }),
    ...(metadata !== undefined && { metadata }),
  };
  const fixed = { ...services, templates: { find, findVersion: find } };
  const plan = await planDocument(fixed, { id: accountId, retentionDays }, input);
  const ids = itemIds(batch.secret, index, options.format);
  const draft = { ...plan.draft, ...ids, templateId: template.id, month, batchId };
  return { ...plan, draft, render: { ...plan.render, document: draft, batchPosition: { index, waiting } } };
}
