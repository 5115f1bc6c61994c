import { describe, expect, it } from "vitest";
import type { MarginMarkups } from "../../../src/core/rendering/margins/page-margins.ts";
import { ContentError } from "../../../src/platform/rendering/job-content.ts";
import {
  openMargins,
  poolMargins,
  receivedMargins,
  type OpenedMargins,
  type StreamedMargins,
} from "../../../src/platform/rendering/margin-content.ts";

const uri = `data:image/png;base64,${"A".repeat(1_500_000)}`;
const file = { placeholder: "logo", uri };
const short: MarginMarkups = { markups: ["1 €"], headerOfPage: [0], footerOfPage: null, files: [] };

/** Returns what a pool receives. */
const sent = (margins: MarginMarkups) => poolMargins(async () => ({ status: "ok", ...margins }))([]);

async function streamed(margins: MarginMarkups): Promise<StreamedMargins> {
  const received = await sent(margins);
  if (received.status !== "streamed") throw new Error("the headers and footers are not streamed");
  return received;
}

async function partsOf(margins: OpenedMargins): Promise<string[]> {
  const parts: string[] = [];
  for await (const part of margins.fileParts()) parts.push(part);
  return parts;
}

describe("headers and footers for a pool", () => {
  it("are sent as they are when they are short", async () => {
    expect(await sent(short)).toEqual({ status: "ok", ...short });
  });

  it.each([
    ["markup", { ...short, markups: ["€".repeat(200_000)] }],
    ["files", { ...short, files: [file] }],
  ])("are streamed when they have much %s", async (_what, margins) => {
    const opened = await openMargins(await streamed(margins));

    const files = margins.files.map(({ placeholder }) => ({
      placeholder,
      chars: uri.length,
      type: "data:image/png;base64",
    }));
    expect(opened.text).toEqual({ ...margins, files });
    expect((await partsOf(opened)).join("")).toBe(margins.files.map((each) => each.uri).join(""));
  });

  it("are the same for the page whether they were streamed or not", async () => {
    const margins = { ...short, files: [file] };
    const opened = await openMargins(await streamed(margins));
    const received = receivedMargins(margins);

    expect(opened.text).toEqual(received.text);
    expect(await partsOf(opened)).toEqual(await partsOf(received));
  });

  it("are passed on unchanged when they could not be rendered", async () => {
    const problem = { status: "impossible", message: "a problem" } as const;

    expect(await poolMargins(async () => problem)([])).toEqual(problem);
  });

  it("are reported as missing when the Worker fails while it sends them", async () => {
    const margins = await streamed({ ...short, files: [file] });
    const content = new ReadableStream<Uint8Array>({ pull: (controller) => controller.error(new Error("gone")) });

    await expect(openMargins({ ...margins, content })).rejects.toThrow(ContentError);
  });
});
