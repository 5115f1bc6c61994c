// A browser at an address, which several pools share, in a real Chromium.
import { expect, inject, it } from "vitest";
import { renderJob } from "colophon-test-kit/render-job";
import { openSession } from "../../../src/objects/rendering/browser-session.ts";
import { cdpPlatform } from "../../../src/objects/rendering/cdp-platform.ts";
import { emptyMemory, noLog, testPool } from "../fixtures/pool.ts";

const origin = `http://127.0.0.1:${inject("cdpPort")}`;

function poolAt(url = `${origin}/?token=secret`) {
  const parts = { platform: cdpPlatform(new URL(url)), memory: emptyMemory(), log: noLog };
  return testPool(undefined as never, { openSession: () => openSession(parts), memory: parts.memory });
}

const html = (text: string) => renderJob({ html: `<p>${text}</p>` });

/** The pages that are open in the browser, except the first one of its start. */
async function pages(): Promise<string[]> {
  const targets: { id: string; type: string; url: string }[] = await (await fetch(`${origin}/json/list`)).json();
  return targets.filter(({ type }) => type === "page").map(({ id }) => id);
}

it("a pool uses the browser at a given address, and closes its pages with the session, but not the browser", async () => {
  const before = await pages();
  const [pool, other] = [poolAt(), poolAt()];

  const outcomes = await Promise.all([pool, other].flatMap((each) => [each.render(html("a")), each.render(html("b"))]));
  const during = await pages();
  const isClosed = await pool.closeIfIdle(0);
  const after = await other.render(html("c"));
  await other.closeIfIdle(0);

  expect(outcomes.map(({ status }) => status)).toEqual(Array(4).fill("rendered"));
  expect([during.length > before.length, isClosed, after.status]).toEqual([true, true, "rendered"]);
  await expect.poll(pages).toEqual(before);
});

it("a pool renders in a browser at the address of a WebSocket", async () => {
  const { webSocketDebuggerUrl }: { webSocketDebuggerUrl: string } = await (
    await fetch(`${origin}/json/version`)
  ).json();
  const pool = poolAt(webSocketDebuggerUrl);

  expect((await pool.render(html("a"))).status).toBe("rendered");
  expect(await pool.closeIfIdle(0)).toBe(true);
});

it("a pool reconnects to the browser at a given address after the connection was lost", async () => {
  const pool = poolAt();
  await pool.render(html("a"));

  const lost = Number(await (await fetch(inject("cdpControlUrl"))).text());
  // The pool may learn of the loss only when it uses the connection; a create is then rendered once more.
  const outcomes = [await pool.render(html("b")), await pool.render(html("b"))];
  await pool.closeIfIdle(0);

  expect([lost > 0, outcomes[1]?.status]).toEqual([true, "rendered"]);
});

it("a document loads nothing from the network in a browser at a given address", async () => {
  const count = async () => (await fetch(inject("trapCountUrl"))).text();
  const before = await count();
  const trap = `http://127.0.0.1:${inject("trapPort")}`;
  const pool = poolAt();

  const outcome = await pool.render(
    renderJob({
      html: `<img src="${trap}/a.png"><link rel="stylesheet" href="${trap}/b.css"><script>fetch("${trap}/c")</script>`,
    }),
  );
  await pool.closeIfIdle(0);

  expect([outcome.status, (await count()) === before]).toEqual(["rendered", true]);
});
