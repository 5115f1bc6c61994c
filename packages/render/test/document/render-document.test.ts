import { describe, expect, it, vi } from "vitest";
import { pageInfo } from "colophon-template-model/page-info";
import { dataUri, png } from "colophon-test-kit/images";
import {
  accountId,
  budgetMs,
  renderDocument,
  renderWorld,
  startMs,
  type Request,
} from "colophon-test-kit/render-world";
import { selfContainedHtml } from "colophon-test-kit/self-contained-html";
import { field, templateContent, type TemplateOptions } from "colophon-test-kit/template-content";
import { Semaphore } from "../../../../src/core/rendering/semaphore.ts";
import type { PageMargins, RenderMemory, SlicedRender } from "../../src/render-services.ts";

const impossible = async () => ({ status: "impossible", message: "a test" }) as const;

/** Renders a document, and returns the result with the job that the renderer received. */
async function created(options: TemplateOptions, request: Request = {}, services = renderWorld()) {
  const result = await renderDocument(services, options, request);
  const [job] = services.state.jobs;
  if (!job) throw new Error("nothing was rendered");
  return { result, job };
}

it("the renderer receives all properties of the job", async () => {
  const { manifest } = templateContent({});
  const content = { manifest: { ...manifest, locale: "pt-BR", margin: { top: 1, right: 2, bottom: 3, left: 4 } } };

  const { job } = await created(
    { content },
    { width: 400, deviceScaleFactor: 3, batchPosition: { index: 3, waiting: 9 }, isTest: true },
  );

  expect(job).toMatchObject({
    ...{ accountId, format: "pdf", deviceScaleFactor: 3, imageQuality: null, fileKey: "1", overflow: "warning" },
    page: { width: 400, cssWidth: "400px", height: 1123, cssHeight: "297mm" },
    margin: content.manifest.margin,
    ...{ batchPosition: { index: 3, waiting: 9 }, isTest: true, timeoutMs: budgetMs, mayRetry: true },
    metadata: { createdAt: startMs, language: "pt-BR" },
  });
});

it("documents of one version in different languages have different heads, by which a warm page tells them apart", async () => {
  const [german, french] = [await created({}, { locale: "de-at" }), await created({}, { locale: "fr" })];

  const head = ({ job: { html, headChars } }: typeof german) => html.slice(0, headChars);
  expect(head(german)).not.toBe(head(french));
  expect(german.job.metadata.language).toBe("de-AT");
  expect(selfContainedHtml(german.job)).toContain('<html lang="de-AT">');
});

it.each([
  [budgetMs - 1, { status: "rendered" }, [1]],
  [budgetMs, { status: "failed", reason: "timed_out" }, []],
])("if the template takes %i ms to load, the result is %j", async (loadMs, expected, timeouts) => {
  const services = renderWorld();

  const result = await renderDocument(services, {}, {}, () => (services.state.nowMs += loadMs));

  expect(result).toMatchObject(expected);
  expect(services.state.jobs.map(({ timeoutMs }) => timeoutMs)).toEqual(timeouts);
});

it.each([
  [[null, []], { status: "rendered" }],
  [[null, null, []], { status: "failed", message: "The service's fonts could not be loaded." }],
])("fonts are read at most twice: after the reads %j, the result is %j", async (read, expected) => {
  const facesFor = async () => read.shift() as [] | null;

  expect(await renderDocument(renderWorld({ fonts: { facesFor } }), {})).toMatchObject(expected);
});

it("a crash is logged with its reason", async () => {
  const services = renderWorld({ renderer: { render: async () => ({ status: "crashed", reason: "Target closed" }) } });

  await renderDocument(services, {});

  const line = { event: "render.crashed", documentId: "1", reason: "Target closed" };
  expect(services.state.log).toEqual([
    { ...line, attempt: 1 },
    { ...line, attempt: 2 },
  ]);
});

it("an image that would decode to gigabytes is left out", async () => {
  const bomb = dataUri("png", png(60_000, 60_000));
  const good = dataUri("png", png(60, 60));
  const fields = [field("people", "list", { fields: [field("face", "image")] })];

  const { result, job } = await created(
    { page: '{% for p in people %}<img src="{{ p.face }}">{% endfor %}', fields },
    { data: { people: [{ face: good }, { face: bomb }] } },
  );

  expect(selfContainedHtml(job)).not.toContain(bomb);
  expect(selfContainedHtml(job)).toContain(good);
  const warnings = [expect.stringMatching(/^The image `people\.1\.face` was left empty/)];
  expect(result).toMatchObject({ status: "rendered", metadata: { warnings } });
});

/** A loop that takes several slices of work. */
const longPage = "{% for i in (1..50000) %}{% if i == 0 %}x{% endif %}{% endfor %}";

it("a long render pauses between its slices", async () => {
  const pauses: SlicedRender[] = [];
  const services = renderWorld({ slices: { pause: async (render) => void pauses.push(render) } });

  await created({ page: longPage, fields: [] }, {}, services);

  expect(pauses.length).toBeGreaterThan(1);
  expect(pauses[0]).toEqual({ accountId, deadline: startMs + budgetMs });
});

it.each([
  ["never pauses if it is short", "short", 0],
  ["pauses before it inserts files into a long text", "x".repeat(300_000), 1],
])("a render %s", async (_what, page, count) => {
  const pause = vi.fn(async () => {});

  await created({ page, fields: [] }, {}, renderWorld({ slices: { pause } }));

  expect(pause).toHaveBeenCalledTimes(count);
});

it("a render ends as timed out when its deadline passes between two slices", async () => {
  const pause = vi.fn(async ({ deadline }: SlicedRender) => void (services.state.nowMs = deadline));
  const services = renderWorld({ slices: { pause } });

  const result = await renderDocument(services, { page: longPage, fields: [] });

  expect(result).toMatchObject({ reason: "timed_out", message: "The render took too long and was stopped." });
  expect(pause).toHaveBeenCalledTimes(1);
});

describe("a document whose header reads `page`", () => {
  const content = { header: "{{ page.number }}/{{ page.total }}" };
  const pages = pageInfo(2, {});

  /** Creates a document with a renderer that asks for the headers of two pages, and ends with their outcome. `onPages` runs before. */
  async function createdWith(options: TemplateOptions, services = renderWorld(), onPages = () => {}) {
    const margins: (PageMargins | undefined)[] = [];
    const render = services.renderer.render;
    services.renderer.render = async (job, { renderMargins } = {}) => {
      onPages();
      const outcome = await renderMargins?.(pages);
      margins.push(outcome);
      return !outcome || outcome.status === "ok" ? render(job) : outcome;
    };
    const result = await renderDocument(services, { fields: [], ...options });
    return { margins, services, result };
  }

  it("the renderer of a document whose header reads `page` can request the headers of its pages", async () => {
    const { margins, result } = await createdWith({ content });

    expect(result.status).toBe("rendered");
    expect(margins).toEqual([
      { status: "ok", markups: ["1/2", "2/2"], headerOfPage: [0, 1], footerOfPage: null, files: [] },
    ]);
  });

  it("the renderer has no headers to request if no header or footer reads `page`", async () => {
    const { margins } = await createdWith({ content: { header: "H", footer: "{{ document.id }}" } });

    expect(margins).toEqual([undefined]);
  });

  it("a document whose header reads `page` gets the fonts for the characters of its headers and of its body", async () => {
    const asked: string[] = [];
    const services = renderWorld({
      fonts: {
        async facesFor({ points }) {
          const id = String.fromCodePoint(...points);
          asked.push(id);
          return [{ id, weight: "400", style: "normal" }];
        },
      },
    });

    const header = "{{ page.number }}{% if page.total == 2 %}✓{% endif %}";
    const { margins } = await createdWith({ page: "é", content: { header } }, services);

    expect(asked).toEqual(["é", "é✓"]);
    expect(margins).toMatchObject([{ fonts: [{ id: "é✓" }] }]);
  });

  it("a document whose header reads `page` fails with the file and line of a problem that occurs only on later pages", async () => {
    const header = "{% if page.total == 2 and page.number == 2 %}\n{{ 'x' | date: '%c' | currency: 'x' }}{% endif %}";

    const { margins, result } = await createdWith({ content: { header } });

    const message = /^The template cannot be rendered with this data: header\.liquid, line 2: .+\.$/;
    expect(result).toMatchObject({ reason: "impossible", message: expect.stringMatching(message) });
    expect(margins).toHaveLength(1);
  });

  it("a document whose header reads `page` times out if its deadline passes while the headers are rendered", async () => {
    const services = renderWorld();

    const { margins, result } = await createdWith({ content }, services, () => {
      services.state.nowMs += budgetMs;
    });

    expect(result).toMatchObject({ reason: "timed_out", message: "The render took too long and was stopped." });
    expect(margins).toEqual([{ status: "timed_out" }]);
  });

  it("a document whose header reads `page` is retried when a fault of the service makes the headers fail, and the fault is logged", async () => {
    const cause = new Error("a bug");
    const services = renderWorld();
    const { now } = services;
    const failOnce = vi.fn(now).mockImplementationOnce(() => {
      throw cause;
    });

    const { margins, result } = await createdWith({ content }, services, () => void (services.now = failOnce));

    expect(result.status).toBe("rendered");
    expect(margins.map((attempt) => attempt?.status)).toEqual(["crashed", "ok"]);
    expect(services.state.log).toContainEqual(expect.objectContaining({ event: "render.margins_failed", cause }));
  });
});

/** The Worker's total memory for creates. */
const capacity = 25_000_000;

const memoryOf = (bytes: number): RenderMemory => {
  const semaphore = new Semaphore({ capacity: bytes });
  return { acquire: (_, claim) => semaphore.acquire(claim) };
};

/** Memory that records the successive amounts of a create, and 0 when it has released a claim. */
function recordedMemory(): { amounts: number[]; memory: RenderMemory } {
  const amounts: number[] = [];
  const record = (amount: number) => void amounts.push(amount);
  const acquire = async () => {
    return { resize: record, release: () => record(0) };
  };
  return { amounts, memory: { acquire } };
}

describe("the markup of large documents", () => {
  /** Creates markup of 2 million characters with two bytes each from a short request. */
  const large = {
    fields: [field("text", "string")],
    page: "{% for i in (1..10) %}<p>{{ text | raw }}</p>{% endfor %}",
  };
  const data = { text: "€".repeat(199_000) };

  it("the markup of large documents takes no more than the Worker's memory, however many accounts create documents at the same time", async () => {
    const waiting: (() => void)[] = [];
    let inPool = 0;
    const peaks: number[] = [];
    const services = renderWorld({
      now: () => Date.now(),
      memory: memoryOf(capacity),
      slices: { pause: () => new Promise((resolve) => setTimeout(resolve)) },
      renderer: {
        async render(job) {
          inPool += 2 * job.html.length;
          peaks.push(inPool);
          await new Promise<void>((end) => waiting.push(end));
          inPool -= 2 * job.html.length;
          return impossible();
        },
      },
    });

    const creating = Promise.allSettled(Array.from({ length: 12 }, () => renderDocument(services, large, { data })));
    for (let ended = 0; ended < 12; ended++) {
      await vi.waitUntil(() => waiting.length > 0, { timeout: 20_000 });
      waiting.shift()?.();
    }
    await creating;

    expect(peaks.length).toBe(12);
    expect(Math.max(...peaks)).toBeLessThan(capacity);
  });

  it("the markup of a large document holds only the memory that it needs once Liquid has ended", async () => {
    const { amounts, memory } = recordedMemory();

    const { job } = await created(large, { data }, renderWorld({ memory }));

    expect(amounts).toEqual([20_000_000, 2 * job.html.length, 0]);
  });

  it("a create gets 503 if the memory for its markup is not free in time", async () => {
    const services = renderWorld({ memory: { acquire: async () => null } });

    expect(await renderDocument(services, large, { data })).toMatchObject({ status: "no_capacity" });
    expect(services.state.jobs).toEqual([]);
  });

  it("long headers that read `page` count as markup of a large document", async () => {
    const { amounts, memory } = recordedMemory();
    const content = { header: "{{ page.number }} {{ text | raw }}" };
    const services = renderWorld({
      memory,
      renderer: {
        async render(_job, { renderMargins } = {}) {
          const margins = await renderMargins?.(pageInfo(500, {}));
          return { status: "impossible", message: `the headers are ${margins?.status}` };
        },
      },
    });

    const text = "€".repeat(1_000);
    const options = { fields: large.fields, page: "x", content };
    const result = await renderDocument(services, options, { data: { text } });
    expect(result).toMatchObject({ message: "the headers are ok" });

    expect(amounts).toEqual([20_000_000, expect.any(Number), 0]);
    expect(amounts[1]).toBeGreaterThan(1_000_000);
    expect(amounts[1]).toBeLessThan(2_000_000);
  });
});

describe("the memory of a render", () => {
  const fields = [field("face", "image")];
  const page = '<img src="{{ face }}">';
  const data = { face: "https://example.com/a.png" };

  it("the memory of a render depends on the size of the fetched images", async () => {
    const { amounts, memory } = recordedMemory();

    await created({ fields, page }, { data }, renderWorld({ memory }));

    expect(amounts).toEqual([expect.any(Number), expect.any(Number), 0]);
    expect(amounts[0]).toBeGreaterThan(5_000_000);
    expect(amounts[1]).toBeLessThan(1_000_000);
  });

  it("the memory for a large template is claimed before the template is loaded", async () => {
    const { amounts, memory } = recordedMemory();
    const services = renderWorld({ memory });
    const page = `<!--${"x".repeat(1_100_000)}-->x`;

    await renderDocument(services, { page }, {}, () => amounts.push(-1));

    expect(amounts.slice(0, 2)).toEqual([expect.any(Number), -1]);
    expect(amounts[0]).toBeGreaterThan(1_100_000);
  });

  it("no memory is claimed for a small template without fetched images", async () => {
    const { amounts, memory } = recordedMemory();

    await created({ fields, page }, { data: { face: dataUri("png", png(6, 6)) } }, renderWorld({ memory }));

    expect(amounts).toEqual([]);
  });

  it("a create gets 503 when the memory for its render is not free in time", async () => {
    const services = renderWorld({ memory: { acquire: async () => null } });

    expect(await renderDocument(services, { fields, page }, { data })).toMatchObject({ status: "no_capacity" });
    expect(services.state.jobs).toEqual([]);
  });

  it("a create claims the memory for its markup without waiting for the loads of other creates, even if it has loaded much itself", async () => {
    const parts: string[] = [];
    const acquire: RenderMemory["acquire"] = async (part) => {
      parts.push(part);
      return { resize() {}, release() {} };
    };
    const large = { fields: [...fields, field("text", "string")], page: `{{ text }}${page}{{ text }}` };

    await created(large, { data: { ...data, text: "x".repeat(250_000) } }, renderWorld({ memory: { acquire } }));

    expect(parts).toEqual(["loaded", "markup"]);
  });
});
