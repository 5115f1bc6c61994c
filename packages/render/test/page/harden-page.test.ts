import { expect, it } from "vitest";
import { blockedRequestsWarning } from "../../src/page/harden-page.ts";

const warningFor = (...urls: string[]) => blockedRequestsWarning(new Set(urls));

it("there is no warning if no request was blocked", () => {
  expect(warningFor()).toBeNull();
});

it("the warning about a single blocked request names its URL", () => {
  expect(warningFor("https://example.com/logo.png")).toBe(
    "Blocked 1 network request (https://example.com/logo.png): documents are rendered offline.",
  );
});

it("the warning about many blocked requests names three URLs and counts the others", () => {
  const urls = [1, 2, 3, 4, 5].map((number) => `https://example.com/${number}.png`);

  expect(warningFor(...urls.slice(0, 3))).toBe(
    "Blocked 3 network requests (https://example.com/1.png, https://example.com/2.png, https://example.com/3.png): " +
      "documents are rendered offline.",
  );
  expect(warningFor(...urls)).toContain("/3.png and 2 more): ");
});

it("the warning about blocked requests names two URLs once if they look the same after they are shortened", () => {
  expect(warningFor("https://example.com/logo.png?a", "https://example.com/logo.png?b")).toBe(
    "Blocked 2 network requests (https://example.com/logo.png and 1 more): documents are rendered offline.",
  );
});

it.each([
  ["a query, a fragment and a password", "https://me:hunter2@example.com/a.png?token=1#x", "https://example.com/a.png"],
  ["the folders of a path", "https://example.com/T0/B0/a.png", "https://example.com/…/a.png"],
  ["a URL without a host", "data:text/html,<b>hello</b>", "data:…"],
  ["a URL of which only the scheme is known", "data", "data:…"],
  ["a URL that is a script", "javascript:alert(1)", "javascript:…"],
  ["a port, which is kept", "http://127.0.0.1:8080/", "http://127.0.0.1:8080/"],
  ["the scheme of a file, which is kept", "file:///etc/passwd", "file:…"],
  [
    "the middle of a long file name",
    `https://a.example/${"a".repeat(30)}${"b".repeat(30)}.png`,
    `https://a.example/${"a".repeat(20)}…${"b".repeat(15)}.png`,
  ],
  ["a long host name", `https://${"a".repeat(60)}.${"b".repeat(60)}/`, `https://${"a".repeat(30)}…${"b".repeat(29)}/`],
  ["text that is not a URL", "a\u202eb\n", "an invalid URL"],
])("the warning about blocked requests leaves out %s", (_what, url, name) => {
  expect(warningFor(url)).toContain(` (${name}): `);
});

it("the warning about blocked requests contains only printable ASCII and the ellipsis", () => {
  const hostile = "https://ex\u0430mple.com/\u202e\u0007 \n\u2028<script>'\"/\u{1f600}\u0000\x7f`{}|^.png?\u202e";

  expect(warningFor(hostile)).toMatch(/^[ -~…]+$/);
});
