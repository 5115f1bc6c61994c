// Examines the images outside `img` elements: `<image>` in SVG markup, and `<input type="image">`.
import { attributeOf, findInTrees, type Tree } from "../dom.ts";
import { isDecodable } from "./decode-images.ts";

export type OtherImage = { element: SVGImageElement | HTMLInputElement; problem: ImageProblem };

/** An image without a `data:` URI is missing: its source is empty, or blocked and reported elsewhere. */
export type ImageProblem = "missing" | "oversized" | "undecodable";

/** Returns the images that cannot be shown. `isOversized` gets an image whose header has been read. */
export async function unusableImages(
  trees: readonly Tree[],
  isOversized: (image: HTMLImageElement) => boolean,
): Promise<OtherImage[]> {
  const elements = findInTrees(trees, 'image, input[type="image" i]').filter(isOtherImage);
  /** The problem of each URI. It is stored so that an image is examined only once, even if it is shown many times. */
  const problems = new Map<string, Promise<ImageProblem | null>>();
  const examined = elements.map(async (element) => {
    const uri = sourceOf(element);
    const problem = problems.get(uri) ?? problemOf(uri, isOversized);
    problems.set(uri, problem);
    return { element, problem: await problem };
  });
  return (await Promise.all(examined)).flatMap(({ element, problem }) => (problem ? { element, problem } : []));
}

function isOtherImage(element: Element): element is OtherImage["element"] {
  return element instanceof SVGImageElement || element instanceof HTMLInputElement;
}

function sourceOf(element: OtherImage["element"]): string {
  if (element instanceof SVGImageElement) return element.href.baseVal.trim();
  return (attributeOf(element, "src") ?? "").trim();
}

async function problemOf(uri: string, isOversized: (image: HTMLImageElement) => boolean): Promise<ImageProblem | null> {
  if (!/^data:/i.test(uri)) return "missing";
  const image = new Image();
  image.src = uri;
  // The browser reads the header of a `data:` URI in a microtask.
  await Promise.resolve();
  if (isOversized(image)) return "oversized";
  return (await isDecodable(image)) ? null : "undecodable";
}
