// Runs an account's batches and queued documents while calls, alarms and objects fail, from numbered seeds.
import { vi } from "vitest";
import { testSeeds } from "./batches/fault-seeds.ts";

vi.mock("cloudflare:workers", () => import("../fakes/cloudflare-workers.ts"));

testSeeds(15);
