import { describe, expect, it } from "vitest";
import { sentFile } from "colophon-page/resolve-files";
import { renderJob } from "colophon-test-kit/render-job";
import {
  ContentError,
  dropContent,
  filePartChars,
  type JobText,
  openContent,
  poolJob,
} from "../../src/content/job-content.ts";
import type { RenderJob } from "../../src/render-job.ts";

const soon = () => Date.now() + 5_000;

function file(index: number, chars: number) {
  return { placeholder: `colophon-file-${index};`, uri: `data:image/png;base64,${"A".repeat(chars)}${index}` };
}

const small: Partial<RenderJob> = {
  html: "<head>€</head><p>😀</p>",
  headChars: "<head>€</head>".length,
  css: "a::after{content:'€'}",
  marginContents: [{ edge: "header", markup: "€" }],
  files: [file(0, 10), file(1, 20)],
  styleFiles: [file(2, 30)],
};
/** More than a call may contain, and more than a message to the browser. */
const longText = `${"€".repeat(300_000)}"${"😀".repeat(100_000)}`;
const large = { ...small, html: `${small.html}${longText}`, files: [file(0, 1_400_000), file(1, 300_000)] };

/** Fails if a part is too long for one message to the browser. */
async function textOf(parts: AsyncIterable<string>): Promise<string> {
  let text = "";
  for await (const part of parts) {
    expect(part.length).toBeLessThanOrEqual(filePartChars);
    text += part;
  }
  return text;
}

describe.each([
  ["small", small, Uint8Array],
  ["large", large, ReadableStream],
])("a %s document", (_, given, kind) => {
  const made = renderJob(given);
  const { html, headChars, css, marginContents, files, styleFiles } = made;

  it("a document arrives in the pool as it was sent", async () => {
    const job = poolJob(made);
    const { text, filesOf } = await openContent<JobText>(job, soon());

    expect(job.content).toBeInstanceOf(kind);
    expect(text).toEqual({
      head: html.slice(0, headChars),
      content: html.slice(headChars),
      css,
      marginContents,
      files: files.map(sentFile),
      styleFiles: styleFiles.map(sentFile),
    });
    const parts = filesOf([...text.files, ...text.styleFiles]);
    expect(await textOf(parts)).toBe([...files, ...styleFiles].map(({ uri }) => uri).join(""));
  });

  it("a document arrives in the pool without the files of its styles if these are not read", async () => {
    const { text, filesOf } = await openContent<JobText>(poolJob(made), soon());

    expect(await textOf(filesOf(text.files))).toBe(files.map(({ uri }) => uri).join(""));
  });

  it("the rest of a render job contains no part of its document", () => {
    const { content: _, ...rest } = poolJob(made);

    expect(JSON.stringify(rest).length).toBeLessThan(1_000);
  });
});

it("a document is reported as missing content when the Worker fails while sending it", async () => {
  const content = new ReadableStream<Uint8Array>({ pull: (controller) => controller.error(new Error("gone")) });

  await expect(openContent({ ...poolJob(renderJob()), content }, soon())).rejects.toThrow(ContentError);
});

it("a document is reported as missing content when the Worker does not respond", async () => {
  const content = new ReadableStream<Uint8Array>();

  await expect(openContent({ ...poolJob(renderJob()), content }, Date.now() + 20)).rejects.toThrow(ContentError);
});

it("a document is reported as missing content when its content ends too early", async () => {
  const job = poolJob(renderJob(small));
  const cut = (job.content as Uint8Array).slice(0, -1);
  const { text, filesOf } = await openContent<JobText>({ ...job, content: cut }, soon());

  await expect(textOf(filesOf([...text.files, ...text.styleFiles]))).rejects.toThrow(ContentError);
});

it("a document is no longer read after it was dropped", async () => {
  let isCancelled = false;
  const content = new ReadableStream<Uint8Array>({ cancel: () => void (isCancelled = true) });

  dropContent({ ...poolJob(renderJob()), content });

  expect(isCancelled).toBe(true);
});
