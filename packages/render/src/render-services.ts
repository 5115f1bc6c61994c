// The services that a render needs: the browser, images and fonts, and its share of memory and processor.
import type { Log } from "colophon-base/log";
import type { UrlRules } from "colophon-base/public-url";
import type { CompiledTemplate } from "colophon-template-model/compile-template";
import type { Template } from "colophon-template-model/template";
import type { FontCatalog } from "./fonts/font-library.ts";
import type { PageInfo } from "colophon-template-model/page-info";
import type { MarginMarkups } from "colophon-page/margin-markups";
import type { RenderJob, RenderMeasurements, RenderOutcome } from "./render-job.ts";

/**
 * Renders HTML and stores the file itself, so that the bytes never pass through the caller. Ends within the job's
 * `timeoutMs`, and never retries. A rejection counts as a crash.
 */
export type Renderer = { render(job: RenderJob, calls?: RenderCalls): Promise<RenderOutcome> };

/** The functions that the renderer calls while it renders. */
export type RenderCalls = {
  /** Null, or left out, when neither the header nor the footer reads `page`. */
  renderMargins?: RenderMargins | null | undefined;
  /** Whether the file may be stored. Called when the render begins. If it resolves with false, the render ends. */
  mayStore?: MayStore | undefined;
  /** Called with what the renderer has measured, unless it did not respond. */
  report?: (measurements: RenderMeasurements) => void;
};

export type MayStore = () => Promise<boolean>;

/**
 * Renders the headers and footers that read `page`, for all pages of the printed document in their order. The renderer
 * calls this function when it knows the pages, and again when the pages have changed.
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

/** `amount` is in bytes. Memory that is not released is free again after `expiresInMs`: a request that is stopped releases nothing. */
export type MemoryClaim = { accountId: string; amount: number; maxWaitMs: number; expiresInMs: number };

/**
 * `loaded` is for templates and images, also for uploaded templates, and `markup` for what Liquid makes of them. They are separate,
 * so that creates that have loaded their parts never wait for each other. `uploads` lets one large body in at a time, and `bodies`
 * is for the values of JSON.
 */
export type MemoryPart = "loaded" | "markup" | "uploads" | "bodies";

/** Limits how much memory the creates that share a Worker take together. */
export type RenderMemory = {
  /** Resolves when the memory is free, and with null if it is not free in time. */
  acquire(part: MemoryPart, claim: MemoryClaim): Promise<MemoryPermit | null>;
};

export type MemoryPermit = {
  /** Changes the amount without waiting, because the memory is already in use. */
  resize(amount: number): void;
  release(): void;
};

/**
 * A render whose work is done in slices. `deadline` is in ms since the epoch. `keepAlive` gets a promise for the end of a slice,
 * because the timers of a request are lost if the request ends first. A caller without `keepAlive` keeps the request alive itself.
 */
export type SlicedRender = { accountId: string; deadline: number; keepAlive?: (slice: Promise<void>) => void };

/**
 * Divides the processor among the renders that share a Worker, so that one render's work delays other requests by one slice at most.
 * `pause` resolves when the next slice may begin, and at the deadline at the latest. Slices begin in rounds, with one slice of each account
 * per round.
 */
export type SliceScheduler = { pause(render: SlicedRender): Promise<void> };

/** The services needed to render a document. */
export type RenderServices = {
  templates: {
    /** The version's content, ready to render; cached, because a version never changes. */
    compiled(template: Template): Promise<CompiledTemplate>;
    /** How many bytes of memory `compiled` takes at most. */
    sizeBytes(template: Template): Promise<number>;
  };
  renderer: Renderer;
  memory: RenderMemory;
  slices: SliceScheduler;
  images: ImageSource;
  fonts: FontCatalog;
  /** `imageUrls` are the rules for the URLs that images are fetched from. */
  settings: { imageUrls: UrlRules };
  /** The current time in ms since the epoch. */
  now(): number;
  log: Log;
  /** Runs the work and counts its time for a stage of the render. */
  measure<T>(stage: "template" | "images" | "liquid", work: () => Promise<T>): Promise<T>;
};
