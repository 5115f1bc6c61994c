// Callers that continuously create documents with `npm run serve`, a receiver of their webhooks, and the check that nothing was lost.
import { createHash } from "node:crypto";
import { createServer } from "node:http";
import { expect } from "vitest";
import {
  createDocument,
  newAccount,
  originOf,
  pushSample,
  read,
  startService,
  type Account,
  type RunningService,
} from "./service.ts";

type Usage = { used: number; reserved: number };
type DocumentRecord = { id: string; status: string; sha256: string; pdfUrl: string };
type List = { documents: DocumentRecord[]; pagination: { nextCursor: string | null } };

/** Short leases, so that holds of killed creates are settled soon. */
const variables = { LEASE_SECONDS: "8", RENDER_BUDGET_MS: "7000", RATE_LIMITS: "off" };

export type Load = {
  service: RunningService;
  account: Account;
  /** The ids of documents whose creation a caller saw, and the ids for which a webhook arrived. */
  created: Set<string>;
  delivered: Set<string>;
  /** The number of responses by status; 0 is a broken connection. */
  statuses: Map<number, number>;
  /** Makes the callers create documents until `work` ends. */
  during<T>(work: () => Promise<T>): Promise<T>;
  /** Starts the service again with the same data. */
  restart(): Promise<void>;
  stop(): Promise<void>;
};

export async function startLoad(callers: number): Promise<Load> {
  const receiver = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => (body += String(chunk)));
    request.on("end", () => {
      load.delivered.add((JSON.parse(body) as { data: { id: string } }).data.id);
      response.end();
    });
  });
  const origin = await originOf(receiver);
  const all = { ...variables, WEBHOOK_ALLOWED_ORIGINS: origin };
  const service = await startService(all, undefined, "serve");
  const account = await newAccount(service, "enterprise");
  await service.cli("plan", "set", "--plan", "enterprise", "--monthly-renders", "1000000");
  const body = { ...(await pushSample(service, account, "templates/shipping-label")), webhookUrl: `${origin}/hook` };
  const call = async ({ signal }: AbortController): Promise<void> => {
    while (!signal.aborted) {
      const response = await createDocument(load.service, account, body).catch(() => null);
      const status = response?.status ?? 0;
      load.statuses.set(status, (load.statuses.get(status) ?? 0) + 1);
      const answer = (await response?.json().catch(() => null)) as { data: { id: string } } | null;
      if (status === 201 && answer) load.created.add(answer.data.id);
      else await new Promise((resolve) => setTimeout(resolve, 100));
    }
  };
  const load: Load = {
    service,
    account,
    created: new Set(),
    delivered: new Set(),
    statuses: new Map(),
    async during(work) {
      const over = new AbortController();
      const calls = Array.from({ length: callers }, () => call(over));
      const result = await work();
      over.abort();
      await Promise.all(calls);
      return result;
    },
    async restart() {
      load.service = await startService(all, service.stateDir, "serve");
    },
    async stop() {
      await load.service.stop();
      receiver.close();
    },
  };
  return load;
}

/**
 * Checks that every hold is settled, the allowance counts the completed documents exactly, and every file matches its record.
 */
export async function expectNothingLost(
  service: RunningService,
  account: Account,
  created: Set<string>,
): Promise<number> {
  const usage = () => read<Usage>(service, account, "/usage").catch(() => null);
  await expect.poll(async () => (await usage())?.reserved, { timeout: 90_000, interval: 500 }).toBe(0);
  const documents = await completedDocuments(service, account);
  expect((await usage())?.used).toBe(documents.length);
  const ids = new Set(documents.map(({ id }) => id));
  expect([...created].filter((id) => !ids.has(id))).toEqual([]);
  for (const { pdfUrl, sha256 } of documents) {
    const response = await fetch(service.origin + new URL(pdfUrl).pathname);
    const bytes = new Uint8Array(await response.arrayBuffer());
    // The status shows whether the file differs, or could not be read.
    expect([response.status, createHash("sha256").update(bytes).digest("hex")]).toEqual([200, sha256]);
  }
  return documents.length;
}

async function completedDocuments(service: RunningService, account: Account): Promise<DocumentRecord[]> {
  const documents: DocumentRecord[] = [];
  for (let cursor: string | null = ""; cursor !== null;) {
    const after = cursor && `&cursor=${encodeURIComponent(cursor)}`;
    const page: List = await read<List>(service, account, `/documents?status=completed&limit=100${after}`);
    documents.push(...page.documents);
    cursor = page.pagination.nextCursor;
  }
  return documents;
}
