// The switches above the document: format, sample, locale and size.
import { documentFormats } from "colophon-page/document-format";
import { byId, element } from "./dom.ts";
import type { TemplateState } from "../src/dev/messages.ts";
import type { RenderRequest } from "../src/dev/render-request.ts";

const sample = byId("sample", HTMLSelectElement);
const locale = byId("locale", HTMLInputElement);
const [width, height] = [byId("width", HTMLInputElement), byId("height", HTMLInputElement)];
const formats = [...document.querySelectorAll<HTMLInputElement>("input[name=format]")];

/** `onSample` is called when another sample is chosen, and `onChange` after every other change. */
export function followSwitches(onChange: () => void, onSample: () => void): void {
  sample.addEventListener("change", onSample);
  for (const input of [locale, width, height, ...formats]) input.addEventListener("change", onChange);
}

/** Offers what the template has. Keeps what is chosen, if it still exists. */
export function updateSwitches({ samples, locales, locale: ownLocale, page }: TemplateState): void {
  const chosen = sample.value;
  const options = samples.map(({ file, problems }) =>
    element("option", { value: file, textContent: problems.length > 0 ? `${file} (has problems)` : file }),
  );
  sample.replaceChildren(...options);
  if (samples.some(({ file }) => file === chosen)) sample.value = chosen;
  byId("locales", HTMLDataListElement).replaceChildren(...locales.map((value) => element("option", { value })));
  locale.placeholder = ownLocale;
  width.placeholder = String(page.width);
  height.placeholder = String(page.height);
}

export function chosenSample(): string {
  return sample.value;
}

/** Returns everything about the request except for the data. What is empty is that of the template. */
export function chosenRequest(): RenderRequest {
  const format = formats.find(({ checked }) => checked)?.value;
  return {
    sample: sample.value,
    format: documentFormats.find((known) => known === format) ?? "pdf",
    ...(locale.value.trim() ? { locale: locale.value.trim() } : {}),
    ...(width.value ? { width: Number(width.value) } : {}),
    ...(height.value ? { height: Number(height.value) } : {}),
  };
}
