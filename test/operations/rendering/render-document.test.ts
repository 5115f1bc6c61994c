import { describe, expect, it, vi } from "vitest";
import { pageFacts } from "../../../src/core/rendering/margins/page-facts.ts";
import { createDocument } from "../../../src/operations/documents/create-document.ts";
import { renderMemory } from "../../../src/platform/rendering/render-memory.ts";
import { fakeAccount, fakeNow, fakeServices, fakeTemplate } from "../../fakes/services.ts";
import { dataUri, png } from "../../fixtures/images.ts";
import type { MemoryRequest, PageMargins, SlicedRender } from "../../../src/ports/rendering.ts";
import { selfContainedHtml } from "../../fixtures/self-contained-html.ts";
import { field, templateContent, type TenantOptions } from "../../fixtures/tenant.ts";

/** Creates a document, and returns it with the job that the renderer received. */
async function created(
  options: TenantOptions,
  data: Record<string, unknown> = {},
  services = fakeServices(),
  request: { locale?: string } = {},
) {
  const { account } = await fakeAccount(services, { monthlyRenders: 5 });
  const { id: templateId } = fakeTemplate(services, account, templateContent(options));
  const arrivedAt = services.now();
  const settings = { format: "pdf", deviceScaleFactor: 2, idempotency: null, arrivedAt } as const;
  const { document } = await createDocument(services, account, {
    templateId,
    data,
    warnings: [],
    ...settings,
    ...request,
  });
  const [job] = services.state.jobs;
  if (!job) throw new Error("nothing was rendered");
  return { document, job };
}

it("tells the renderer the document's creation date and the template's language", async () => {
  const { manifest } = templateContent({ fields: [] });

  const { document, job } = await created({ content: { manifest: { ...manifest, locale: "pt-BR" } } });

  expect(job.metadata).toEqual({ createdAt: document.createdAt, language: "pt-BR" });
});

it("tells the renderer the language that the request asks for", async () => {
  const { job } = await created({ fields: [] }, {}, fakeServices(), { locale: "de-at" });

  expect(job.metadata.language).toBe("de-AT");
  expect(selfContainedHtml(job)).toContain('<html lang="de-AT">');
});

it("gives documents of one version in different languages different heads, which tell warm pages apart", async () => {
  const [german, french] = [
    await created({ fields: [] }, {}, fakeServices(), { locale: "de" }),
    await created({ fields: [] }, {}, fakeServices(), { locale: "fr" }),
  ];

  const head = ({ job: { html, headChars } }: typeof german) => html.slice(0, headChars);

  expect(head(german)).not.toBe(head(french));
});

it("leaves out an image that would decode to gigabytes, and warns", async () => {
  const bomb = dataUri("png", png(60_000, 60_000));
  const good = dataUri("png", png(60, 60));
  const fields = [field("people", "list", { fields: [field("face", "image")] })];

  const { document, job } = await created(
    { page: '{% for p in people %}<img src="{{ p.face }}">{% endfor %}', fields },
    { people: [{ face: good }, { face: bomb }] },
  );

  expect(selfContainedHtml(job)).not.toContain(bomb);
  expect(selfContainedHtml(job)).toContain(good);
  expect(document).toMatchObject({ warnings: [expect.stringMatching(/^The image `people\.1\.face` was left empty/)] });
});

it("gives every document the warnings of its template's styles, before those of the render", async () => {
  const fields = [field("face", "image")];

  const { document } = await created(
    { fields, content: { styleWarnings: ["style.css, line 1: x."] } },
    { face: dataUri("png", png(60_000, 60_000)) },
  );

  expect(document).toMatchObject({ warnings: ["style.css, line 1: x.", expect.stringMatching(/^The image `face`/)] });
});

/** A loop that takes several slices of work. */
const longPage = "{% for i in (1..50000) %}{% if i == 0 %}x{% endif %}{% endfor %}";

it("pauses before every slice of a long render, with the work that has been done so far", async () => {
  const pauses: { render: SlicedRender; workDone: number }[] = [];
  const services = fakeServices({
    slices: { pause: async (render, workDone) => void pauses.push({ render, workDone }) },
  });

  const { document } = await created({ page: longPage, fields: [] }, {}, services);

  const deadline = fakeNow + services.settings.renderBudgetMs;
  const work = pauses.map(({ workDone }) => workDone);
  expect(work.length).toBeGreaterThan(2);
  expect(work[0]).toBe(0);
  expect(work).toEqual([...new Set(work)].toSorted((left, right) => left - right));
  expect(pauses[0]?.render).toEqual({ accountId: document.accountId, deadline });
});

it("pauses once before a short render, so that many of them at once do not delay other requests", async () => {
  const work: number[] = [];
  const services = fakeServices({ slices: { pause: async (_render, workDone) => void work.push(workDone) } });

  await created({ page: "short", fields: [] }, {}, services);

  expect(work).toEqual([0]);
});

it("pauses once more before it inserts files into a long text", async () => {
  const work: number[] = [];
  const services = fakeServices({ slices: { pause: async (_render, workDone) => void work.push(workDone) } });

  await created({ page: "x".repeat(300_000), fields: [] }, {}, services);

  expect(work).toHaveLength(2);
});

it("ends a render as timed out when its deadline passes between two slices", async () => {
  let pauses = 0;
  const services = fakeServices({
    slices: {
      pause: async ({ deadline }, workDone) => {
        pauses++;
        if (workDone > 0) services.state.nowMs = deadline;
      },
    },
  });

  const creation = created({ page: longPage, fields: [] }, {}, services);

  await expect(creation).rejects.toMatchObject({
    status: 504,
    message: "The render took too long and was stopped.",
  });
  expect(pauses).toBe(2);
});

describe("a document whose header reads `page`", () => {
  const content = { header: "{{ page.number }}/{{ page.total }}" };
  const pages = pageFacts(2, []);

  /** Creates a document with a renderer that asks for the headers of two pages, and ends with their outcome. */
  async function createdWith(options: TenantOptions, services = fakeServices()) {
    const margins: (PageMargins | undefined)[] = [];
    const render = services.renderer.render;
    services.renderer.render = async (job, renderMargins) => {
      const outcome = await renderMargins?.(pages);
      margins.push(outcome);
      return !outcome || outcome.status === "ok" ? render(job) : outcome;
    };
    const creation = created({ fields: [], ...options }, {}, services);
    return { margins, services, outcome: await creation.then(() => null).catch((error: unknown) => error) };
  }

  it("is rendered by a renderer that can ask for the headers of its pages", async () => {
    const { margins, outcome } = await createdWith({ content });

    expect(outcome).toBeNull();
    expect(margins).toEqual([
      { status: "ok", markups: ["1/2", "2/2"], headerOfPage: [0, 1], footerOfPage: null, files: [] },
    ]);
  });

  it("gives the renderer nothing to ask if no header or footer reads `page`", async () => {
    const { margins } = await createdWith({ content: { header: "H", footer: "{{ document.id }}" } });

    expect(margins).toEqual([undefined]);
  });

  it("fails with the file and line of a problem that occurs only on later pages, and is not tried again", async () => {
    const header = "{% if page.total == 2 and page.number == 2 %}\n{{ 'x' | date: '%c' | currency: 'x' }}{% endif %}";

    const { margins, outcome } = await createdWith({ content: { header } });

    const message = /^The template cannot be rendered with this data: header\.liquid, line 2: .+\.$/;
    expect(outcome).toMatchObject({ status: 422, message: expect.stringMatching(message) });
    expect(margins).toHaveLength(1);
  });

  it("times out if its deadline passes while the headers are rendered", async () => {
    let pauses = 0;
    const services = fakeServices({
      slices: {
        pause: async () => {
          // The first pause is before the document, and the second before its headers.
          if (++pauses === 2) services.state.nowMs += services.settings.renderBudgetMs;
        },
      },
    });

    const { margins, outcome } = await createdWith({ content }, services);

    expect(outcome).toMatchObject({ status: 504, message: "The render took too long and was stopped." });
    expect(margins).toEqual([{ status: "timed_out" }]);
  });

  it("is tried again when rendering the headers fails for a reason of ours, which is logged", async () => {
    const cause = new Error("a bug");
    let pauses = 0;
    const services = fakeServices({
      slices: {
        pause: async () => {
          if (++pauses === 2) throw cause;
        },
      },
    });

    const { margins, outcome } = await createdWith({ content }, services);

    expect(outcome).toBeNull();
    expect(margins.map((attempt) => attempt?.status)).toEqual(["crashed", "ok"]);
    expect(services.state.log).toContainEqual(expect.objectContaining({ event: "render.margins_failed", cause }));
  });
});

describe("the markup of large documents", () => {
  /** Makes markup of 2 million characters with two bytes each out of a short request. */
  const large = {
    fields: [field("text", "string")],
    page: "{% for i in (1..10) %}<p>{{ text | raw }}</p>{% endfor %}",
  };
  const data = { text: "€".repeat(199_000) };
  const maxBytes = 25_000_000;

  it("takes at most the memory of the Worker, however many accounts create documents at once", async () => {
    const waiting: (() => void)[] = [];
    let inPool = 0;
    const peaks: number[] = [];
    const services = fakeServices({
      now: Date.now(),
      markupMemory: renderMemory(maxBytes),
      slices: { pause: () => new Promise((resolve) => setTimeout(resolve)) },
      renderer: {
        async render(job) {
          inPool += 2 * job.html.length;
          peaks.push(inPool);
          await new Promise<void>((end) => waiting.push(end));
          inPool -= 2 * job.html.length;
          return { status: "impossible", message: "a test" };
        },
      },
    });

    const creating = Promise.allSettled(Array.from({ length: 12 }, () => created(large, data, services)));
    for (let ended = 0; ended < 12; ended++) {
      await vi.waitUntil(() => waiting.length > 0, { timeout: 20_000 });
      waiting.shift()?.();
    }
    await creating;

    expect(peaks.length).toBe(12);
    expect(Math.max(...peaks)).toBeLessThan(maxBytes);
  });

  it("waits for memory as soon as it is long, and keeps only what it takes", async () => {
    const sizes: number[] = [];
    const reserve = async ({ bytes }: MemoryRequest) => {
      sizes.push(bytes);
      return { resize: (size: number) => void sizes.push(size), release: () => void sizes.push(0) };
    };

    const { job } = await created(large, data, fakeServices({ markupMemory: { reserve } }));

    expect(sizes[0]).toBe(20_000_000);
    expect(sizes.slice(-2)).toEqual([2 * job.html.length, 0]);
  });

  it("waits for nothing if it is short", async () => {
    const reserve = vi.fn(async (_: MemoryRequest) => null);

    await created({ ...large, page: "<p>{{ text }}</p>" }, data, fakeServices({ markupMemory: { reserve } }));

    expect(reserve).not.toHaveBeenCalled();
  });

  it("refuses the create with 503 if its memory is not free in time", async () => {
    const services = fakeServices({ markupMemory: { reserve: async () => null } });

    await expect(created(large, data, services)).rejects.toMatchObject({ status: 503 });
    expect(services.state.jobs).toEqual([]);
  });

  it("includes that of long headers that read `page`", async () => {
    const sizes: number[] = [];
    const reserve = async ({ bytes }: MemoryRequest) => {
      sizes.push(bytes);
      return { resize: (size: number) => void sizes.push(size), release() {} };
    };
    const content = { header: "{{ page.number }} {{ text | raw }}" };
    const services = fakeServices({
      markupMemory: { reserve },
      renderer: {
        async render(_job, renderMargins) {
          const margins = await renderMargins?.(pageFacts(500, []));
          return { status: "impossible", message: `the headers are ${margins?.status}` };
        },
      },
    });

    const creating = created({ fields: large.fields, page: "x", content }, { text: "€".repeat(1_000) }, services);
    await expect(creating).rejects.toMatchObject({ message: "the headers are ok" });

    expect(sizes[0]).toBe(20_000_000);
    expect(sizes.at(-1)).toBeGreaterThan(1_000_000);
    expect(sizes.at(-1)).toBeLessThan(2_000_000);
  });
});

describe("the memory of a render", () => {
  const fields = [field("face", "image")];
  const page = '<img src="{{ face }}">';

  it("is reserved for the images that are fetched, shrinks to what they take, and is released", async () => {
    const sizes: number[] = [];
    const reserve = async ({ bytes }: MemoryRequest) => {
      sizes.push(bytes);
      return { resize: (size: number) => void sizes.push(size), release: () => void sizes.push(0) };
    };

    await created({ fields, page }, { face: "https://example.com/a.png" }, fakeServices({ memory: { reserve } }));

    expect(sizes[0]).toBeGreaterThan(5_000_000);
    expect(sizes[1]).toBeLessThan(1_000_000);
    expect(sizes.slice(2)).toEqual([0]);
  });

  it("is not reserved for a small template without such images", async () => {
    const reserve = vi.fn(async (_: MemoryRequest) => ({ resize() {}, release() {} }));

    await created({ fields, page }, { face: dataUri("png", png(6, 6)) }, fakeServices({ memory: { reserve } }));

    expect(reserve).not.toHaveBeenCalled();
  });

  it("refuses the create with 503 when it is not free in time, and renders nothing", async () => {
    const services = fakeServices({ memory: { reserve: async () => null } });

    const creating = created({ fields, page }, { face: "https://example.com/a.png" }, services);
    await expect(creating).rejects.toMatchObject({ status: 503 });
    expect(services.state.jobs).toEqual([]);
  });

  it("is not reserved before the create has its hold, nor if it gets none", async () => {
    const reserve = vi.fn(async (_: MemoryRequest) => null);
    const hold = Promise.withResolvers<never>();
    const reserveHold = vi.fn(() => hold.promise);
    const services = fakeServices({ memory: { reserve }, quota: { reserve: reserveHold } });

    const creating = created({ fields, page }, { face: "https://example.com/a.png" }, services);
    await vi.waitUntil(() => reserveHold.mock.calls.length > 0);
    await new Promise((resolve) => setTimeout(resolve));
    expect(reserve).not.toHaveBeenCalled();
    hold.reject(new Error("the quota is unavailable"));

    await expect(creating).rejects.toThrow("the quota is unavailable");
    await new Promise((resolve) => setTimeout(resolve));
    expect(reserve).not.toHaveBeenCalled();
    expect(services.state.log).not.toContainEqual(expect.objectContaining({ event: "template.load_failed" }));
  });
});
