// Images that `data` names by URL: fetched here, because the browser fetches nothing, and put in place as `data:` URIs. One
// that cannot be had becomes an empty box and a warning, so that a document never fails for a picture.
import { imageInfo } from "../../core/images/image-info.ts";
import { checkPublicUrl } from "../../core/public-url.ts";
import type { Field } from "../../core/templates/template.ts";
import { isPlainObject } from "../../core/templates/template-data.ts";
import type { Services } from "../../ports.ts";

/** Distinct URLs in one document. */
const maxImages = 50;
const maxImagesBytes = 20_000_000;
/** The platform lets a Worker wait for six answers at once. */
const fetchesAtOnce = 6;
const imageTimeoutMs = 5_000;
/** For all of them together: the render needs its time too. */
const allTimeoutMs = 12_000;
const maxRedirects = 3;
const maxWarnings = 20;

type Inlined = { status: "inlined"; uri: string } | { status: "left_empty"; reason: string };

/** `deadline` of the create, ms since the epoch. */
export async function inlineImages(
  services: Services,
  fields: Field[],
  input: { data: Record<string, unknown>; deadline: number },
): Promise<{ data: Record<string, unknown>; warnings: string[] }> {
  const urls = new Set<string>();
  replaceImages(fields, input.data, (url) => (urls.add(url), url));
  if (urls.size === 0) return { data: input.data, warnings: [] };
  const inlined = await fetchAll(services, [...urls], Math.min(input.deadline, services.now() + allTimeoutMs));
  const warnings: string[] = [];
  const data = replaceImages(fields, input.data, (url, path) => {
    const image = inlined.get(url);
    if (image?.status === "inlined") return image.uri;
    const reason = image?.reason ?? `a document may name at most ${maxImages} images by URL`;
    if (warnings.length < maxWarnings) warnings.push(`The image \`${path}\` was left empty: ${reason}.`);
    return "";
  });
  return { data, warnings };
}

/** A copy of `data` in which every image that is given by URL is what `replace` makes of it. */
function replaceImages(
  fields: Field[],
  data: Record<string, unknown>,
  replace: (url: string, path: string) => string,
): Record<string, unknown> {
  const inImage = (value: unknown, path: string): unknown =>
    typeof value === "string" && /^https?:/i.test(value) ? replace(value, path) : value;
  const inObject = (fieldsHere: Field[], object: Record<string, unknown>, prefix: string): Record<string, unknown> => {
    const copy = { ...object };
    for (const field of fieldsHere) {
      if (Object.hasOwn(copy, field.key)) copy[field.key] = inValue(field, copy[field.key], prefix + field.key);
    }
    return copy;
  };
  const inValue = (field: Field, value: unknown, path: string): unknown => {
    if (field.type === "image") return inImage(value, path);
    if (field.type === "object" && isPlainObject(value)) return inObject(field.fields ?? [], value, `${path}.`);
    if (field.type !== "list" || !Array.isArray(value)) return value;
    return value.map((item: unknown, index) => {
      if (field.items === "image") return inImage(item, `${path}.${index}`);
      return isPlainObject(item) ? inObject(field.fields ?? [], item, `${path}.${index}.`) : item;
    });
  };
  return inObject(fields, data, "");
}

/** A few at once, in the order in which the document names them; none begins when the time or the bytes are used up. */
async function fetchAll(services: Services, urls: string[], deadline: number): Promise<Map<string, Inlined>> {
  const inlined = new Map<string, Inlined>();
  const waiting = urls.slice(0, maxImages);
  let bytesLeft = maxImagesBytes;
  const fetchInTurn = async () => {
    for (let url = waiting.shift(); url !== undefined; url = waiting.shift()) {
      const image = await fetchImage(services, url, deadline);
      bytesLeft -= image.status === "inlined" ? (image.uri.length * 3) / 4 : 0;
      inlined.set(url, bytesLeft >= 0 ? image : leftEmpty(`the images come to more than ${maxImagesBytes / 1e6} MB`));
    }
  };
  await Promise.all(Array.from({ length: fetchesAtOnce }, fetchInTurn));
  return inlined;
}

/** Follows a few redirects; each address is validated as the first. */
async function fetchImage({ images, settings, now }: Services, given: string, deadline: number): Promise<Inlined> {
  const giveUpAt = Math.min(now() + imageTimeoutMs, deadline);
  for (let url = given, redirects = 0; ; redirects++) {
    const validated = checkPublicUrl(url, settings.imageUrls);
    if (validated.status === "refused") return leftEmpty(`its URL ${validated.reason}`);
    if (redirects > maxRedirects) return leftEmpty(`it was redirected more than ${maxRedirects} times`);
    const timeoutMs = giveUpAt - now();
    if (timeoutMs <= 0) return leftEmpty("it did not come in time");
    const answer = await images.fetch(validated.url, timeoutMs);
    if (answer.status === "failed") return leftEmpty(answer.reason);
    if (answer.status === "fetched") return asDataUri(answer.bytes);
    if (!URL.canParse(answer.location, url)) return leftEmpty("it was redirected to no URL");
    url = new URL(answer.location, url).href;
  }
}

/** The kind is told by the bytes, whatever the server calls it. */
function asDataUri(bytes: Uint8Array): Inlined {
  const info = imageInfo(bytes);
  if (!info) return leftEmpty("what came is no PNG, JPEG, WebP, GIF or SVG image");
  const type = info.type === "svg" ? "svg+xml" : info.type;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
  return { status: "inlined", uri: `data:image/${type};base64,${text}` };
}

function leftEmpty(reason: string): Inlined {
  return { status: "left_empty", reason };
}
