// One browser session and its warm pages. A page serves one account for its whole life. If a new page would exceed the
// limit on browser contexts, the least recently used free page is closed first. A retired session closes after its last
// render.
import type { CDPSession } from "@cloudflare/puppeteer";
import { withDeadline } from "colophon-base/deadline";
import type { WarmPage } from "colophon-render/warm-page";
import type { BrowserSession } from "./browser-session.ts";

/** Opens a page in its own browser context. `root` is the DevTools session with the browser itself. */
export type OpenPage = (root: CDPSession) => Promise<WarmPage>;

/** A warm page. `accountId` is null for a spare page, which has not been used yet. */
export type PooledPage = {
  readonly warm: WarmPage;
  accountId: string | null;
  isInUse: boolean;
  usedAtMs: number;
};

const openPageTimeoutMs = 5_000;
/**
 * A page is kept after a document whose HTML, including images, has at most this many characters. The files of the styles do not
 * count.
 */
const maxKeptChars = 4_000_000;
/**
 * A page is kept if the files of its styles, such as the template's fonts, have at most this many characters. Reading them again
 * takes longer than a render. A page with 4 million characters takes 93 MB, and one with 12 million takes 172 MB.
 */
const maxStyleChars = 12_000_000;
/** The same limit for all pages of the session together: ten times the maximum of a document. */
const maxStyleCharsInPages = 40_000_000;

export class PooledSession {
  readonly browser: BrowserSession;
  readonly #openPage: OpenPage;
  readonly #maxPages: number;
  readonly #pages = new Set<PooledPage>();
  /** The number of browser contexts that are open or being opened. */
  #contexts = 0;
  #rendersInFlight = 0;
  #isPreparingSpare = false;
  rendersDone = 0;
  isRetired = false;
  /** Resolves when the attempt to close the browser has ended. Null until the session is retired and has no renders. */
  closing: Promise<void> | null = null;

  constructor(browser: BrowserSession, openPage: OpenPage, maxPages: number) {
    this.browser = browser;
    this.#openPage = openPage;
    this.#maxPages = maxPages;
  }

  /**
   * Marks the session as used by one more render. Each call must be followed by one call of `endRender`. Until then, a
   * retired session stays open.
   */
  beginRender(): void {
    this.#rendersInFlight++;
  }

  endRender(): void {
    this.#rendersInFlight--;
    this.#closeIfDrained();
  }

  /**
   * Returns a free page of the account, otherwise a spare page, otherwise a new page. The caller must pass the page to
   * `returnPage` or `dropPage` afterwards.
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

  /**
   * Frees the page for the next render of its account. Call this after a successful render of a document of `chars` characters,
   * with the files of its styles. After a large document, the page is closed, because its process would keep the memory while it
   * is idle. Styles are reused by the next document, so their limit is higher.
   */
  returnPage(page: PooledPage, chars: number): void {
    this.rendersDone++;
    page.isInUse = false;
    page.usedAtMs = Date.now();
    const styleChars = page.warm.styleChars();
    if (chars - styleChars > maxKeptChars || styleChars > maxStyleChars) this.dropPage(page);
    this.#boundStyles(page);
  }

  /** Starts to close the page and does not wait. Closing ends its process, so even a page that hangs stops using the CPU. */
  dropPage(page: PooledPage): void {
    if (!this.#pages.delete(page)) return;
    this.#contexts--;
    page.warm.close().catch(() => {}); // If the browser failed, its contexts end with the session.
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
    if (this.isRetired || this.#isPreparingSpare || hasSpare) return;
    this.#isPreparingSpare = true;
    this.#open(null)
      .catch(onFailure)
      .finally(() => (this.#isPreparingSpare = false));
  }

  /** Closes the browser when the last render in flight has ended, or immediately if there is none. */
  retire(): void {
    this.isRetired = true;
    this.#closeIfDrained();
  }

  #freePages(): PooledPage[] {
    return [...this.#pages].filter(({ isInUse }) => !isInUse);
  }

  async #open(accountId: string | null): Promise<PooledPage> {
    this.#evictForOneMore();
    this.#contexts++;
    try {
      const warm = await withDeadline("opening a page", openPageTimeoutMs, this.#openPage(this.browser.root));
      const page = { warm, accountId, isInUse: accountId !== null, usedAtMs: Date.now() };
      this.#pages.add(page);
      return page;
    } catch (cause) {
      this.#contexts--;
      throw cause;
    }
  }

  /** Closes the least recently used free pages, so that one more context fits within the limit. */
  #evictForOneMore(): void {
    const excess = Math.max(0, this.#contexts + 1 - this.#maxPages);
    const leastRecentlyUsed = this.#freePages().sort((a, b) => a.usedAtMs - b.usedAtMs);
    for (const page of leastRecentlyUsed.slice(0, excess)) this.dropPage(page);
  }

  /**
   * Closes the least recently used free pages that have style files, except for `kept`, until all pages together are within the
   * limit.
   */
  #boundStyles(kept: PooledPage): void {
    let chars = [...this.#pages].reduce((sum, { warm }) => sum + warm.styleChars(), 0);
    for (const page of this.#freePages().sort((a, b) => a.usedAtMs - b.usedAtMs)) {
      if (chars <= maxStyleCharsInPages) return;
      if (page === kept || page.warm.styleChars() === 0) continue;
      chars -= page.warm.styleChars();
      this.dropPage(page);
    }
  }

  #closeIfDrained(): void {
    if (!this.isRetired || this.#rendersInFlight > 0) return;
    this.closing ??= this.browser.close();
  }
}
