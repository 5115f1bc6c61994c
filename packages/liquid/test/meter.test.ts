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

it("the strings and lists of one node together may not exceed its memory, and the next node begins at zero", () => {
  const meter = new Meter();
  for (let node = 0; node < 2; node++) {
    meter.beginNode();
    for (let count = 0; count < 4; count++) allocate(meter, maxTextChars);
  }

  expect(() => meter.allocateItems(1)).toThrow(tooMuchMemory);
});

it("strings and lists count as text of the document, which becomes large once", () => {
  const [strings, lists] = [new Meter(), new Meter()];
  strings.allocateText(400_000);
  lists.allocateItems(400_000 / charsPerItem);

  expect(() => strings.allocateText(1)).toThrow(LargeDocument);
  expect(() => lists.allocateItems(1)).toThrow(LargeDocument);
  expect(() => strings.allocateText(1)).not.toThrow();
});
