import { expect, it } from "vitest";
import { CodedError, loggableChain, loggableReason } from "../src/loggable-error.ts";

const marker = "MARKER-7f3a";

it("loggableReason returns the code of an error of the service", () => {
  expect(loggableReason(new CodedError("page.process_ended", `the page ${marker}`))).toBe("page.process_ended");
});

it("loggableReason returns the class of any other error", () => {
  expect(loggableReason(new RangeError(marker))).toBe("RangeError");
});

it.each([
  new Error(marker),
  new SyntaxError(`Unexpected token 'M', "${marker}" is not valid JSON`),
  new TypeError(`Invalid URL: https://${marker}.example.com`),
  Object.assign(new Error("x"), { name: marker }),
  marker,
  { message: marker },
  null,
])("loggableReason reveals nothing of an error's message (%#)", (thrown) => {
  const reason = loggableReason(thrown);

  expect(reason).not.toContain(marker);
  expect(reason).not.toBe("");
});

it("loggableChain contains the class, the code and the frames of the error and of all its causes", () => {
  const cause = new CodedError("D1: SQLITE_ERROR", `no such table: ${marker}`);

  const chain = loggableChain(new TypeError(`Failed query: insert\nparams: ${marker}`, { cause }));

  expect(chain).toMatch(/^TypeError\n {4}at .*loggable-error\.test\.ts/);
  expect(chain).toMatch(/\ncaused by: CodedError: D1: SQLITE_ERROR\n {4}at /);
  expect(chain).not.toContain(marker);
});

it.each([
  ["a message with lines that look like frames", new Error(`failed\n    at ${marker} (file.js:1:1)`)],
  ["a message that was replaced", Object.assign(new Error(`x ${marker}\n    at y (z:1:1)`), { message: "Error" })],
  ["a message that was emptied", Object.assign(new Error(`\n    at ${marker} (z:1:1)`), { message: "" })],
  ["a stack that is something else", Object.assign(new Error("x"), { stack: `Error: x ${marker}` })],
  ["a name that is a text", Object.assign(new Error("x"), { name: marker })],
  ["a cause that is a text", new Error("x", { cause: marker })],
  ["a cause that is the error itself", selfCaused()],
])("loggableChain reveals nothing of %s", (_what, error) => {
  expect(loggableChain(error)).not.toContain(marker);
});

function selfCaused(): Error {
  const error = new Error(marker);
  error.cause = error;
  return error;
}
