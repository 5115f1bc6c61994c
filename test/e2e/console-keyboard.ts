// A reader's actions in the console with only the keyboard.
import { expect, it } from "vitest";
import { until } from "./console-accounts.ts";
import { unfold, world, type Reader } from "./console-reader.ts";

it("the keyboard reaches every link, button and field, and the focus is visible", async () => {
  const { filled } = world;
  const reader = await world.open(filled.key);
  const unreached: string[] = [];

  for (const place of ["keys", "webhooks", `templates/letter`, "templates/letter/versions", "batches", "overview"]) {
    await reader.show(`/${place}`);
    await unfold(reader);
    unreached.push(...(await unreachedBy(reader)).map((element) => `${place}: ${element}`));
  }

  expect(unreached).toEqual([]);
});

/** Presses Tab from the beginning of the page. Returns the controls that never get the focus, or get it invisibly. */
async function unreachedBy({ page }: Reader): Promise<string[]> {
  await page.evaluate(`{
    const controls = "a[href], button, input, select, textarea, summary, [tabindex='0'], iframe";
    window.unreached = new Set([...document.querySelectorAll(controls)].filter((element) => element.checkVisibility()));
    document.activeElement?.blur();
    getSelection().setPosition(document.body, 0);
  }`);
  const step = `{
    const focused = document.activeElement;
    const { outlineStyle, outlineWidth } = getComputedStyle(focused);
    if (outlineStyle !== "none" && outlineWidth !== "0px") window.unreached.delete(focused);
  }`;
  const count = Number(await page.evaluate("window.unreached.size"));
  // A date field has four stops.
  for (let at = 0; at < count * 4 && !(await page.evaluate("window.unreached.size === 0")); at++) {
    await page.keyboard.press("Tab");
    await page.evaluate(step);
  }
  return (await page.evaluate("[...window.unreached].map((element) => element.outerHTML.slice(0, 120))")) as string[];
}

it("a key can be created and revoked with the keyboard", async () => {
  const reader = await world.open(world.empty.key);
  await reader.show("/keys");

  await tabTo(reader, "summary");
  await press(reader, "Enter");
  await tabTo(reader, "input[name=name]");
  await reader.page.keyboard.type("by keyboard");
  await tabTo(reader, "input[name=isTest]");
  await press(reader, "Space");
  await press(reader, "Enter");
  const created = await reader.text();
  const afterCreate = await focused(reader);
  await tabTo(reader, "tbody button");
  await press(reader, "Enter");
  const asked = await focused(reader);
  await press(reader, "Enter");
  const declined = await focused(reader);
  await press(reader, "Enter");
  await confirm(reader);

  expect(created).toMatch(/The key “by keyboard” is shown only now[^]*colophon_test_/);
  expect([afterCreate, asked, declined]).toEqual(["INPUT", "BUTTON No", "BUTTON Revoke"]);
  expect(await reader.text()).toMatch(/by keyboard\s*test[^]*revoked/);
  expect(await focused(reader)).not.toBe("BODY");
});

it("a dead webhook can be sent again with the keyboard", async () => {
  const { filled } = world;
  const reader = await world.open(filled.key);
  await reader.show(`/webhooks/${filled.dead}`);
  type Attempts = { history: { at: string }[] };
  const lastAttempt = async () => {
    const { history } = await filled.call<Attempts>("GET", `/manage/v1/webhooks/${filled.dead}`);
    return history[0]?.at;
  };
  const before = await lastAttempt();

  await tabTo(reader, "p.actions button");
  await press(reader, "Enter");
  await until(async () => (await lastAttempt()) !== before);

  expect(await focused(reader)).toBe("BUTTON Send again");
});

it("a document can be deleted with the keyboard, and the focus stays in the content of the page", async () => {
  const { filled } = world;
  const { id } = await filled.call("POST", "/v1/documents", { templateId: filled.template, data: { name: "Ada" } });
  const reader = await world.open(filled.key);
  await reader.show(`/documents/${id}`);

  await tabTo(reader, "p.actions button");
  await press(reader, "Enter");
  await confirm(reader);

  expect(await reader.page.evaluate("location.hash")).toBe("#/documents");
  expect(await focused(reader)).not.toBe("BODY");
});

it("the focus stays on the link when the keyboard opens a different part of a template", async () => {
  const reader = await world.open(world.filled.key);
  await reader.show("/templates/letter");

  await tabTo(reader, `a[href$="/versions"]`);
  await press(reader, "Enter");

  expect(await focused(reader)).toBe("A Versions");
});

/** Moves from "No", which has the focus when a question is asked, to the confirming button, and presses it. */
async function confirm(reader: Reader): Promise<void> {
  await reader.page.keyboard.press("Tab");
  await press(reader, "Enter");
}

/** Presses Tab until the first element that matches the selector has the focus. */
async function tabTo({ page }: Reader, selector: string): Promise<void> {
  const hasFocus = `document.activeElement === document.querySelector(${JSON.stringify(selector)})`;
  for (let at = 0; at < 100; at++) {
    await page.keyboard.press("Tab");
    if (await page.evaluate(hasFocus)) return;
  }
  throw new Error(`Tab does not reach ${selector}`);
}

async function press({ page, settled }: Reader, key: "Enter" | "Space"): Promise<void> {
  await page.keyboard.press(key);
  await page.evaluate("new Promise((resolve) => setTimeout(resolve, 30))");
  await settled();
}

/** The name of the element with the focus, with the text of a button or link. */
async function focused({ page }: Reader): Promise<string> {
  return (await page.evaluate(
    "[document.activeElement.tagName, document.activeElement.matches('a, button') ? document.activeElement.innerText : ''].join(' ').trim()",
  )) as string;
}
