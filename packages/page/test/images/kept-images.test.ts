import { expect, it } from "vitest";
import { keptImages } from "../../src/images/kept-images.ts";

const size = { width: 3, height: 2 };
const million = (letter: string) => letter.repeat(1_000_000);

it("a redrawn image is found by its whole source and its size", () => {
  const kept = keptImages();

  kept.keep("data:a", { size, uri: "data:small" });

  expect(kept.find("data:a", { width: 3, height: 2 })).toEqual({ size, uri: "data:small" });
  expect(kept.find("data:b", size)).toBeNull();
  expect(kept.find("data:a", { width: 4, height: 2 })).toBeNull();
  expect(kept.find("data:a", { width: 3, height: 1 })).toBeNull();
});

it("the cache remembers that an image needs no redrawing", () => {
  const kept = keptImages();

  kept.keep("data:a", { size, uri: null });

  expect(kept.find("data:a", size)).toEqual({ size, uri: null });
});

it("the cache keeps an image in one size only", () => {
  const kept = keptImages();

  kept.keep("data:a", { size, uri: "data:small" });
  kept.keep("data:a", { size: { width: 6, height: 4 }, uri: "data:large" });

  expect(kept.find("data:a", size)).toBeNull();
  expect(kept.find("data:a", { width: 6, height: 4 })?.uri).toBe("data:large");
});

it("the cache drops the least recently used images when it holds four million characters", () => {
  const kept = keptImages();
  for (const letter of ["a", "b", "c", "d"]) kept.keep(million(letter), { size, uri: null });

  kept.find(million("a"), size);
  kept.keep(million("e"), { size, uri: "f" });

  const found = ["a", "b", "c", "d", "e"].filter((letter) => kept.find(million(letter), size));
  expect(found).toEqual(["a", "d", "e"]);
});

it("an image counts once, however often it is stored in the cache", () => {
  const kept = keptImages();
  for (let times = 0; times < 10; times++) kept.keep(million("a"), { size, uri: million("b") });

  kept.keep(million("c"), { size, uri: million("d") });

  expect(kept.find(million("a"), size)).not.toBeNull();
});

it("an image that is too large is not cached, and evicts no other image", () => {
  const kept = keptImages();
  kept.keep("data:a", { size, uri: null });
  kept.keep(million("b").repeat(4), { size, uri: "c" });

  expect(kept.find("data:a", size)).not.toBeNull();
  expect(kept.find(million("b").repeat(4), size)).toBeNull();
});
