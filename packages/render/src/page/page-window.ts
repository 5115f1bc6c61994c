// Hides the window of a page while its documents become PDFs. A hidden page paints no frames, which nobody would see: a document
// would otherwise be painted after each of its layouts. In Chromium 127 without a screen, the page stays visible.
import type { CDPSession } from "@cloudflare/puppeteer";

export type PageWindow = {
  /** Resolves when the window is as wanted, or when the browser cannot do that. Then it renders the same files. */
  setHidden(isHidden: boolean): Promise<void>;
};

/** `root` is the DevTools session with the browser itself. */
export function pageWindow(root: CDPSession, targetId: string): PageWindow {
  const found = root.send("Browser.getWindowForTarget", { targetId }).catch(() => null);
  let wasHidden = false;
  return {
    async setHidden(isHidden) {
      if (isHidden === wasHidden) return;
      wasHidden = isHidden;
      const window = await found;
      if (!window) return;
      const bounds = { windowState: isHidden ? "minimized" : "normal" } as const;
      await root.send("Browser.setWindowBounds", { windowId: window.windowId, bounds }).catch(() => {});
    },
  };
}
