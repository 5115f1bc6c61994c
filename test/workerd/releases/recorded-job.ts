// A render job as it is recorded. The document of a job is bytes or a stream, which JSON cannot contain.
import type { PoolJob } from "../../../src/platform/rendering/job-content.ts";

/** A job whose document has been read: the text at its beginning, and its files. */
export type RecordedJob = Omit<PoolJob, "content"> & { content: { text: string; files: string } };

/** Reads the document of the job, which cannot be sent after that. */
export async function recordedJob(job: PoolJob): Promise<RecordedJob> {
  const content = new Uint8Array(await new Response(job.content as BodyInit).arrayBuffer());
  const decoded = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  const text = decoded(content.subarray(0, job.textBytes));
  return { ...job, content: { text, files: decoded(content.subarray(job.textBytes)) } };
}

/** Returns a recorded job as a pool gets it. */
export function jobOf({ content: { text, files }, ...job }: RecordedJob): PoolJob {
  return { ...job, content: new TextEncoder().encode(text + files) };
}
