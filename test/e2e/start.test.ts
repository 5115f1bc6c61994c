import { execFile } from "node:child_process";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { extractText, getDocumentProxy } from "unpdf";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startService, type RunningService } from "./service.ts";

type Record_ = { id: string; status: string; pdfUrl: string; pageCount: number; fileSize: number; warnings: string[] };
type Listed = { data: { templates: { id: string; title: string; fieldsCount: number }[] } };

let service: RunningService;
let key: string;

beforeAll(async () => {
  service = await startService();
  key = /colophon_\w+_[\w-]+/.exec(service.output)?.[0] ?? "";
}, 120_000);

afterAll(() => service.stop());

function call(path: string, body?: unknown, bearer = key): Promise<Response> {
  return fetch(service.baseUrl + path, {
    method: body === undefined ? "GET" : "POST",
    headers: { Authorization: `Bearer ${bearer}`, "Content-Type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

async function renderSample(title: RegExp, options: object = {}): Promise<{ record: Record_; bytes: Uint8Array }> {
  const { data } = (await (await call("/templates")).json()) as Listed;
  const id = data.templates.find((template) => title.test(template.title))?.id;
  const detail = (await (await call(`/templates/${id}`)).json()) as { data: { sampleData: object } };
  const answer = await call("/documents", { templateId: id, data: detail.data.sampleData, ...options });
  const created = (await answer.json()) as { data: Record_ };
  expect(answer.status, JSON.stringify(created)).toBe(201);
  return { record: created.data, bytes: new Uint8Array(await (await fetch(created.data.pdfUrl)).arrayBuffer()) };
}

async function textOf(pdf: Uint8Array): Promise<string> {
  const { text } = await extractText(await getDocumentProxy(pdf), { mergePages: true });
  return text.normalize("NFKC").replace(/[\s\u200b-\u200f\u202a-\u202e\u2066-\u2069]+/g, "");
}

describe("npm start", () => {
  it("prints a curl line that renders a PDF when pasted", async () => {
    const line = /^curl .*$/m.exec(service.output)?.[0] ?? "";

    const { stdout } = await promisify(execFile)("sh", ["-c", line]);

    const { success, data } = JSON.parse(stdout) as { success: boolean; data: Record_ };
    expect(success).toBe(true);
    const file = await fetch(data.pdfUrl);
    expect(file.headers.get("Content-Type")).toBe("application/pdf");
    expect(file.headers.get("Cache-Control")).toBe("public, max-age=300");
    expect((await file.arrayBuffer()).byteLength).toBe(data.fileSize);
  });

  it("keeps the demo key in a file that only the owner reads", async () => {
    const { mode } = await stat(join(service.stateDir, "demo.json"));

    expect(mode & 0o777).toBe(0o600);
  });

  it("answers on /healthz in the envelope", async () => {
    const answer = await fetch(`${service.origin}/healthz`);

    expect(await answer.json()).toMatchObject({ success: true, data: { status: "ok" } });
  });
});

describe("the sample templates", () => {
  it("render the invoice on two pages, numbered", async () => {
    const { record, bytes } = await renderSample(/invoice/i);

    expect(record).toMatchObject({ pageCount: 2, warnings: [] });
    expect(await textOf(bytes)).toMatch(/2\/2|2of2/);
  });

  it("render the certificate as PNG, width times factor pixels wide", async () => {
    for (const deviceScaleFactor of [1, 2, 3]) {
      const { bytes } = await renderSample(/certificate/i, { format: "png", deviceScaleFactor });
      const view = new DataView(bytes.buffer, bytes.byteOffset);
      expect([view.getUint32(16), view.getUint32(20)]).toEqual([1123 * deviceScaleFactor, 794 * deviceScaleFactor]);
    }
  });

  it("render the shipping label on one page of its own size", async () => {
    const { record } = await renderSample(/label/i);

    expect(record).toMatchObject({ width: 384, height: 576, pageCount: 1, warnings: [] });
  });

  it("render the report with its Chinese, Arabic and emoji as text", async () => {
    const { bytes } = await renderSample(/report/i);

    const text = await textOf(bytes);
    expect(text).toMatch(/[\u4e00-\u9fff]{4}/);
    expect(text).toMatch(/[\u0600-\u06ff]{4}/);
    expect(text).toMatch(/\p{Extended_Pictographic}/u);
  });
});

describe("the operator's command", () => {
  it("makes accounts, keys and templates that a running service knows at once", async () => {
    const { account } = await service.cli<{ account: { id: string } }>(
      "account",
      "create",
      "--name",
      "N",
      "--plan",
      "free",
    );
    const made = await service.cli<{ key: string }>("key", "create", "--account", account.id);
    const pushed = await service.cli<{ template: { id: string; version: number }; changed: boolean }>(
      ...["template", "push", "templates/shipping-label", "--account", account.id],
    );

    const listed = (await (await call("/templates", undefined, made.key)).json()) as Listed;

    expect(pushed).toMatchObject({ changed: true, template: { version: 1 } });
    expect(listed.data.templates.map(({ id }) => id)).toEqual([pushed.template.id]);
  });

  it("puts a revoked key and a changed plan in force within ten seconds", async () => {
    const { account } = await service.cli<{ account: { id: string } }>(
      "account",
      "create",
      "--name",
      "N",
      "--plan",
      "free",
    );
    const made = await service.cli<{ key: string; id: string }>("key", "create", "--account", account.id);
    expect((await call("/documents", undefined, made.key)).status).toBe(200);

    await service.cli("key", "revoke", "--id", made.id);

    await expect
      .poll(async () => (await call("/documents", undefined, made.key)).status, { timeout: 10_000 })
      .toBe(401);
  });

  it("exits 1 with one line for what cannot be done, and 2 with the usage for wrong arguments", async () => {
    await expect(service.cli("key", "create", "--account", "nobody")).rejects.toMatchObject({
      code: 1,
      stderr: "there is no account nobody\n",
    });
    await expect(service.cli("key", "create")).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^missing: --account\nusage:/) as string,
    });
  });
});

describe("the allowance, with the real browser", () => {
  it("completes exactly 50 of 200 parallel creates on the free plan", async () => {
    const { account } = await service.cli<{ account: { id: string } }>(
      "account",
      "create",
      "--name",
      "N",
      "--plan",
      "free",
    );
    const made = await service.cli<{ key: string }>("key", "create", "--account", account.id);
    const { template } = await service.cli<{ template: { id: string } }>(
      ...["template", "push", "templates/shipping-label", "--account", account.id],
    );
    const detail = (await (await call(`/templates/${template.id}`, undefined, made.key)).json()) as {
      data: { sampleData: object };
    };
    const create = async (): Promise<string> => {
      for (;;) {
        const answer = await call("/documents", { templateId: template.id, data: detail.data.sampleData }, made.key);
        const body = (await answer.json()) as { error?: { message: string } };
        if (answer.status === 201) return "completed";
        if (answer.status !== 503) return `${answer.status} ${body.error?.message}`;
        await new Promise((resolve) => setTimeout(resolve, 1000 * Number(answer.headers.get("Retry-After") ?? 1)));
      }
    };

    const outcomes = await Promise.all(Array.from({ length: 200 }, create));

    const tally = Map.groupBy(outcomes, (outcome) => outcome);
    expect([...tally].map(([outcome, { length }]) => [outcome, length]).toSorted()).toEqual([
      ["429 Monthly render limit exceeded. Current: 50/50", 150],
      ["completed", 50],
    ]);
  });
});
