// A renderer that stores a file without rendering anything.
import type { DocumentFormat, FileMetadata } from "../../src/core/documents/document.ts";
import { sha256Hex } from "../../src/core/encoding.ts";
import type { Renderer } from "../../src/ports.ts";
import type { FakeState } from "./state.ts";

/**
 * Puts a file as the pool does, once a key. Of the failures planned in `state.outcomes`, a crash and a timeout are the
 * worst of their kind: the file is there, only the answer was lost.
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

/** What a render leaves in the bucket; a file that is there already stays. */
export async function putFile(
  { files }: Pick<FakeState, "files">,
  { fileKey, html, format }: { fileKey: string; html: string; format: DocumentFormat },
): Promise<FileMetadata> {
  const known = files.get(fileKey);
  if (known) return known;
  const metadata = { fileSize: html.length, sha256: await sha256Hex(format + html), pageCount: 1, warnings: [] };
  files.set(fileKey, metadata);
  return metadata;
}
