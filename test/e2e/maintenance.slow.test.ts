// The operator's commands that need the running service, run as an operator does.
import { afterAll, beforeAll, expect, it } from "vitest";
import { createDocument, newAccount, pushSample, read, startService, type RunningService } from "./service.ts";

/** A short lease, because the data of a deleted account is removed only when its leases must have ended. */
const variables = { LEASE_SECONDS: "5", RENDER_BUDGET_MS: "4000", DEMO: "0" };

let service: RunningService;

beforeAll(async () => {
  service = await startService(variables);
}, 120_000);

afterAll(async () => {
  await service.stop();
});

it("deletes an account with its documents", { timeout: 300_000 }, async () => {
  const account = await newAccount(service, "enterprise");
  const body = await pushSample(service, account, "templates/shipping-label");
  await createDocument(service, account, body);

  const unconfirmed = service.cli("account", "delete", "--account", account.id);
  await expect(unconfirmed).rejects.toThrow(/add --confirm/);

  const deleted = await service.cli<object>("account", "delete", "--account", account.id, "--confirm", account.id);

  expect(deleted).toEqual({ id: account.id, status: "deleted" });
  const response = await fetch(`${service.baseUrl}/usage`, { headers: { Authorization: `Bearer ${account.key}` } });
  expect(response.status).toBe(401);
  const list = await service.cli<{ accounts: { id: string }[] }>("account", "list");
  expect(list.accounts.map(({ id }) => id)).not.toContain(account.id);
});

it("repairs nothing while nothing is broken, and says so", { timeout: 300_000 }, async () => {
  await service.cli("plan", "set", "--plan", "free", "--retention-days", "30");
  const account = await newAccount(service, "free");
  const body = await pushSample(service, account, "templates/shipping-label");
  const created = await createDocument(service, account, body);
  const { data } = (await created.json()) as { data: { createdAt: string; expiresAt: string } };

  expect(await service.cli("repair")).toEqual({ repaired: [] });
  expect(Date.parse(data.expiresAt) - Date.parse(data.createdAt)).toBe(30 * 86_400_000);
  expect(await read<{ used: number }>(service, account, "/usage")).toMatchObject({ used: 1 });
});
