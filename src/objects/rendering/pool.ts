// The warm pages of one browser session: an account finds its own page again, another account gets a fresh context made
// ahead of need, the least recently used leaves first. Waiting is bounded in number and time. A browser that fails is
// retired, and the next render starts a new one; a page that hangs or crashes is ended at once, and its session serves
// the neighbours until another one has taken over.
import type { BrowserWorker } from "@cloudflare/puppeteer";
import type { FileMetadata } from "../../core/documents/document.ts";
import type { Log } from "../../ports.ts";
import type { RenderJob, RenderOutcome } from "../../core/rendering/render-job.ts";
import { sha256Hex } from "../../core/encoding.ts";
import { NoBrowserError, openSession, type BrowserSession, type SessionMemory } from "./browser-session.ts";
import { DeadlineError, withDeadline } from "../../platform/deadline.ts";
import { UnresponsiveBrowserError, withHeartbeat } from "./heartbeat.ts";
import { admissionQueue } from "../runtime/admission-queue.ts";
import type { PageOutcome, RenderedFile } from "./page-output.ts";
import { openWarmPage, type WarmPage } from "./warm-page.ts";

export type PoolSettings = {
  concurrentPages: number;
  maxPages: number;
  queueLength: number;
  maxRendersPerSession: number;
};

export type PoolParts = {
  browser: BrowserWorker;
  memory: SessionMemory;
  /** Puts the file create-only and returns what is true of it. */
  store: (job: RenderJob, bytes: Uint8Array, metadata: FileMetadata) => Promise<FileMetadata>;
  settings: PoolSettings;
  log: Log;
};

export type BrowserPool = {
  /** Busy when no page is free: at once, or with `mayWait` when the waiting room is full or has been waited in too long. */
  render(job: RenderJob, mayWait: boolean): Promise<RenderOutcome>;
  /** Closes the session if nothing was rendered since `sinceMs` ago; true when none is open afterwards. */
  closeIfIdle(sinceMs: number): Promise<boolean>;
};

/** A page and the one account that it will ever serve; null while it is a spare. */
type Slot = { page: WarmPage; accountId: string | null; isBusy: boolean; usedAtMs: number };

/** An open session with its pages. Retired ones are dropped whole, so a late answer cannot touch the next one. */
type Generation = {
  session: BrowserSession;
  slots: Set<Slot>;
  /** Renders under way, and renders done. */
  underWay: number;
  renders: number;
  /** Contexts there or under way. */
  contexts: number;
  isRetired: boolean;
  isMakingSpare: boolean;
  /** While the next session is being opened. */
  replacement: Promise<void> | null;
};

type Failure = Exclude<RenderOutcome, { status: "rendered" }>;

/** What one render has taken, to be given back also when the browser never answers it. */
type Turn = { owner: Generation | null; slot: Slot | null; deadline: number; isOver: boolean };

const openPageTimeoutMs = 5_000;

export function browserPool({ browser, memory, store, settings, log }: PoolParts): BrowserPool {
  let opening: Promise<Generation> | null = null;
  let current: Generation | null = null;
  let lastUsedMs = Date.now();
  let rendering = 0;
  /** What a render takes, of late. */
  let usualMs = 500;
  const room = admissionQueue(settings.queueLength);

  const generation = async (): Promise<Generation> => {
    if (current && !current.session.isAlive()) retire(current, "the browser disconnected");
    return current ?? open(memory);
  };

  /** A session is there when its first page is: whoever comes then does not wait for one. */
  const open = (remembered: SessionMemory): Promise<Generation> => {
    opening ??= openSession(browser, remembered)
      .then(async (session) => {
        const opened = newGeneration(session);
        await openSlot(opened, null).catch((cause: unknown) => {
          retire(opened, "its first page could not be opened");
          throw cause;
        });
        return (current = opened);
      })
      .finally(() => (opening = null));
    return opening;
  };

  /** No new render goes there; the ones under way are left in peace, the last of them closes the browser. */
  const retire = (retired: Generation, reason: string): void => {
    if (retired.isRetired) return;
    retired.isRetired = true;
    log("info", { event: "browser.session_retired", reason, renders: retired.renders });
    if (current === retired) {
      current = null;
      memory.save(null).catch((cause: unknown) => log("warn", { event: "browser.memory_failed", cause }));
    }
    closeIfDrained(retired);
  };

  /** The browser answers, but has seen enough: it serves until the next one is there, so that no neighbour waits. */
  const replace = (owner: Generation, reason: string): Promise<void> => {
    if (current !== owner) return Promise.resolve();
    owner.replacement ??= open({ ...memory, load: async () => undefined })
      .then(() => retire(owner, reason))
      .catch((cause: unknown) => {
        owner.replacement = null;
        log("warn", { event: "browser.not_replaced", reason, cause });
      });
    return owner.replacement;
  };

  const closeIfDrained = (owner: Generation): void => {
    if (owner.isRetired && owner.underWay === 0) void owner.session.close();
  };

  const openSlot = async (owner: Generation, accountId: string | null): Promise<Slot> => {
    makeRoom(owner);
    owner.contexts++;
    try {
      const page = await withDeadline("opening a page", openPageTimeoutMs, openWarmPage(owner.session.root));
      const slot = { page, accountId, isBusy: accountId !== null, usedAtMs: Date.now() };
      owner.slots.add(slot);
      return slot;
    } catch (cause) {
      owner.contexts--;
      throw cause;
    }
  };

  /** Keeps contexts under the cap, those that open included. */
  const makeRoom = (owner: Generation): void => {
    const idle = [...owner.slots].filter(({ isBusy }) => !isBusy).sort((a, b) => a.usedAtMs - b.usedAtMs);
    for (const slot of idle.slice(0, Math.max(0, owner.contexts + 1 - settings.maxPages))) dropSlot(owner, slot);
  };

  const dropSlot = (owner: Generation, slot: Slot): void => {
    if (!owner.slots.delete(slot)) return;
    owner.contexts--;
    slot.page.close().catch(() => {}); // The session is going; its contexts go with it.
  };

  const slotFor = async (owner: Generation, accountId: string): Promise<Slot> => {
    const free = [...owner.slots].filter(({ isBusy }) => !isBusy);
    const slot =
      free.find((candidate) => candidate.accountId === accountId) ?? free.find((spare) => spare.accountId === null);
    if (!slot) return openSlot(owner, accountId);
    slot.accountId = accountId;
    slot.isBusy = true;
    return slot;
  };

  /** Another account's context is made while nobody waits for it. */
  const makeSpare = (owner: Generation): void => {
    if (owner.isRetired || owner.isMakingSpare || [...owner.slots].some(({ accountId }) => accountId === null)) return;
    owner.isMakingSpare = true;
    openSlot(owner, null)
      .catch((cause: unknown) => {
        log("warn", { event: "browser.spare_failed", cause });
        // What there is of the page cannot be closed; it goes with its session.
        return replace(owner, "a page could not be opened");
      })
      .finally(() => (owner.isMakingSpare = false));
  };

  const enter = async (mayWait: boolean, timeoutMs: number): Promise<boolean> => {
    if (rendering >= settings.concurrentPages) return mayWait && room.wait(timeoutMs);
    rendering++;
    return true;
  };

  /** Hands the place on to the first in the room, or gives it back. */
  const leave = (): void => {
    if (!room.admitNext()) rendering--;
  };

  /** When those who wait now will have been served, by what renders took of late. */
  const busy = (): RenderOutcome => {
    const queueMs = ((room.length + 1) * usualMs) / settings.concurrentPages;
    return { status: "no_capacity", retryAfterSeconds: Math.ceil(queueMs / 1000) };
  };

  const renderOn = async (turn: Turn, job: RenderJob): Promise<PageOutcome> => {
    const owner = await generation();
    if (turn.isOver) throw new Error("the browser came too late");
    turn.owner = owner;
    owner.underWay++;
    const work = async () => {
      turn.slot = await slotFor(owner, job.accountId);
      return turn.slot.page.render(job);
    };
    return withHeartbeat(owner.session.ask, work());
  };

  const renderInTime = async (job: RenderJob): Promise<PageOutcome | Failure> => {
    const turn: Turn = { owner: null, slot: null, deadline: Date.now() + job.timeoutMs, isOver: false };
    try {
      const outcome = await withDeadline("the render", job.timeoutMs, renderOn(turn, job).catch(stepFailed));
      endWell(turn);
      return outcome;
    } catch (cause) {
      return await endBadly(turn, cause);
    } finally {
      turn.isOver = true;
      if (turn.owner) {
        turn.owner.underWay--;
        closeIfDrained(turn.owner);
      }
    }
  };

  /** Only the render's own deadline is a time-out: a step that hangs is a crash, and worth a second try. */
  const stepFailed = (cause: unknown): never => {
    throw cause instanceof DeadlineError ? new Error(cause.message, { cause }) : cause;
  };

  const endWell = ({ owner, slot }: Turn): void => {
    if (!owner || !slot) return;
    slot.isBusy = false;
    slot.usedAtMs = Date.now();
    owner.renders++;
    if (owner.renders >= settings.maxRendersPerSession) void replace(owner, "it has rendered enough");
    else makeSpare(owner);
  };

  const endBadly = async ({ owner, slot, deadline }: Turn, cause: unknown): Promise<Failure> => {
    if (cause instanceof NoBrowserError) return { status: "no_capacity", retryAfterSeconds: 10 };
    const reason = cause instanceof Error ? cause.message : String(cause);
    log("warn", { event: "render.failed", reason, cause });
    // What hangs in there must not take the time of others: its process ends with its context.
    if (owner && slot) dropSlot(owner, slot);
    const isBrowserWell = slot !== null && owner?.session.isAlive() && !(cause instanceof UnresponsiveBrowserError);
    const replaced = owner && isBrowserWell ? replace(owner, reason) : null;
    if (owner && !replaced) retire(owner, reason);
    if (cause instanceof DeadlineError) return { status: "timed_out" };
    // The second try is for the fresh session.
    if (replaced) await withDeadline("another browser", deadline - Date.now(), replaced).catch(() => {});
    return { status: "crashed", reason };
  };

  const storeFile = async (job: RenderJob, { bytes, pageCount, warnings }: RenderedFile): Promise<RenderOutcome> => {
    try {
      const sha256 = await sha256Hex(bytes);
      return {
        status: "rendered",
        ...(await store(job, bytes, { fileSize: bytes.length, sha256, pageCount, warnings })),
      };
    } catch (cause) {
      log("error", { event: "file.put_failed", cause });
      return { status: "crashed", reason: "the file could not be stored" };
    }
  };

  return {
    async render(job, mayWait) {
      const arrivedMs = Date.now();
      lastUsedMs = arrivedMs;
      if (!(await enter(mayWait, job.timeoutMs / 2))) return busy();
      const startedMs = Date.now();
      try {
        const outcome = await renderInTime({ ...job, timeoutMs: job.timeoutMs - (startedMs - arrivedMs) });
        return outcome.status === "rendered" ? await storeFile(job, outcome) : outcome;
      } finally {
        usualMs += (Date.now() - startedMs - usualMs) / 10;
        leave();
      }
    },
    async closeIfIdle(sinceMs) {
      if (!current && !opening) return true;
      if (rendering > 0 || opening || Date.now() - lastUsedMs < sinceMs) return false;
      if (current) retire(current, "it was idle");
      return true;
    },
  };
}

function newGeneration(session: BrowserSession): Generation {
  return {
    ...{ session, slots: new Set<Slot>(), underWay: 0, renders: 0, contexts: 0 },
    ...{ isRetired: false, isMakingSpare: false, replacement: null },
  };
}
