// Runs the contract tests of renderers against the browser pool. `test/fakes/contracts.test.ts` runs the same tests against the
// fake.
import { env } from "cloudflare:workers";
import { requestServices } from "../../../src/services/request-services.ts";
import { rendererContract } from "../../contracts/renderer.ts";
import { job } from "../fixtures/pool.ts";

rendererContract("the browser pool", () => {
  const { renderer, files } = requestServices(env, () => {});
  return { renderer, files, job: (text, rest) => job(`<div style="height: 200px">${text}</div>`, rest) };
});
