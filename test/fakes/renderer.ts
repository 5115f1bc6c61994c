// A renderer that stores a file without rendering anything.
import { sha256Hex } from "colophon-base/encoding";
import type { DocumentFormat } from "colophon-page/document-format";
import { paperGeometry, type PageGeometry } from "colophon-page/page-geometry";
import type { FileMetadata } from "colophon-render/file-metadata";
import type { Renderer } from "colophon-render/render-services";
import type { FakeState } from "./state.ts";

/**
 * A fake that stores one file per key, as the pool does. If a test plans a crash or a timeout, the fake still stores the
 * file. This simulates the worst case, in which the work was done and only the response was lost.
 */
export function renderer(state: FakeState): Renderer {
  return {
    render: async (job) => {
      state.jobs.push(job);
      const planned = state.outcomes.shift();
      if (planned?.status === "no_capacity" || planned?.status === "impossible") return planned;
      const metadata = await putFile(state, job);
      return planned ?? { status: "rendered", ...metadata };
    },
  };
}

/** The height of a fake page if the height is "auto". */
export const autoHeightPx = 321;

/** The properties of a job that its file depends on. Without `page`, the page is an A4 page. */
type FakeJob = { fileKey: string; html: string; format: DocumentFormat; page?: PageGeometry };

/** Stores a file as a render does, unless a file with this key exists. Returns the metadata of the stored file. */
export async function putFile(
  { files }: Pick<FakeState, "files">,
  { fileKey, html, format, page }: FakeJob,
): Promise<FileMetadata> {
  const known = files.get(fileKey);
  if (known) return known;
  const { width, height } = page ?? paperGeometry("A4", "portrait");
  const sha256 = await sha256Hex(format + html);
  const size = { width, height: height === "auto" ? autoHeightPx : height };
  const metadata = {
    fileSize: html.length,
    sha256,
    pageCount: 1,
    ...size,
    imageSize: format === "pdf" ? null : size,
    warnings: [],
  };
  files.set(fileKey, metadata);
  return metadata;
}
