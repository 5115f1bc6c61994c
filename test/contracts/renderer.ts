// Tests that apply to every Renderer: the browser pool and the fake. They use only documents that can be rendered.
import { describe, expect, it } from "vitest";
import type { RenderJob } from "colophon-render/render-job";
import type { FileStore } from "../../src/ports/documents.ts";
import type { Renderer } from "colophon-render/render-services";

export type RendererUnderTest = {
  renderer: Renderer;
  /** The store into which the renderer puts files. */
  files: FileStore;
  /** Returns a job that renders this text on one page. */
  job(text: string, rest: Partial<RenderJob>): RenderJob;
};

export function rendererContract(name: string, make: () => RendererUnderTest): void {
  describe(`${name} as a Renderer`, () => {
    it.for(["pdf", "png", "jpeg", "webp"] as const)(
      "stores a %s under the key of the job, and returns its size and digest",
      async (format) => {
        const { renderer, files, job } = make();
        const fileKey = `${crypto.randomUUID()}.${format}`;

        const outcome = await renderer.render(job("text", { format, fileKey }));

        const metadata = await files.metadata(fileKey);
        expect(metadata).not.toBeNull();
        expect(outcome).toMatchObject({ status: "rendered", pageCount: 1, warnings: [], ...metadata });
      },
    );

    it("keeps a file that is already stored under the key of the job, and returns its size and digest", async () => {
      const { renderer, files, job } = make();
      const fileKey = `${crypto.randomUUID()}.pdf`;
      const first = await renderer.render(job("first", { fileKey }));

      const second = await renderer.render(job("second, which is longer than the first", { fileKey }));

      expect(second).toEqual(first);
      expect(first).toMatchObject({ ...(await files.metadata(fileKey)) });
    });
  });
}
