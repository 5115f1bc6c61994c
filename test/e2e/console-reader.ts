// Reads the console in a real browser, and reports the problems of a page.
import axe from "axe-core";
import type { Browser, ElementHandle, Page } from "puppeteer-core";
import type { ConsoleService, Filled, Owner } from "./console-accounts.ts";
import { flawsOfPage } from "./console-flaws.ts";

/** The shared state of the console's tests. It is complete when the tests begin. */
type World = {
  running: ConsoleService;
  browser: Browser;
  empty: Owner;
  filled: Filled;
  hostile: Filled;
  open(key: string | null): Promise<Reader>;
};
export const world = {} as World;

export type Mode = { width: number; scheme: "light" | "dark" };
export const modes: Mode[] = [
  { width: 1280, scheme: "light" },
  { width: 1280, scheme: "dark" },
  { width: 390, scheme: "light" },
  { width: 390, scheme: "dark" },
];

export type Reader = {
  page: Page;
  /** All requests that the page has made or tried to make, each with the key that it sent. */
  requested: { url: string; key: string | undefined }[];
  /** Dialogs, policy violations, uncaught errors, and messages in the browser's console. */
  problems: string[];
  /** Goes to a location in the console, such as `/documents`, and waits until everything is loaded. */
  show(place: string): Promise<void>;
  /** Waits until no request is running and nothing is loading. */
  settled(): Promise<void>;
  use(mode: Mode): Promise<void>;
  /** The text of the page below its header. */
  text(): Promise<string>;
  /** Presses the button or link with this text or label, or else the summary. Waits for the result. */
  press(text: string): Promise<void>;
  close(): Promise<void>;
};

/** Runs in the page before its scripts. */
const watch = `{
  window.running = 0;
  const counted = (promise) => {
    window.running++;
    return promise.finally(() => setTimeout(() => window.running--));
  };
  /** The address of the page at each request. */
  window.addresses = [];
  const send = window.fetch;
  window.fetch = (...args) => {
    window.addresses.push(location.href);
    return counted(send(...args));
  };
  for (const name of ["json", "blob"]) {
    const read = Response.prototype[name];
    Response.prototype[name] = function () { return counted(read.call(this)); };
  }
  /** The last file that the page has shown or saved. */
  const urlOf = URL.createObjectURL;
  URL.createObjectURL = (blob) => urlOf.call(URL, (window.shownBlob = blob));
  document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) =>
    console.error("violated", violatedDirective, blockedURI));
}`;

const isSettled = `window.running === 0 && document.querySelector("main > *") !== null &&
  document.querySelector(".loading, [aria-disabled=true]") === null`;

/** Opens the console in a new context, with the key in the fragment of the address, or without a key. */
export async function openConsole(browser: Browser, origin: string, key: string | null): Promise<Reader> {
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  const [requested, problems]: [Reader["requested"], string[]] = [[], []];
  page.on("request", (request) => {
    const key = request.headers()["authorization"]?.replace("Bearer ", "");
    requested.push({ url: request.url(), key });
  });
  page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("dialog", (dialog) => {
    if (dialog.message().startsWith("This link opens the console with ")) return void dialog.accept();
    problems.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  await page.evaluateOnNewDocument(watch);
  const settled = async () => {
    await page.waitForFunction(isSettled, { polling: 20, timeout: 30_000 });
    // Loaded parts may load more when they are shown.
    await page.evaluate("new Promise((resolve) => setTimeout(resolve, 40))");
    await page.waitForFunction(isSettled, { polling: 20, timeout: 30_000 });
  };
  await page.setViewport({ width: 1280, height: 900 });
  await page.goto(`${origin}/console${key === null ? "" : `#key=${encodeURIComponent(key)}`}`);
  await settled();
  return {
    page,
    requested,
    problems,
    settled,
    async show(place) {
      await page.evaluate(`location.hash = ${JSON.stringify(`#${place}`)}`);
      await page.evaluate("new Promise((resolve) => setTimeout(resolve, 20))");
      await settled();
    },
    async use({ width, scheme }) {
      await page.setViewport({ width, height: 900 });
      await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
    },
    text: async () => String(await page.evaluate("document.querySelector('main').innerText")),
    async press(text) {
      await (await control(page, text)).click();
      await page.evaluate("new Promise((resolve) => setTimeout(resolve, 20))");
      await settled();
    },
    close: () => context.close(),
  };
}

async function control(page: Page, text: string): Promise<ElementHandle> {
  const path = `//*[self::button or self::a or self::summary][normalize-space(.) = ${JSON.stringify(text)}]`;
  const found = await page.waitForSelector(`::-p-xpath(${path})`, { visible: true, timeout: 10_000 });
  if (!found) throw new Error(`the page has no ${text}`);
  return found;
}

/** Opens everything that can be expanded. */
export async function unfold({ page, settled }: Reader): Promise<void> {
  await page.evaluate("for (const details of document.querySelectorAll('details')) details.open = true");
  await settled();
}

/**
 * Returns axe's findings, with their elements. Its script is run by the debugger, because the page's policy refuses other
 * scripts.
 */
export async function violations({ page }: Reader, rules?: string[]): Promise<string[]> {
  if (!(await page.evaluate("typeof window.axe === 'object'"))) await page.evaluate(axe.source);
  const options = { resultTypes: ["violations"], ...(rules && { runOnly: rules }) };
  const found = (await page.evaluate(`axe.run(document, ${JSON.stringify(options)}).then(({ violations }) =>
    violations.map(({ id, help, nodes }) => id + ": " + help + ": " + nodes.map(({ html }) => html.slice(0, 150)).slice(0, 3).join(" ")))`)) as string[];
  return found;
}

/** Returns the parts that are clipped or outside the window. */
export async function flaws({ page }: Reader): Promise<string[]> {
  return (await page.evaluate(`(${flawsOfPage})()`)) as string[];
}
