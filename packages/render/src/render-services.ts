// The services that a render needs: the browser, images, fonts, and shares of memory and processor time.
import type { Log } from "colophon-base/log";
import type { UrlRules } from "colophon-base/public-url";
import type { MarginMarkups } from "colophon-page/margin-markups";
import type { CompiledTemplate } from "colophon-template-model/compile-template";
import type { PageInfo } from "colophon-template-model/page-info";
import type { Template } from "colophon-template-model/template";
import type { FontCatalog } from "./fonts/font-library.ts";
import type { RenderJob, RenderMeasurements, RenderOutcome } from "./render-job.ts";

/**
 * Renders HTML and stores the file itself, so that the bytes never pass through the caller. Ends within the job's
 * `timeoutMs`, and never retries. A rejection counts as a crash.
 */
export type Renderer = { render(job: RenderJob, calls?: RenderCalls): Promise<RenderOutcome> };

/** The functions that the renderer calls during a render. */
export type RenderCalls = {
  /** Null or absent if neither the header nor the footer reads `page`. */
  renderMargins?: RenderMargins | null | undefined;
  /** Whether the file may be stored. Called when the render begins. If it resolves with false, the render ends. */
  mayStore?: MayStore | undefined;
  /** Called with the renderer's measurements, unless it did not respond. */
  report?: (measurements: RenderMeasurements) => void;
};

export type MayStore = () => Promise<boolean>;

/**
 * Renders the headers and footers that read `page`, for all pages of the printed document in order. The renderer calls this
 * function when the pages are known, and again if they have changed.
 */
export type RenderMargins = (pages: PageInfo[]) => Promise<PageMargins>;

/** The headers and footers, or the outcome of a render that needs them. */
export type PageMargins =
  | ({ status: "ok" } & MarginMarkups)
  | Extract<RenderOutcome, { status: "impossible" | "timed_out" | "crashed" }>;

export type FetchedImage =
  | { status: "fetched"; bytes: Uint8Array }
  | { status: "redirected"; location: string }
  /** `reason` is shown to the caller, e.g. `its server could not be reached`. */
  | { status: "failed"; reason: string };

/** Downloads images. Limits the time and the size of a download, and does not follow redirects. Never rejects. */
export type ImageSource = { fetch(url: string, timeoutMs: number): Promise<FetchedImage> };

/** `amount` is in bytes. Memory that is not released becomes free after `expiresInMs`, because a stopped request releases nothing. */
export type MemoryClaim = { accountId: string; amount: number; maxWaitMs: number; expiresInMs: number };

/**
 * `loaded` is for templates, including uploaded ones, and images; `markup` is for Liquid's output. They are separate, so that
 * creates that have loaded their parts never wait for each other. `uploads` lets one large body in at a time, and `bodies` is for
 * the values of JSON.
 */
export type MemoryPart = "loaded" | "markup" | "uploads" | "bodies";

/** Limits the total memory of the creates that share a Worker. */
export type RenderMemory = {
  /** Resolves when the memory is free, or with null if it does not become free in time. */
  acquire(part: MemoryPart, claim: MemoryClaim): Promise<MemoryPermit | null>;
};

export type MemoryPermit = {
  /** Changes the amount without waiting, because the memory is already in use. */
  resize(amount: number): void;
  release(): void;
};

/**
 * A render whose work is done in slices. `deadline` is in ms since the epoch. `keepAlive` receives a promise for the end of a
 * slice, because a request's timers are lost if the request ends first. A caller without `keepAlive` keeps the request alive
 * itself.
 */
export type SlicedRender = { accountId: string; deadline: number; keepAlive?: (slice: Promise<void>) => void };

/**
 * Divides the processor among the renders that share a Worker, so that one render delays other requests by at most one slice. `pause`
 * resolves when the next slice may begin, and at the deadline at the latest. Slices begin in rounds, with one slice of each account per
 * round.
 */
export type SliceScheduler = { pause(render: SlicedRender): Promise<void> };

/** The services needed to render a document. */
export type RenderServices = {
  templates: {
    /** The version's content, ready to render; cached, because a version never changes. */
    compiled(template: Template): Promise<CompiledTemplate>;
    /** The maximum memory that `compiled` takes, in bytes. */
    sizeBytes(template: Template): Promise<number>;
  };
  renderer: Renderer;
  memory: RenderMemory;
  slices: SliceScheduler;
  images: ImageSource;
  fonts: FontCatalog;
  /** `imageUrls` are the rules for image URLs. */
  settings: { imageUrls: UrlRules };
  /** The current time in ms since the epoch. */
  now(): number;
  log: Log;
  /** Runs the work and counts its time for a stage of the render. */
  measure<T>(stage: "template" | "images" | "liquid", work: () => Promise<T>): Promise<T>;
};
