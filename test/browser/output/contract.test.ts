// The browser pool fulfils the same contract as the fake renderer (`test/fakes/contracts.test.ts`).
import { env } from "cloudflare:workers";
import { requestServices } from "../../../src/services.ts";
import { rendererContract } from "../../contracts/renderer.ts";
import { job } from "../fixtures/pool.ts";

rendererContract("the browser pool", () => {
  const { renderer, files } = requestServices(env, () => {});
  return { renderer, files, job: (text, rest) => job(`<div style="height: 200px">${text}</div>`, rest) };
});
