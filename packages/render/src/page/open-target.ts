// Opens an empty page in a browser context of its own.
import type { CDPSession } from "@cloudflare/puppeteer";
import { CodedError } from "colophon-base/loggable-error";
import { pageWindow, type PageWindow } from "./page-window.ts";

export type OpenedTarget = { page: CDPSession; window: PageWindow; browserContextId: string };

/** `root` is the DevTools session with the browser itself. */
export async function openTarget(root: CDPSession): Promise<OpenedTarget> {
  const { browserContextId } = await root.send("Target.createBrowserContext", { disposeOnDetach: true });
  const { targetId } = await root.send("Target.createTarget", { url: "about:blank", browserContextId });
  const window = pageWindow(root, targetId);
  const { sessionId } = await root.send("Target.attachToTarget", { targetId, flatten: true });
  const session = root.connection()?.session(sessionId);
  if (!session) throw new CodedError("page.closed");
  return { page: leanSession(session), window, browserContextId };
}

/**
 * Makes the commands of a session cheaper. For each command, puppeteer starts a timer and makes an error with a stack, in case the
 * command fails: more work than everything else about a small command. Renders have deadlines, and nothing reads the stacks.
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
