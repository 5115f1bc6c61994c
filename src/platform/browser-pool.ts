// The warm pages of one browser session: an account finds its own page again, another account gets a fresh context made
// ahead of need, the least recently used leaves first. Waiting is bounded in number and time; a failure retires the
// whole session, and the next render starts a new one.
import type { BrowserWorker } from "@cloudflare/puppeteer";
import type { FileFacts, Log, RenderJob, RenderOutcome } from "../ports.ts";
import { sha256Hex } from "../core/encoding.ts";
import { NoBrowserError, openSession, type BrowserSession, type SessionMemory } from "./browser-session.ts";
import { DeadlineError, withDeadline } from "./deadline.ts";
import { waitingRoom } from "./waiting-room.ts";
import { openWarmPage, type PageOutcome, type RenderedFile, type WarmPage } from "./warm-page.ts";

export type PoolSettings = {
  concurrentPages: number;
  maxPages: number;
  waitingRoom: number;
  maxRendersPerSession: number;
};

export type PoolParts = {
  browser: BrowserWorker;
  memory: SessionMemory;
  /** Puts the file create-only and returns what is true of it. */
  store: (job: RenderJob, bytes: Uint8Array, facts: FileFacts) => Promise<FileFacts>;
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
  /** Contexts that are being made, and will be slots. */
  opening: number;
  /** Renders under way, and renders done. */
  underWay: number;
  renders: number;
  isRetired: boolean;
  isMakingSpare: boolean;
};

export function browserPool({ browser, memory, store, settings, log }: PoolParts): BrowserPool {
  let opening: Promise<Generation> | null = null;
  let current: Generation | null = null;
  let lastUsedMs = Date.now();
  let rendering = 0;
  /** What a render takes, of late. */
  let usualMs = 500;
  const room = waitingRoom(settings.waitingRoom);

  const generation = async (): Promise<Generation> => {
    if (current && !current.isRetired && current.session.isAlive()) return current;
    if (current) retire(current, "the browser disconnected");
    opening ??= openSession(browser, memory)
      .then((session) => {
        current = {
          session,
          slots: new Set(),
          opening: 0,
          underWay: 0,
          renders: 0,
          isRetired: false,
          isMakingSpare: false,
        };
        return current;
      })
      .finally(() => (opening = null));
    return opening;
  };

  /** No new render goes there; the ones under way are left in peace, the last of them closes the browser. */
  const retire = (retired: Generation, reason: string): void => {
    if (retired.isRetired) return;
    retired.isRetired = true;
    if (current === retired) current = null;
    log("info", { event: "browser.session_retired", reason, renders: retired.renders });
    memory.save(null).catch((cause: unknown) => log("warn", { event: "browser.memory_failed", cause }));
    closeIfDrained(retired);
  };

  const closeIfDrained = (owner: Generation): void => {
    if (owner.isRetired && owner.underWay === 0) void owner.session.close();
  };

  const openSlot = async (owner: Generation, accountId: string | null): Promise<Slot> => {
    owner.opening++;
    makeRoom(owner);
    const page = await openWarmPage(owner.session.root).finally(() => owner.opening--);
    const slot = { page, accountId, isBusy: accountId !== null, usedAtMs: Date.now() };
    owner.slots.add(slot);
    return slot;
  };

  /** Keeps contexts under the cap, those that open included. */
  const makeRoom = (owner: Generation): void => {
    const idle = [...owner.slots].filter(({ isBusy }) => !isBusy).sort((a, b) => a.usedAtMs - b.usedAtMs);
    for (const slot of idle.slice(0, Math.max(0, owner.slots.size + owner.opening - settings.maxPages)))
      dropSlot(owner, slot);
  };

  const dropSlot = (owner: Generation, slot: Slot): void => {
    owner.slots.delete(slot);
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
      .catch((cause: unknown) => log("warn", { event: "browser.spare_failed", cause }))
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
    return { status: "busy", retryAfterSeconds: Math.ceil(queueMs / 1000) };
  };

  const renderOn = async (owner: Generation, job: RenderJob): Promise<PageOutcome> => {
    owner.underWay++;
    try {
      const slot = await slotFor(owner, job.accountId);
      const outcome = await slot.page.render(job);
      slot.isBusy = false;
      slot.usedAtMs = Date.now();
      owner.renders++;
      return outcome;
    } finally {
      owner.underWay--;
      closeIfDrained(owner);
    }
  };

  const renderInTime = async (
    job: RenderJob,
  ): Promise<PageOutcome | Exclude<RenderOutcome, { status: "rendered" }>> => {
    let owner: Generation | null = null;
    const work = async () => renderOn((owner = await generation()), job);
    try {
      return await withDeadline("the render", job.timeoutMs, work());
    } catch (cause) {
      if (cause instanceof NoBrowserError) return { status: "busy", retryAfterSeconds: 10 };
      const reason = cause instanceof Error ? cause.message : String(cause);
      log("warn", { event: "render.failed", reason, cause });
      if (owner) retire(owner, reason);
      return cause instanceof DeadlineError ? { status: "timed_out" } : { status: "crashed", reason };
    } finally {
      const used = owner as Generation | null;
      if (used && used.renders >= settings.maxRendersPerSession) retire(used, "it has rendered enough");
      else if (used) makeSpare(used);
    }
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
