// Opens an empty page in its own browser context.
import type { CDPSession } from "@cloudflare/puppeteer";
import { CodedError } from "colophon-base/loggable-error";

export type OpenedTarget = Awaited<ReturnType<typeof openTarget>>;

/** `root` is the DevTools session with the browser itself. */
export async function openTarget(root: CDPSession) {
  const { browserContextId } = await root.send("Target.createBrowserContext", { disposeOnDetach: true });
  const { targetId } = await root.send("Target.createTarget", { url: "about:blank", browserContextId });
  const window = pageWindow(root, targetId);
  const { sessionId } = await root.send("Target.attachToTarget", { targetId, flatten: true });
  const session = root.connection()?.session(sessionId);
  if (!session) throw new CodedError("page.closed");
  return { page: leanSession(session), window, browserContextId };
}

/**
 * Makes a session's commands cheaper. For each command, puppeteer starts a timer and creates an error with a stack in case the
 * command fails, which is most of the work of a small command. Renders have deadlines, and nothing reads the stacks.
 */
function leanSession(session: CDPSession): CDPSession {
  const send = session.send.bind(session);
  const leanSend: typeof send = (method, params) => {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    try {
      return send(method, params, { timeout: 0 });
    } finally {
      Error.stackTraceLimit = stackTraceLimit;
    }
  };
  session.send = leanSend;
  return session;
}

/**
 * Hides the window of a page while its documents become PDFs. Nobody sees these frames, and a hidden page is not painted.
 * Otherwise, each layout of a document would be painted. In Chromium 127 without a screen, the page stays visible.
 */
function pageWindow(root: CDPSession, targetId: string) {
  const pendingWindow = root.send("Browser.getWindowForTarget", { targetId }).catch(() => null);
  let wasHidden = false;
  return {
    /** Resolves when the window is hidden or shown, or when the browser cannot do that, which does not affect the files. */
    async setHidden(isHidden: boolean): Promise<void> {
      if (isHidden === wasHidden) return;
      wasHidden = isHidden;
      const window = await pendingWindow;
      if (!window) return;
      const bounds = { windowState: isHidden ? "minimized" : "normal" } as const;
      await root.send("Browser.setWindowBounds", { windowId: window.windowId, bounds }).catch(() => {});
    },
  };
}
