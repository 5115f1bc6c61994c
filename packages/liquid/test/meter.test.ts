import { expect, it } from "vitest";
import { charsPerItem, LargeDocument, maxTextChars, Meter, tooMuchMemory } from "../src/meter.ts";

/** Ignores that the document becomes large. */
function allocate(meter: Meter, chars: number): void {
  try {
    meter.allocateText(chars);
  } catch (error) {
    if (!(error instanceof LargeDocument)) throw error;
  }
}

it("the strings and lists of a node may not exceed the node's memory, and the next node starts from zero", () => {
  const meter = new Meter();
  for (let node = 0; node < 2; node++) {
    meter.beginNode();
    for (let count = 0; count < 4; count++) allocate(meter, maxTextChars);
  }

  expect(() => meter.allocateItems(1)).toThrow(tooMuchMemory);
});

it("strings and lists count as text of the document, and the meter reports only once that the document is large", () => {
  const [strings, lists] = [new Meter(), new Meter()];
  strings.allocateText(400_000);
  lists.allocateItems(400_000 / charsPerItem);

  expect(() => strings.allocateText(1)).toThrow(LargeDocument);
  expect(() => lists.allocateItems(1)).toThrow(LargeDocument);
  expect(() => strings.allocateText(1)).not.toThrow();
});
