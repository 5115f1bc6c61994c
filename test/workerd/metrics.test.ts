// Tests METRICS, with the binding of Analytics Engine as the local platform provides it.
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { requestServices } from "../../src/services.ts";
import { newTenant } from "../fixtures/tenant.ts";
import { create, dataOf, testService } from "./app.ts";

/** Returns a dataset that keeps what is written to it. */
function fakeDataset() {
  const points: AnalyticsEngineDataPoint[] = [];
  return { points, writeDataPoint: (point: AnalyticsEngineDataPoint) => void points.push(point) };
}

it("writes one data point for a request and one for its render, which name the document", async () => {
  const dataset = fakeDataset();
  const bindings = { ...env, METRICS: "analytics-engine", METRICS_DATASET: dataset };
  const service = testService(undefined, bindings);
  const tenant = await newTenant(env);

  const { id } = await dataOf(await create(service, tenant));

  expect(dataset.points.map(({ indexes, blobs }) => [indexes, blobs?.[0], blobs?.[2]])).toEqual([
    [[tenant.accountId], "render", id],
    [[tenant.accountId], "request", id],
  ]);
});

it("writes to a real binding without failing the request", async () => {
  const { METRICS_DATASET } = env;
  const service = testService(undefined, { ...env, METRICS: "analytics-engine" });

  const response = await create(service, await newTenant(env));

  expect(METRICS_DATASET).toBeDefined();
  expect(response.status).toBe(201);
  expect(service.logged).toEqual([]);
});

it.for(["off", undefined])("writes nothing with METRICS = %j, even if there is a binding", async (METRICS) => {
  const dataset = fakeDataset();
  const bindings = { ...env, METRICS, METRICS_DATASET: dataset } as unknown as Env;

  await create(testService(undefined, bindings), await newTenant(env));

  expect(dataset.points).toEqual([]);
});

it("names the binding that is missing with METRICS = analytics-engine", () => {
  const bindings = { ...env, METRICS: "analytics-engine", METRICS_DATASET: undefined };

  expect(() => requestServices(bindings, () => {})).toThrow("the binding METRICS_DATASET is missing");
});

it("names the variable if it has another value", () => {
  expect(() => requestServices({ ...env, METRICS: "on" }, () => {})).toThrow(
    "the variable METRICS must be off or analytics-engine",
  );
});
