// Ports for rendering and for the images that a document shows.
import type { FetchedImage } from "../core/images/fetched-image.ts";
import type { RenderJob, RenderOutcome } from "../core/rendering/render-job.ts";

/**
 * Renders HTML and stores the file itself; the bytes never pass through the caller. Ends within the job's `timeoutMs`, and
 * never retries. May reject, which counts as a crash.
 */
export type Renderer = { render(job: RenderJob): Promise<RenderOutcome> };

/** Downloads images. Never rejects; bounded in time and size. */
export type ImageSource = { fetch(url: string, timeoutMs: number): Promise<FetchedImage> };
