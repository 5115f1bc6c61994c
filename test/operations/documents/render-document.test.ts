import { describe, expect, it, vi } from "vitest";
import { pageInfo } from "colophon-template-model/page-info";
import { beginRender } from "colophon-render/render-document";
import { createDocument } from "../../../src/operations/documents/create-document.ts";
import { planDocument } from "../../../src/operations/documents/plan-document.ts";
import { Semaphore } from "../../../src/core/rendering/semaphore.ts";
import { fakeAccount, fakeNow, fakeServices, fakeTemplate } from "../../fakes/services.ts";
import { dataUri, png } from "../../fixtures/images.ts";
import type { PageMargins, RenderMemory, SlicedRender } from "colophon-render/render-services";
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

it("tells the renderer that a render is a background render", async () => {
  const services = fakeServices();
  const { account } = await fakeAccount(services, { monthlyRenders: 5 });
  const { id: templateId } = fakeTemplate(services, account, templateContent({ fields: [] }));
  const input = { templateId, data: {}, format: "pdf", deviceScaleFactor: 2, webhookUrl: null } as const;
  const plan = await planDocument(services, account, { ...input, idempotency: null, arrivedAt: services.now() });

  await beginRender(services, { ...plan.render, isBackground: true })();

  expect(services.state.jobs).toMatchObject([{ isBackground: true }]);
});

it("gives documents of one version in different languages different heads, which tell warm pages apart", async () => {
  const [german, french] = [
    await created({ fields: [] }, {}, fakeServices(), { locale: "de" }),
    await created({ fields: [] }, {}, fakeServices(), { locale: "fr" }),
  ];

  const head = ({ job: { html, headChars } }: typeof german) => html.slice(0, headChars);

  expect(head(german)).not.toBe(head(french));
});

it("leaves out an image that would decode to gigabytes", async () => {
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

/** A loop that takes several slices of work. */
const longPage = "{% for i in (1..50000) %}{% if i == 0 %}x{% endif %}{% endfor %}";

it("pauses between the slices of a long render", async () => {
  const pauses: SlicedRender[] = [];
  const services = fakeServices({ slices: { pause: async (render) => void pauses.push(render) } });

  const { document } = await created({ page: longPage, fields: [] }, {}, services);

  const deadline = fakeNow + services.settings.renderBudgetMs;
  expect(pauses.length).toBeGreaterThan(1);
  expect(pauses[0]).toEqual({ accountId: document.accountId, deadline });
});

it.each([
  ["never pauses in a short render", "short", 0],
  ["pauses before it inserts files into a long text", "x".repeat(300_000), 1],
])("%s", async (_what, page, count) => {
  const pause = vi.fn(async () => {});

  await created({ page, fields: [] }, {}, fakeServices({ slices: { pause } }));

  expect(pause).toHaveBeenCalledTimes(count);
});

it("ends a render as timed out when its deadline passes between two slices", async () => {
  const pause = vi.fn(async ({ deadline }: SlicedRender) => void (services.state.nowMs = deadline));
  const services = fakeServices({ slices: { pause } });

  const creation = created({ page: longPage, fields: [] }, {}, services);

  await expect(creation).rejects.toMatchObject({
    reason: "timed_out",
    message: "The render took too long and was stopped.",
  });
  expect(pause).toHaveBeenCalledTimes(1);
});

describe("a document whose header reads `page`", () => {
  const content = { header: "{{ page.number }}/{{ page.total }}" };
  const pages = pageInfo(2, []);

  /** Creates a document with a renderer that asks for the headers of two pages, and ends with their outcome. `onPages` runs before. */
  async function createdWith(options: TenantOptions, services = fakeServices(), onPages = () => {}) {
    const margins: (PageMargins | undefined)[] = [];
    const render = services.renderer.render;
    services.renderer.render = async (job, renderMargins) => {
      onPages();
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

  it("gets fonts for the characters of its pages besides those of the rest of the document", async () => {
    const asked: string[] = [];
    const services = fakeServices({
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

  it("fails with the file and line of a problem that occurs only on later pages", async () => {
    const header = "{% if page.total == 2 and page.number == 2 %}\n{{ 'x' | date: '%c' | currency: 'x' }}{% endif %}";

    const { margins, outcome } = await createdWith({ content: { header } });

    const message = /^The template cannot be rendered with this data: header\.liquid, line 2: .+\.$/;
    expect(outcome).toMatchObject({ reason: "impossible", message: expect.stringMatching(message) });
    expect(margins).toHaveLength(1);
  });

  it("times out if its deadline passes while the headers are rendered", async () => {
    const services = fakeServices();

    const { margins, outcome } = await createdWith({ content }, services, () => {
      services.state.nowMs += services.settings.renderBudgetMs;
    });

    expect(outcome).toMatchObject({ reason: "timed_out", message: "The render took too long and was stopped." });
    expect(margins).toEqual([{ status: "timed_out" }]);
  });

  it("is tried again when rendering the headers fails for a reason of ours, which is logged", async () => {
    const cause = new Error("a bug");
    const services = fakeServices();
    const { now } = services;
    const failOnce = vi.fn(now).mockImplementationOnce(() => {
      throw cause;
    });

    const { margins, outcome } = await createdWith({ content }, services, () => void (services.now = failOnce));

    expect(outcome).toBeNull();
    expect(margins.map((attempt) => attempt?.status)).toEqual(["crashed", "ok"]);
    expect(services.state.log).toContainEqual(expect.objectContaining({ event: "render.margins_failed", cause }));
  });
});

/** What the Worker keeps in memory together. */
const capacity = 25_000_000;

const memoryOf = (bytes: number): RenderMemory => {
  const semaphore = new Semaphore({ capacity: bytes });
  return { acquire: (_, claim) => semaphore.acquire(claim) };
};

/** Memory that records the amounts that a create has, one after the other, and 0 when it has released a claim. */
function recordedMemory(): { amounts: number[]; memory: RenderMemory } {
  const amounts: number[] = [];
  const record = (amount: number) => void amounts.push(amount);
  const acquire = async () => {
    return { resize: record, release: () => record(0) };
  };
  return { amounts, memory: { acquire } };
}

describe("the markup of large documents", () => {
  /** Makes markup of 2 million characters with two bytes each out of a short request. */
  const large = {
    fields: [field("text", "string")],
    page: "{% for i in (1..10) %}<p>{{ text | raw }}</p>{% endfor %}",
  };
  const data = { text: "€".repeat(199_000) };

  it("takes at most the memory of the Worker, however many accounts create documents at once", async () => {
    const waiting: (() => void)[] = [];
    let inPool = 0;
    const peaks: number[] = [];
    const services = fakeServices({
      now: Date.now(),
      memory: memoryOf(capacity),
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
    expect(Math.max(...peaks)).toBeLessThan(capacity);
  });

  it("keeps only what it takes when Liquid has ended", async () => {
    const { amounts, memory } = recordedMemory();

    const { job } = await created(large, data, fakeServices({ memory }));

    expect(amounts).toEqual([20_000_000, 2 * job.html.length, 0]);
  });

  it("waits for nothing if it is short", async () => {
    const { amounts, memory } = recordedMemory();

    await created({ ...large, page: "<p>{{ text }}</p>" }, data, fakeServices({ memory }));

    expect(amounts).toEqual([]);
  });

  it("refuses the create with 503 if its memory is not free in time", async () => {
    const services = fakeServices({ memory: { acquire: async () => null } });

    await expect(created(large, data, services)).rejects.toMatchObject({ reason: "no_capacity" });
    expect(services.state.jobs).toEqual([]);
  });

  it("includes that of long headers that read `page`", async () => {
    const { amounts, memory } = recordedMemory();
    const content = { header: "{{ page.number }} {{ text | raw }}" };
    const services = fakeServices({
      memory,
      renderer: {
        async render(_job, renderMargins) {
          const margins = await renderMargins?.(pageInfo(500, []));
          return { status: "impossible", message: `the headers are ${margins?.status}` };
        },
      },
    });

    const creating = created({ fields: large.fields, page: "x", content }, { text: "€".repeat(1_000) }, services);
    await expect(creating).rejects.toMatchObject({ message: "the headers are ok" });

    expect(amounts).toEqual([20_000_000, expect.any(Number), 0]);
    expect(amounts[1]).toBeGreaterThan(1_000_000);
    expect(amounts[1]).toBeLessThan(2_000_000);
  });
});

describe("the memory of a render", () => {
  const fields = [field("face", "image")];
  const page = '<img src="{{ face }}">';
  const data = { face: "https://example.com/a.png" };

  it("follows what the fetched images take", async () => {
    const { amounts, memory } = recordedMemory();

    await created({ fields, page }, data, fakeServices({ memory }));

    expect(amounts).toEqual([expect.any(Number), expect.any(Number), 0]);
    expect(amounts[0]).toBeGreaterThan(5_000_000);
    expect(amounts[1]).toBeLessThan(1_000_000);
  });

  it("is claimed for a large template before it is loaded", async () => {
    const { amounts, memory } = recordedMemory();
    const services = fakeServices({ memory });
    const { compiled } = services.templates;
    services.templates.compiled = async (template) => {
      amounts.push(-1);
      return compiled(template);
    };

    await created({ page: `<!--${"x".repeat(1_100_000)}-->x` }, {}, services);

    expect(amounts.slice(0, 2)).toEqual([expect.any(Number), -1]);
    expect(amounts[0]).toBeGreaterThan(1_100_000);
  });

  it("is not claimed for a small template without such images", async () => {
    const { amounts, memory } = recordedMemory();

    await created({ fields, page }, { face: dataUri("png", png(6, 6)) }, fakeServices({ memory }));

    expect(amounts).toEqual([]);
  });

  it("refuses the create with 503 when it is not free in time", async () => {
    const services = fakeServices({ memory: { acquire: async () => null } });

    await expect(created({ fields, page }, data, services)).rejects.toMatchObject({ reason: "no_capacity" });
    expect(services.state.jobs).toEqual([]);
  });

  it("is not claimed by a create that gets no hold", async () => {
    const { amounts, memory } = recordedMemory();
    const services = fakeServices({ memory, quota: { reserve: () => Promise.reject(new Error("no quota")) } });

    await expect(created({ fields, page }, data, services)).rejects.toThrow("no quota");
    await new Promise((resolve) => setTimeout(resolve));

    expect(amounts).toEqual([]);
    expect(services.state.log).not.toContainEqual(expect.objectContaining({ event: "template.load_failed" }));
  });

  it("for its markup is claimed by a create that has loaded much, without waiting for what others have loaded", async () => {
    const parts: string[] = [];
    const acquire: RenderMemory["acquire"] = async (part) => {
      parts.push(part);
      return { resize() {}, release() {} };
    };
    const large = { fields: [...fields, field("text", "string")], page: `{{ text }}${page}{{ text }}` };

    await created(large, { ...data, text: "x".repeat(250_000) }, fakeServices({ memory: { acquire } }));

    expect(parts).toEqual(["loaded", "markup"]);
  });
});
