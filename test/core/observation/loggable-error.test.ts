import { describe, expect, it } from "vitest";
import { loggableChain, loggableReason } from "../../../src/core/observation/loggable-error.ts";

const marker = "MARKER-7f3a";

describe("loggableReason", () => {
  it.each([
    "the page's process ended",
    "the browser does not respond",
    "connecting took longer than 4000 ms",
    "R2 put took longer than 10000 ms",
    "the binding FILES is missing",
    "Network connection lost.",
    "Target closed",
  ])("keeps a message that quotes nothing: %s", (message) => {
    expect(`${loggableReason(new Error(message))}.`).toContain(message.replace(/\.$/, ""));
  });

  it.each([
    [
      `D1_ERROR: UNIQUE constraint failed: ${marker}: SQLITE_CONSTRAINT`,
      "D1_ERROR; UNIQUE constraint failed; SQLITE_CONSTRAINT",
    ],
    [`put: internal error; reference = ${marker} (10001)`, "internal error; (10001)"],
    [`Protocol error (Runtime.callFunctionOn): ${marker}`, "Protocol error (Runtime.callFunctionOn)"],
    [`Unable to create new browser: code: 429: message: ${marker}`, "Unable to create new browser; code: 429"],
    [`${marker} took longer than 50 ms`, "took longer than 50 ms"],
  ])("takes only known phrases from %s", (message, phrases) => {
    expect(loggableReason(new Error(message))).toBe(phrases);
  });

  it.each([
    new Error(marker),
    new SyntaxError(`Unexpected token 'M', "${marker}" is not valid JSON`),
    new TypeError(`Invalid URL: https://${marker}.example.com`),
    Object.assign(new Error("x"), { name: marker }),
    marker,
    { message: marker },
    null,
    undefined,
  ])("withholds any other message (%#)", (thrown) => {
    const reason = loggableReason(thrown);

    expect(reason).not.toContain(marker);
    expect(reason).not.toBe("");
  });
});

describe("loggableChain", () => {
  /** Quotes its input in the message, as libraries do. */
  class QuotingError extends Error {}

  it("contains the class, the phrases and the frames of the error and of all its causes", () => {
    const cause = new Error("D1_ERROR: no such table: documents: SQLITE_ERROR");

    const chain = loggableChain(new QuotingError(`Failed query: insert\nparams: ${marker}`, { cause }));

    expect(chain).toMatch(/^QuotingError: \(message withheld\)\n {4}at .*loggable-error\.test\.ts/);
    expect(chain).toMatch(/\ncaused by: Error: D1_ERROR; no such table; SQLITE_ERROR\n {4}at /);
    expect(chain).not.toContain(marker);
  });

  it.each([
    ["a message with lines that look like frames", new Error(`failed\n    at ${marker} (file.js:1:1)`)],
    ["a message that was replaced", Object.assign(new Error(`x ${marker}\n    at y (z:1:1)`), { message: "Error" })],
    ["a message that was emptied", Object.assign(new Error(`\n    at ${marker} (z:1:1)`), { message: "" })],
    ["a stack that is something else", Object.assign(new Error("x"), { stack: `Error: x ${marker}` })],
    ["a name that is a text", Object.assign(new Error("x"), { name: marker })],
    ["properties", Object.assign(new Error("x"), { query: marker, params: [marker], input: marker })],
    ["a cause that is a text", new Error("x", { cause: marker })],
    ["a cause that is an object", new Error("x", { cause: { text: marker } })],
    ["a cause that is the error itself", selfCaused()],
  ])("shows nothing of %s", (_what, error) => {
    expect(loggableChain(error)).not.toContain(marker);
  });

  function selfCaused(): Error {
    const error = new Error(marker);
    error.cause = error;
    return error;
  }
});
