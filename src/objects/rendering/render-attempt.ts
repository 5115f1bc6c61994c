// One attempt to render a job: acquires a session, takes a page and renders, within the job's deadline and supervised
// by the heartbeat. This module decides what a failure means for the caller, the page and the session. It does not
// retry; `render-document.ts` decides about retries.
import { DeadlineError, withDeadline } from "colophon-base/deadline";
import type { Log } from "colophon-base/log";
import { CodedError, loggableReason } from "colophon-base/loggable-error";
import type { PageOutcome } from "colophon-render/file-metadata";
import { dropContent, type Content, type PoolJob } from "colophon-render/job-content";
import type { PoolMargins } from "colophon-render/margin-content";
import { noMeasurements, type RenderMeasurements, type RenderOutcome } from "colophon-render/render-job";
import type { OutputMemory } from "colophon-render/render-weight";
import { NoCapacityError } from "./browser-session.ts";
import { UnresponsiveBrowserError, withHeartbeat } from "./heartbeat.ts";
import type { PooledPage, PooledSession } from "./pooled-session.ts";
import type { SessionSupervisor } from "./session-supervisor.ts";

export type AttemptFailure = Exclude<RenderOutcome, { status: "rendered" | "impossible" }>;

/** The account's object has refused the hold of a render that has already begun. */
class NotPermittedError extends Error {}

/**
 * The state of an attempt. `session` and `page` are null until the attempt has them. They are kept here so that they
 * can be released even if the browser never responds.
 */
type Attempt = {
  session: PooledSession | null;
  page: PooledPage | null;
  /** Margins that are being received. */
  margins: Content[];
  deadlineMs: number;
  isOver: boolean;
};

/**
 * `renderMargins` is null when neither the header nor the footer reads `page`. The attempt waits while the platform refuses to start a
 * browser, as long as enough time remains to render afterwards. It writes its measurements into `measured`.
 */
export type RenderWork = {
  job: PoolJob;
  renderMargins: PoolMargins | null;
  /** Resolves with false if the file must not be stored, which ends the attempt. Null if the hold already exists. */
  permission?: Promise<boolean> | null;
  memory?: OutputMemory;
  measured?: RenderMeasurements;
};

/** The time that is reserved for printing headers and footers that arrive at the last moment. */
const marginPrintMs = 250;

/** The minimum time left for asking the platform for a browser again: enough to launch it and render. */
const startAndRenderMs = 6_000;

/**
 * Renders the job; never rejects. If only the page fails, resolves when the replacement session has opened or failed to
 * open, but no later than the job's deadline.
 */
export async function attemptRender(
  sessions: SessionSupervisor,
  { renderMargins, measured = noMeasurements(), ...work }: RenderWork,
  log: Log,
): Promise<PageOutcome | AttemptFailure> {
  const { job } = work;
  const startedMs = Date.now();
  const deadlineMs = startedMs + job.timeoutMs;
  const attempt: Attempt = { session: null, page: null, margins: [], deadlineMs, isOver: false };
  try {
    const margins = renderMargins && boundedMargins(renderMargins, attempt, log);
    const onPage = renderOnPage(sessions, attempt, { ...work, renderMargins: margins, measured }).catch(asStepFailure);
    const rendering = withDeadline("the render", job.timeoutMs, onPage);
    const outcome = await rendering.finally(() => measureTimes(measured, Date.now() - startedMs));
    succeed(sessions, attempt, job);
    return outcome;
  } catch (cause) {
    return await fail(sessions, attempt, cause, log);
  } finally {
    attempt.isOver = true;
    for (const content of attempt.margins) dropContent(content);
    attempt.session?.endRender();
  }
}

/**
 * Returns a function that calls `renderMargins` and never rejects. It settles shortly before the attempt's deadline at
 * the latest, so a Worker that fails or does not respond costs neither the page nor the session.
 */
function boundedMargins(renderMargins: PoolMargins, { deadlineMs, margins: arrived }: Attempt, log: Log): PoolMargins {
  return async (pages) => {
    try {
      const timeoutMs = deadlineMs - marginPrintMs - Date.now();
      const margins = await withDeadline("rendering headers and footers", timeoutMs, renderMargins(pages));
      if (margins.status === "ok") arrived.push(margins);
      return margins;
    } catch (cause) {
      log("warn", { event: "render.margins_unavailable", cause });
      if (cause instanceof DeadlineError) return { status: "timed_out" };
      return { status: "crashed", reason: "the Worker that renders the headers and footers did not respond" };
    }
  };
}

/** Until the attempt has a session, its time counts as waiting for the session. */
function measureTimes(measured: RenderMeasurements, spentMs: number): void {
  if (measured.sessionMs === null) measured.sessionMs = spentMs;
  else measured.browserMs = spentMs - measured.sessionMs;
}

async function renderOnPage(
  sessions: SessionSupervisor,
  attempt: Attempt,
  { job, renderMargins, permission, memory, measured = noMeasurements() }: RenderWork,
): Promise<PageOutcome> {
  const startedMs = Date.now();
  const session = await sessions.acquire(job.hasOther ? 0 : attempt.deadlineMs - startAndRenderMs);
  measured.sessionMs = Date.now() - startedMs;
  measured.browserVersion = session.browser.version;
  measured.isSessionReused = session.rendersDone > 0;
  if (attempt.isOver) throw new CodedError("session.late");
  attempt.session = session;
  session.beginRender();
  const work = async () => {
    attempt.page = await session.takePage(job.accountId);
    const rendering = attempt.page.warm.render(job, renderMargins, memory);
    return permission ? Promise.race([rendering, refusalOf(permission)]) : rendering;
  };
  return withHeartbeat(() => session.browser.ping(), work());
}

/** Rejects when the permission is refused, and otherwise never settles. */
async function refusalOf(permission: Promise<boolean>): Promise<never> {
  if (await permission.catch(() => true)) return new Promise(() => {});
  throw new NotPermittedError();
}

/**
 * Rethrows the time-out of a single step as an ordinary error. The outcome of the attempt is then `crashed`, and the
 * caller may make another attempt. The outcome is `timed_out` only when the job's own deadline passes.
 */
function asStepFailure(cause: unknown): never {
  throw cause instanceof DeadlineError ? new CodedError(cause.code, cause.message, { cause }) : cause;
}

function succeed(sessions: SessionSupervisor, { session, page }: Attempt, { textBytes, fileBytes }: PoolJob): void {
  if (!session || !page) return;
  session.returnPage(page, textBytes + fileBytes);
  sessions.maintain(session);
}

async function fail(sessions: SessionSupervisor, attempt: Attempt, cause: unknown, log: Log): Promise<AttemptFailure> {
  if (cause instanceof NoCapacityError)
    return { status: "no_capacity", retryAfterSeconds: sessions.retryAfterSeconds() };
  if (cause instanceof NotPermittedError) {
    // The page is still rendering.
    if (attempt.page) attempt.session?.dropPage(attempt.page);
    return { status: "not_permitted" };
  }
  const reason = loggableReason(cause);
  log("warn", { event: "render.failed", reason, cause });
  const replaced = releaseAfterFailure(sessions, attempt, cause, reason);
  if (cause instanceof DeadlineError) return { status: "timed_out" };
  // Waits for the replacement, so that the caller's next attempt can use it.
  if (replaced) {
    await withDeadline("opening the replacement", attempt.deadlineMs - Date.now(), replaced).catch(() => {});
  }
  return { status: "crashed", reason };
}

/**
 * Drops the page, if there is one. If only the page failed, starts to replace the session and returns a promise, which resolves
 * when the replacement has opened or failed to open. In all other cases, retires the session immediately, if there is one, and
 * returns null.
 */
function releaseAfterFailure(
  sessions: SessionSupervisor,
  { session, page }: Attempt,
  cause: unknown,
  reason: string,
): Promise<void> | null {
  if (!session) return null;
  if (page) session.dropPage(page);
  const isBrowserResponsive =
    page !== null && session.browser.isAlive() && !(cause instanceof UnresponsiveBrowserError);
  if (isBrowserResponsive) return sessions.replace(session, reason);
  sessions.retire(session, reason);
  return null;
}
