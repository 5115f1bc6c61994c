// One browser session and its warm pages. A page serves one account for its whole life; the least recently used page is
// closed before the number of browser contexts exceeds the cap. A retired session closes after its last render.
import type { CDPSession } from "@cloudflare/puppeteer";
import { withDeadline } from "../../platform/deadline.ts";
import type { Log } from "../../ports/services.ts";
import type { BrowserSession } from "./browser-session.ts";
import type { WarmPage } from "./warm-page.ts";

/** Opens a page in its own browser context, through the session with the browser itself. */
export type OpenPage = (root: CDPSession) => Promise<WarmPage>;

/** A warm page; a spare has no account yet. */
export type PooledPage = {
  readonly warm: WarmPage;
  accountId: string | null;
  isInUse: boolean;
  usedAtMs: number;
};

export type PooledSessionParts = { session: BrowserSession; openPage: OpenPage; maxPages: number; log: Log };

const openPageTimeoutMs = 5_000;

export class PooledSession {
  readonly #session: BrowserSession;
  readonly #openPage: OpenPage;
  readonly #maxPages: number;
  readonly #log: Log;
  readonly #pages = new Set<PooledPage>();
  /** Browser contexts that are open or being opened. */
  #contexts = 0;
  #rendersUnderWay = 0;
  #rendersDone = 0;
  #isRetired = false;
  #isPreparingSpare = false;

  constructor({ session, openPage, maxPages, log }: PooledSessionParts) {
    this.#session = session;
    this.#openPage = openPage;
    this.#maxPages = maxPages;
    this.#log = log;
  }

  get rendersDone(): number {
    return this.#rendersDone;
  }

  get isRetired(): boolean {
    return this.#isRetired;
  }

  isAlive(): boolean {
    return this.#session.isAlive();
  }

  ping(): Promise<unknown> {
    return this.#session.ping();
  }

  /** Each call must be followed by one call of `endRender`; until then, a retired session stays open. */
  beginRender(): void {
    this.#rendersUnderWay++;
  }

  endRender(): void {
    this.#rendersUnderWay--;
    this.#closeIfDrained();
  }

  /**
   * Returns the account's own page, the spare, or else a new page. It belongs to the caller until `returnPage` or
   * `dropPage`.
   */
  async takePage(accountId: string): Promise<PooledPage> {
    const free = this.#freePages();
    const page =
      free.find((candidate) => candidate.accountId === accountId) ?? free.find((spare) => spare.accountId === null);
    if (!page) return this.#open(accountId);
    page.accountId = accountId;
    page.isInUse = true;
    return page;
  }

  /** To be called after a successful render. */
  returnPage(page: PooledPage): void {
    page.isInUse = false;
    page.usedAtMs = Date.now();
    this.#rendersDone++;
  }

  /** Closes the page without waiting for it. Closing ends a page's process, so a page that hangs takes no more CPU. */
  dropPage(page: PooledPage): void {
    if (!this.#pages.delete(page)) return;
    this.#contexts--;
    page.warm.close().catch(() => {}); // The browser failed: its contexts end with the session.
  }

  /** Opens a spare page. Rejects when the page cannot be opened in time. */
  async openSpare(): Promise<void> {
    await this.#open(null);
  }

  /**
   * Opens a page for the next new account in the background, unless a spare page is open or being opened. `onFailure` must
   * not reject.
   */
  prepareSpare(onFailure: (cause: unknown) => Promise<void>): void {
    const hasSpare = [...this.#pages].some(({ accountId }) => accountId === null);
    if (this.#isRetired || this.#isPreparingSpare || hasSpare) return;
    this.#isPreparingSpare = true;
    this.#open(null)
      .catch(onFailure)
      .finally(() => (this.#isPreparingSpare = false));
  }

  /** Ends the session after the renders under way: the last of them closes the browser. */
  retire(): void {
    if (this.#isRetired) return;
    this.#isRetired = true;
    this.#closeIfDrained();
  }

  #freePages(): PooledPage[] {
    return [...this.#pages].filter(({ isInUse }) => !isInUse);
  }

  async #open(accountId: string | null): Promise<PooledPage> {
    this.#evictForOneMore();
    this.#contexts++;
    try {
      const warm = await withDeadline("opening a page", openPageTimeoutMs, this.#openPage(this.#session.root));
      const page = { warm, accountId, isInUse: accountId !== null, usedAtMs: Date.now() };
      this.#pages.add(page);
      return page;
    } catch (cause) {
      this.#contexts--;
      throw cause;
    }
  }

  /** Closes the least recently used free pages, until one more context stays within the cap. */
  #evictForOneMore(): void {
    const excess = Math.max(0, this.#contexts + 1 - this.#maxPages);
    const leastRecentlyUsed = this.#freePages().sort((a, b) => a.usedAtMs - b.usedAtMs);
    for (const page of leastRecentlyUsed.slice(0, excess)) this.dropPage(page);
  }

  #closeIfDrained(): void {
    if (!this.#isRetired || this.#rendersUnderWay > 0) return;
    this.#session.close().catch((cause: unknown) => this.#log("warn", { event: "browser.close_failed", cause }));
  }
}
