// Shows the pages of a document side by side. A new document replaces the old one in one step, when the pages in view have
// been painted, so nothing flickers and the scroll position stays. Other pages are painted when they come into view.
import { byId, element, painted } from "../dom.ts";
import { zoomControl } from "./zoom.ts";

/** A page that can be painted. Sizes are in CSS pixels. */
export type DocumentPage = {
  width: number;
  height: number;
  /** Returns a picture with `scale` pixels of the screen for each CSS pixel. */
  paint(scale: number): Promise<HTMLElement>;
};

export type ShownDocument = { pages: DocumentPage[]; close(): void };

type Slot = { frame: HTMLElement; page: DocumentPage; paintedScale: number; isInView: boolean };

/** Pages this close to the view, in pixels of the screen, are painted too. */
const nearPx = 400;
const repaintDelayMs = 150;

export class DocumentView {
  readonly #viewer = byId("viewer", HTMLElement);
  readonly #container = byId("pages", HTMLElement);
  readonly #zoom = zoomControl(() => this.#resize());
  readonly #observer: IntersectionObserver;
  #slots: Slot[] = [];
  #current: ShownDocument | null = null;
  #scale = 1;
  #repaint: number | undefined;

  constructor() {
    this.#observer = new IntersectionObserver((entries) => this.#onMoved(entries), {
      root: this.#viewer,
      rootMargin: `${nearPx}px`,
    });
    new ResizeObserver(() => this.#resize()).observe(this.#viewer);
  }

  /** Resolves when the document is shown, or with nothing done if `isOutdated` has become true meanwhile. */
  async show(shown: ShownDocument, isOutdated: () => boolean): Promise<void> {
    const scale = this.#scaleFor(shown.pages);
    const inView = this.#slots.flatMap(({ isInView }, index) => (isInView ? [index] : []));
    const first = inView.length > 0 ? inView : [0, 1];
    const pictures = await Promise.all(first.map(async (index) => shown.pages[index]?.paint(scale)));
    if (isOutdated()) return shown.close();
    this.#replace(shown, scale, new Map(first.map((index, at) => [index, pictures[at]])));
    await painted();
  }

  /** Dims the document, because it is not what the folder contains now. */
  setStale(isStale: boolean): void {
    this.#container.classList.toggle("stale", isStale);
  }

  #replace(shown: ShownDocument, scale: number, pictures: Map<number, HTMLElement | undefined>): void {
    for (const { frame } of this.#slots.splice(shown.pages.length)) {
      this.#observer.unobserve(frame);
      frame.remove();
    }
    for (const [index, page] of shown.pages.entries()) {
      const slot = this.#slots[index] ?? this.#addSlot(page);
      const picture = pictures.get(index);
      Object.assign(slot, { page, paintedScale: picture ? scale : 0 });
      slot.frame.replaceChildren(...(picture ? [picture] : []));
    }
    this.#scale = scale;
    this.#layOut();
    this.#current?.close();
    this.#current = shown;
    this.#paintInView();
  }

  #addSlot(page: DocumentPage): Slot {
    const frame = element("figure", { className: "page", ariaLabel: `Page ${this.#slots.length + 1}` });
    const slot = { frame, page, paintedScale: 0, isInView: false };
    this.#slots.push(slot);
    this.#container.append(frame);
    this.#observer.observe(frame);
    return slot;
  }

  #scaleFor(pages: DocumentPage[]): number {
    const widestPage = Math.max(1, ...pages.map(({ width }) => width));
    return this.#zoom.scale({ width: this.#viewer.clientWidth, widestPage, pageCount: pages.length });
  }

  #layOut(): void {
    let widest = 0;
    for (const { frame, page } of this.#slots) {
      frame.style.width = `${page.width * this.#scale}px`;
      frame.style.height = `${page.height * this.#scale}px`;
      widest = Math.max(widest, page.width * this.#scale);
    }
    this.#container.style.setProperty("--widest", `${widest + 32}px`);
  }

  /** Follows a change of the zoom or of the window. The old pictures are stretched until the new ones are painted. */
  #resize(): void {
    if (!this.#current) return;
    const scale = this.#scaleFor(this.#current.pages);
    if (scale === this.#scale) return;
    const { scrollTop, scrollHeight } = this.#viewer;
    this.#scale = scale;
    this.#layOut();
    this.#viewer.scrollTop = (scrollTop / scrollHeight) * this.#viewer.scrollHeight;
    clearTimeout(this.#repaint);
    this.#repaint = setTimeout(() => this.#paintInView(), repaintDelayMs);
  }

  #onMoved(entries: IntersectionObserverEntry[]): void {
    for (const { target, isIntersecting } of entries) {
      const slot = this.#slots.find(({ frame }) => frame === target);
      if (slot) slot.isInView = isIntersecting;
    }
    this.#paintInView();
  }

  #paintInView(): void {
    for (const slot of this.#slots) {
      if (slot.isInView && slot.paintedScale !== this.#scale) void this.#paint(slot);
    }
  }

  async #paint(slot: Slot): Promise<void> {
    const { page } = slot;
    const scale = this.#scale;
    slot.paintedScale = scale;
    // A document that has been replaced meanwhile cannot be painted any more.
    const picture = await page.paint(scale).catch(() => null);
    if (picture && slot.page === page && this.#scale === scale) slot.frame.replaceChildren(picture);
  }
}
