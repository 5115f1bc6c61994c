// Validates what the page asks to render, with the limits of the API.
import { canonicalLocale, localeExpected } from "../../core/liquid/locale/locale-tag.ts";
import { documentFormats, type DocumentFormat } from "../../core/documents/document.ts";
import { isPlainObject } from "../../core/templates/template-data.ts";
import { maxPagePx, minPagePx } from "../../core/rendering/page-geometry.ts";
import type { RenderRequest } from "../../dev-page/messages.ts";

/** Returns the request, or a sentence that says what is wrong with it. */
export function parseRenderRequest(text: string): RenderRequest | string {
  const body = parsed(text);
  if (!isPlainObject(body)) return "The body must be a JSON object.";
  const { sample, data, format, locale, width, height, deviceScaleFactor } = body;
  if (typeof sample !== "string") return "`sample` must be the name of a file.";
  if (data !== undefined && !isPlainObject(data)) return "`data` must be a JSON object.";
  if (!isFormat(format)) return "`format` must be `pdf`, `png`, `jpeg` or `webp`.";
  if (locale !== undefined && !isLocale(locale)) return `\`locale\` must be ${localeExpected}.`;
  const isAuto = height === "auto";
  if (width !== undefined && !isSide(width)) return sideMessage("width");
  if (height !== undefined && !isAuto && !isSide(height)) return sideMessage("height");
  if (deviceScaleFactor !== undefined && !isDensity(deviceScaleFactor)) return "`deviceScaleFactor` must be 1, 2 or 3.";
  return { sample, data, format, locale, width, height: isAuto ? "auto" : height, deviceScaleFactor };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function isLocale(value: unknown): value is string {
  return typeof value === "string" && canonicalLocale(value) !== null;
}

function isFormat(value: unknown): value is DocumentFormat {
  return documentFormats.some((format) => format === value);
}

function isSide(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= minPagePx && Number(value) <= maxPagePx;
}

function sideMessage(name: string): string {
  return `\`${name}\` must be a whole number of CSS pixels from ${minPagePx} to ${maxPagePx}.`;
}

function isDensity(value: unknown): value is number {
  return value === 1 || value === 2 || value === 3;
}
