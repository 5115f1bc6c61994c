import { expect, it } from "vitest";
import { checkPublicUrl, parseOrigins, type UrlRules } from "../src/public-url.ts";
import { acceptedUrls, allUrls, curiousUrls, ownHosts, refusedUrls } from "./public-url-inputs.ts";

const words = (text: string) => text.split(" ");
const rules: UrlRules = { allowedOrigins: new Set(), ownHosts };
const check = (text: string) => checkPublicUrl(text, rules);
const isAccepted = (text: string) => check(text).status === "public";

it("the rules for public URLs are tested with more than nine hundred different URLs", () => {
  expect(new Set(allUrls).size).toBeGreaterThan(900);
});

/** Titles must not contain half a surrogate pair. */
const named = (rows: [string, string][]) => rows.map(([text, other]) => ({ shown: JSON.stringify(text), text, other }));

it.each(named(acceptedUrls))("the URL $shown is accepted and returned in its normal form", ({ text, other }) => {
  expect(check(text)).toEqual({ status: "public", url: other });
});

it.each(Object.entries(refusedUrls))("%s is refused in every spelling", (_what, texts) => {
  expect(texts.filter(isAccepted)).toEqual([]);
});

it("any input is accepted only as an https URL on port 443 whose host is a name of several labels", () => {
  const accepted = allUrls.map(check).flatMap((result) => (result.status === "public" ? result.url : []));
  const harmless = /^https:\/\/(?=[^/]{1,253}\/)(?:[a-z0-9_-]{1,63}\.)+(?:[a-z]{1,63}|xn--[a-z0-9-]{1,59})\/[^#]*$/;

  expect(accepted.filter((url) => !harmless.test(url))).toEqual([]);
});

it("any input is refused with a reason that states what is allowed and does not repeat the input", () => {
  const reasons = new Set(allUrls.map(check).flatMap((result) => (result.status === "refused" ? result.reason : [])));

  expect([...reasons].filter((reason) => !/^must [a-zA-Z0-9 ,]{10,80}$/.test(reason))).toEqual([]);
  expect(reasons.size).toBeLessThan(12);
});

it("an input is not refused merely because it is unusual", () => {
  expect(curiousUrls.filter(isAccepted).length).toBeGreaterThan(20);
});

const reasons: [string, string][] = [
  ["https://127.1/", "must not name an IP address"],
  ["https://[::1]/", "must not name an IP address"],
  ["http://hooks.receiver.dev/", "must be an absolute https URL"],
  ["/hook", "must be an absolute https URL"],
  ["", "must be an absolute https URL"],
  ["https://hooks.receiver.dev:8443/", "must use port 443"],
  ["https://a:b@hooks.receiver.dev/", "must not contain user info"],
  ["https://hooks.receiver.dev./", "must not have a trailing dot in its host name"],
  ["https://localhost/", "must name a public host"],
  ["https://a.internal/", "must name a public host"],
  ["https://Colophon.dev/", "must not name a host of this service"],
  ["https://hooks.receiver.dev/ a", "must not contain white space or control characters"],
  ["https://hooks.receiver.dev/".padEnd(2_049, "x"), "must be at most 2048 characters long"],
];

it.each(named(reasons))("$shown is refused because it $other", ({ text, other }) => {
  expect(check(text)).toEqual({ status: "refused", reason: other });
});

const allowed: UrlRules = {
  allowedOrigins: new Set(["http://127.0.0.1:9900", "https://receiver.test", "http://[::1]:9900"]),
  ownHosts,
};

it.each([
  ["http://127.0.0.1:9900", "http://127.0.0.1:9900/"],
  ["http://127.0.0.1:9900/hook?a=b", "http://127.0.0.1:9900/hook?a=b"],
  ["http://127.0.0.1:9900/hook#part", "http://127.0.0.1:9900/hook"],
  ["HTTP://127.1:09900/hook", "http://127.0.0.1:9900/hook"],
  ["http://[::1]:9900/hook", "http://[::1]:9900/hook"],
  ["https://Receiver.test:443/hook", "https://receiver.test/hook"],
])("an allowed origin allows %s", (text, url) => {
  expect(checkPublicUrl(text, allowed)).toEqual({ status: "public", url });
});

it.each([
  ...words("http://127.0.0.1/ http://127.0.0.1:990/ https://127.0.0.1:9900/ ws://127.0.0.1:9900/ http://[::1]/"),
  ...words("x://127.0.0.1:9900/ blob:http://127.0.0.1:9900/6e1f file://127.0.0.1/9900 http:127.0.0.1:9900"),
  ...words("http://127.0.0.10:9900/ http://localhost:9900/ http://127.0.0.1.nip.io:9900/ //127.0.0.1:9900/"),
  ...words("http://127.0.0.1:9900.receiver.dev/ http://127.0.0.1:9900@receiver.dev/ http://receiver.test/"),
  ...words("http://user@127.0.0.1:9900/ http://@127.0.0.1:9900/ https://receiver.test:8443/ https://receiver.test./"),
  "http://127.0.0.1:\t9900/",
])("an allowed origin does not allow %j", (text) => {
  expect(checkPublicUrl(text, allowed).status).toBe("refused");
});

it("an allowed origin does not change the result for other URLs", () => {
  const results = allUrls.map((text) => checkPublicUrl(text, allowed));

  expect(results).toEqual(allUrls.map(check));
});

it("an allowed origin does not allow a URL of more than 2,048 characters", () => {
  const text = "http://127.0.0.1:9900/".padEnd(2_049, "x");

  expect(checkPublicUrl(text, allowed).status).toBe("refused");
});

it.each([
  ["", []],
  [" , ,", []],
  ["http://127.0.0.1:9900", ["http://127.0.0.1:9900"]],
  ["http://127.0.0.1:9900/", ["http://127.0.0.1:9900"]],
  [" http://a.test , HTTPS://B.test ", ["http://a.test", "https://b.test"]],
  ["http://[::1]:9900", ["http://[::1]:9900"]],
])("a list of origins is parsed (%j)", (list, origins) => {
  expect(parseOrigins(list)).toEqual(new Set(origins));
});

it.each([
  ...words("a.test 127.0.0.1:9900 * http://a.test/path http://a.test#x http://user@a.test https:// http://a.test,null"),
  ...words("http://a.test;http://b.test http://a.test,nonsense //a.test file:/// data:, about:blank null"),
])("a list of origins is refused (%j)", (list) => {
  expect(parseOrigins(list)).toBeNull();
});

it("a list of origins cannot contain `null`, which would allow every URL without an origin", () => {
  const allowedOrigins = parseOrigins("null") ?? new Set<string>();

  const results = ["file:///etc/passwd", "data://x/", "javascript://x/", "x://127.0.0.1/"].map(
    (text) => checkPublicUrl(text, { allowedOrigins, ownHosts }).status,
  );

  expect(results).toEqual(["refused", "refused", "refused", "refused"]);
});
