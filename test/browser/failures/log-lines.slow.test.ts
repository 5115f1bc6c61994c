// Looks for a marker in the log lines of the whole service with a real browser. The marker is in the data, the template and
// everything that the browser reports. `test/network/log-lines.slow.test.ts` covers what needs no browser.
import { runInDurableObject } from "cloudflare:test";
import { env, exports } from "cloudflare:workers";
import { afterEach, expect, it, vi } from "vitest";
import { field } from "colophon-test-kit/template-content";
import { capturedLines, eventsIn, linesWith } from "../../fixtures/captured-lines.ts";
import { newTenant, post, pushed } from "../../fixtures/tenant.ts";

const marker = "marker7f3a";

afterEach(() => void vi.restoreAllMocks());

it("log lines contain no marker, whether the browser renders, refuses or is lost", async () => {
  const lines = capturedLines();
  const tenant = await newTenant(env, {
    page: `<h1 id="${marker}">{{ ${marker} }}</h1><img src="https://${marker}.example.com/${marker}.png">`,
    fields: [field(marker, "string")],
    content: { header: `<i>${marker} {{ ${marker} }} {{ page.number }}</i>`, css: `.${marker} { color: red }` },
  });
  const page = `<p id="${marker}" style="height: 33000000px">{{ ${marker} }}</p>`;
  const endless = await pushed(env, tenant.accountId, { page, fields: [field(marker, "string")] }, "endless");
  const create = async (templateId: string, rest: object = {}) => {
    const response = await post(exports.default, tenant, { templateId, data: { [marker]: marker }, ...rest });
    return { status: response.status, text: await response.text(), headers: [...response.headers].join("\n") };
  };

  const responses = [
    await create(tenant.templateId),
    await create(tenant.templateId, { format: "png" }),
    await create(endless),
    await create(tenant.templateId, { width: 5_000, height: 5_000, format: "png", deviceScaleFactor: 3 }),
  ];
  const pool = env.BROWSER_POOL.get(env.BROWSER_POOL.idFromName("enam-0"));
  await runInDurableObject(pool, (_, state) => state.abort("a restart")).catch(() => {});
  responses.push(await create(tenant.templateId));

  expect(responses.map(({ status }) => status)).toEqual([201, 201, 422, 400, 201]);
  expect(eventsIn(lines)).toEqual(expect.arrayContaining(["browser.connected", "render.ended", "request.ended"]));
  const fileKeys = responses.flatMap(({ text }) => text.match(/[\w-]{43}\.(?:pdf|png)/g) ?? []);
  expect(fileKeys.length).toBeGreaterThan(2);
  expect(linesWith([marker, tenant.key, ...fileKeys], lines)).toEqual([]);
  expect(
    linesWith(
      [marker],
      responses.map(({ headers }) => headers),
    ),
  ).toEqual([]);
}, 120_000);
