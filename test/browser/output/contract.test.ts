import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { requestServices } from "../../../src/services/request-services.ts";
import { job } from "../fixtures/pool.ts";

const { renderer, files } = requestServices(env, () => {});

it.for(["pdf", "png", "jpeg", "webp"] as const)("the browser pool stores a %s under its key", async (format) => {
  const fileKey = `${crypto.randomUUID()}.${format}`;

  const outcome = await renderer.render(job('<div style="height: 200px">text</div>', { format, fileKey }));

  const metadata = await files.metadata(fileKey);
  expect(metadata).not.toBeNull();
  expect(outcome).toMatchObject({ status: "rendered", pageCount: 1, warnings: [], ...metadata });
});

it("the browser pool keeps a file that is already stored under the key of the job, and returns its size and digest", async () => {
  const fileKey = `${crypto.randomUUID()}.pdf`;
  const first = await renderer.render(job("first", { fileKey }));

  const second = await renderer.render(job("second, which is longer than the first", { fileKey }));

  expect(second).toEqual(first);
  expect(first).toMatchObject({ ...(await files.metadata(fileKey)) });
});
