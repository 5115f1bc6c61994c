// The prepared `data` of a request, and checks for any JSON value.

/** Data that has been validated against a template's fields. */
export type TemplateData = {
  /** The values for the templates. They are a copy for this request, so they may be changed. */
  values: Record<string, unknown>;
  /** The images in `values`, in the order of the fields. */
  images: ImageSlot[];
};

/**
 * An image in the data: the value of an `image` field, or an image's `data:` URI in any other field. The steps that fetch and
 * check images replace `source`. Rendering then calls `show` to replace the original value with the text for the templates.
 */
export type ImageSlot = {
  /** The path of the image in the data, for messages, e.g. `people.1.face`. */
  path: string;
  /** An `https` URL, an `http` URL from an allowed origin, a `data:` URI, or empty if the image was left empty. */
  source: string;
  /** Replaces the value in `values` with `text`. */
  show(text: string): void;
};

/** Returns whether the string is an image's `data:` URI. White space may precede the URI, because browsers skip it. */
export function isImageUri(text: string): boolean {
  return /^\s*data:image\//i.test(text);
}

/** The maximum nesting of the data. It is limited because Liquid and structured cloning both recurse. */
export const maxDataDepth = 64;

/**
 * Returns whether the objects and arrays in a JSON value are nested more than `limit` levels deep. The function does not
 * recurse, so deeply nested data cannot overflow the stack.
 */
export function isDeeperThan(value: unknown, limit: number): boolean {
  let level = [value].filter(isContainer);
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > limit) return true;
    level = level.flatMap((container) => Object.values(container).filter(isContainer));
  }
  return false;
}

export function isPlainObject(value: unknown): value is Record<string, unknown> {
  return isContainer(value) && !Array.isArray(value);
}

function isContainer(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
