// More seeds of `batch-faults.test.ts`.
import { vi } from "vitest";
import { testSeeds } from "./batches/fault-seeds.ts";

vi.mock("cloudflare:workers", () => import("../fakes/cloudflare-workers.ts"));

testSeeds(200);
