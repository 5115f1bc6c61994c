// A page keeps redrawn images for the next documents of its account. Tests that this changes no file, and that no other account
// gets them.
import { env } from "cloudflare:workers";
import { afterAll, beforeAll, expect, it } from "vitest";
import { dataUri } from "colophon-test-kit/images";
import { photo } from "colophon-test-kit/photo";
import { faultyBrowser, type Alteration } from "../fixtures/faulty-browser.ts";
import { job, testPool, type TestPool } from "../fixtures/pool.ts";

/** Replaces a document's warnings with the number of images that the page has compressed for it. */
const counting: Alteration = (command) => {
  if (command.method !== "Runtime.callFunctionOn") return command;
  const { functionDeclaration: pageScript } = command.params as { functionDeclaration: string };
  if (!pageScript.includes("preparePage")) return command;
  const counted = `async function (input) {
    const original = HTMLCanvasElement.prototype.toDataURL;
    let count = 0;
    HTMLCanvasElement.prototype.toDataURL = function (...args) { count++; return original.apply(this, args); };
    const preparation = await (${pageScript}).call(this, input);
    HTMLCanvasElement.prototype.toDataURL = original;
    return { ...preparation, prepared: { ...preparation.prepared, warnings: [String(count)] } };
  }`;
  return { ...command, params: { ...command.params, functionDeclaration: counted } };
};

const uri = dataUri("jpeg", photo(1200, 800, 10_000));
const other = dataUri("jpeg", photo(1200, 808, 10_000));
const img = (source: string, style: string) => `<img src="${source}" style="display:block;${style}">`;

let pool: TestPool;

beforeAll(() => {
  pool = testPool(faultyBrowser(env.BROWSER, counting));
});

afterAll(() => pool.closeIfIdle(0));

type Made = { redrawn: number; digest: string };

async function made(markup: string, accountId: string): Promise<Made> {
  const renderJob = job(markup, { accountId });
  const outcome = await pool.render(renderJob);
  if (outcome.status !== "rendered") throw new Error(outcome.status);
  const bytes = Uint8Array.from(pool.files.get(renderJob.fileKey) ?? []);
  const digest = await crypto.subtle.digest("SHA-256", bytes);
  return { redrawn: Number(outcome.warnings[0]), digest: Buffer.from(digest).toString("hex") };
}

it("a photo that is not redrawn again gives the same file", async () => {
  const accountId = crypto.randomUUID();
  const markup = img(uri, "width:200px") + img(other, "width:200px");

  const first = await made(markup, accountId);
  const second = await made(markup, accountId);

  expect(first.redrawn).toBe(2);
  expect(second).toEqual({ redrawn: 0, digest: first.digest });
});

it("a photo that was redrawn for one account is redrawn again for a different account", async () => {
  const markup = img(uri, "width:200px");

  const makes = [await made(markup, crypto.randomUUID()), await made(markup, crypto.randomUUID())];

  expect(makes.map(({ redrawn }) => redrawn)).toEqual([1, 1]);
});

it("a photo gives the same file after the page has shown it in other places", async () => {
  const accountId = crypto.randomUUID();
  const markups = [
    img(uri, "width:200px"),
    img(uri, "width:100px"),
    img(uri, "width:100px;height:100px;object-fit:cover"),
    `<style>p{height:90px;background:url(${uri}) 0 0/100px}</style><p>x</p>`,
    img(uri, "width:100px") + img(other, "width:100px"),
    `<svg width="100" height="100"><image href="${uri}" width="100" height="100" /></svg>`,
    img(uri, "width:640px") + img(uri, "width:100px"),
  ];

  for (const [index, markup] of markups.entries()) {
    const used = await made(markup, accountId);
    const fresh = await made(markup, crypto.randomUUID());

    expect([index, used.digest]).toEqual([index, fresh.digest]);
  }
});
