// A fake browser with one page, which implements the DevTools protocol. It records the commands, and gives the responses of the
// test.
import type { CDPSession } from "@cloudflare/puppeteer";
import type { PreparedPage } from "colophon-page/prepared-page";
import { pdf } from "colophon-test-kit/pdf";
import { openWarmPage } from "../../src/page/warm-page.ts";

type Params = Record<string, unknown>;
/** Returns the response to a command, or the result of a function of the page script. */
type Response = (input: Params) => unknown;

/** Each print returns the next of `prints`, and the last one is repeated. */
export function fakePage(responses: Record<string, Response> = {}, prints: Uint8Array[] = [printedPdf()]) {
  const sent: [name: string, input: Params][] = [];
  const listeners = new Map<string, (event: unknown) => void>();
  const streams: (Uint8Array | undefined)[] = [];
  const known: Record<string, Response> = {
    "Target.createBrowserContext": () => ({ browserContextId: "context" }),
    "Target.createTarget": () => ({ targetId: "target" }),
    "Target.attachToTarget": () => ({ sessionId: "session" }),
    "Browser.getWindowForTarget": () => ({ windowId: 7 }),
    "Page.getFrameTree": () => ({ frameTree: { frame: { id: "frame" } } }),
    "Runtime.evaluate": () => ({ result: { objectId: "script" } }),
    "Page.printToPDF": () => ({ stream: `${streams.push(prints[streams.length] ?? prints.at(-1)) - 1}` }),
    /** As in Chromium, only a read after the last bytes reports the end. */
    "IO.read"({ handle, size }) {
      const rest = streams[Number(handle)] ?? new Uint8Array();
      streams[Number(handle)] = rest.subarray(Number(size));
      const data = Buffer.from(rest.subarray(0, Number(size))).toString("base64");
      return { base64Encoded: true, data, eof: rest.length === 0 };
    },
    "Page.captureScreenshot": () => ({ data: "" }),
    preparePage: () => preparation(),
    ...responses,
  };
  const respond = (name: string, input: Params): unknown => {
    sent.push([name, input]);
    return known[name]?.(input) ?? {};
  };
  /** The input of a function is an argument or stands in its declaration. */
  async function callFunction({ functionDeclaration, arguments: values }: Params) {
    const [, name = "", part] = /this\.(\w+)\(([^]*)\);/.exec(String(functionDeclaration)) ?? [];
    const [argument] = values as { value: Params }[];
    return { result: { value: await respond(name, argument?.value ?? JSON.parse(part ?? "")) } };
  }
  const session = {
    send: async (name: string, input: Params = {}) =>
      name === "Runtime.callFunctionOn" ? callFunction(input) : respond(name, input),
    on: (event: string, listener: (event: unknown) => void) => void listeners.set(event, listener),
    once: (event: string, listener: (event: unknown) => void) => void listeners.set(event, listener),
    connection: () => ({ session: (id: string) => (id === "session" ? session : null) }),
  };
  return {
    sent,
    emit: (name: string, event: unknown = {}) => listeners.get(name)?.(event),
    open: () => openWarmPage(session as unknown as CDPSession),
    /** Returns the inputs of the commands with this name. */
    inputsOf: (name: string) => sent.filter((command) => command[0] === name).map((command) => command[1]),
    /** A memory that records its calls among the commands. */
    memory: {
      documentSent: () => {},
      reserve: async (bytes: number) => void sent.push(["memory.reserve", { bytes }]),
      release: () => void sent.push(["memory.release", {}]),
    },
  };
}

/** What the page script returns for a document of one page. */
export function preparation(rest: Partial<PreparedPage> = {}): { status: "prepared"; prepared: PreparedPage } {
  const texts = { title: "T", author: "", subject: "", keywords: "" };
  const metadata = { ...texts, untagged: null, outline: [], sections: [], parts: [], values: [] };
  const heights = { autoPages: null, boxHeights: [], effectMegapixels: 0 };
  const page = {
    ...heights,
    metadata,
    hasMargins: false,
    sideBreaks: [],
    pageStyles: null,
    overflows: [],
    hints: [],
    targets: [],
    warnings: [],
    ...rest,
  };
  return { status: "prepared", prepared: page };
}

/** Returns a file with pages of 300 x 400 points. `places` are the page indexes of its destinations. */
export function printedPdf({
  pageCount = 1,
  places = {} as Record<string, number>,
  page = "",
  title = "",
} = {}): Uint8Array {
  const kids = Array.from({ length: pageCount }, (_, index) => `${3 + index} 0 R`);
  const dests = Object.entries(places).map(([name, index]) => `/${name} [${kids[index]} /XYZ 0 390 0]`);
  const infoNumber = pageCount + 3;
  const objects = [
    `<</Type /Catalog /Pages 2 0 R /Dests <<${dests.join(" ")}>>>>`,
    `<</Type /Pages /Count ${pageCount} /Kids [${kids.join(" ")}]>>`,
    ...kids.map(() => `<</Type /Page /Parent 2 0 R /MediaBox [0 0 300 400] ${page}>>`),
    `<</Title (${title})>>`,
  ];
  return pdf(objects, { trailer: `<< /Size ${infoNumber + 1} /Root 1 0 R /Info ${infoNumber} 0 R >>` });
}
