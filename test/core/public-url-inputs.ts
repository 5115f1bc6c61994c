// URLs that careless or hostile callers may send, generated from parts and grouped by the expected outcome. `offenceOf` checks
// independently of the code under test whether a URL was accepted wrongly.
import { isIP } from "node:net";

/** A host to which webhooks may be sent. */
const host = "hooks.receiver.dev";

/** The service's own hosts in these tests. They would be accepted as public names if they were not on this list. */
export const ownHosts = new Set(["colophon.dev", "files.colophon.dev", "xn--bcher-kva.dev"]);

const special = ["local", "internal", "localhost", "home.arpa", "onion", "test", "example", "invalid", "svc"];

/**
 * Returns the reason why an accepted URL should have been refused. Returns null if the URL uses https and port 443, and its host
 * is a public DNS name of several labels.
 */
export function offenceOf(accepted: string): string | null {
  if (!URL.canParse(accepted)) return "not a URL";
  const url = new URL(accepted);
  const name = url.hostname;
  const labels = name.split(".");
  const broken: [string, boolean][] = [
    ["not in normal form", url.href !== accepted],
    ["not https", url.protocol !== "https:" || !accepted.startsWith("https://")],
    ["not port 443", url.port !== ""],
    ["user info", url.username !== "" || url.password !== "" || url.host.includes("@")],
    ["an IP literal", isIP(name.replace(/^\[|\]$/g, "").replace(/\.$/, "")) !== 0],
    ["a last label that is a number", /^(\d+|0x[\da-f]*)$/i.test(labels.at(-1) ?? "")],
    ["a single label", labels.length < 2],
    ["an empty or long label", labels.some((label) => label.length < 1 || label.length > 63)],
    ["a name that is too long", name.length > 253],
    ["not a DNS name", !/^[a-z0-9_.-]+$/.test(name)],
    ["a special-use name", special.some((suffix) => name === suffix || name.endsWith(`.${suffix}`))],
    ["a host of this service", ownHosts.has(name)],
    ["too long", accepted.length > 2_048],
    ["a fragment", url.hash !== "" || accepted.includes("#")],
  ];
  return broken.find(([, isBroken]) => isBroken)?.[0] ?? null;
}

// Functions that write the same host name in other ways.
const codePoint = (text: string) => text.codePointAt(0) ?? 0;
const mapped = (text: string, pattern: RegExp, base: number, first: string) =>
  text.replace(pattern, (character) => String.fromCodePoint(base + codePoint(character) - codePoint(first)));
const fullwidth = (text: string) => mapped(text, /[!-~]/g, 0xff01, "!");
const boldDigits = (text: string) => mapped(text, /\d/g, 0x1d7ce, "0");
const circledDigits = (text: string) => mapped(text.replaceAll("0", "⓪"), /[1-9]/g, 0x2460, "1");
const boldLetters = (text: string) => mapped(text, /[a-z]/g, 0x1d41a, "a");
const percent = (text: string) => text.replace(/[^%]/g, (c) => `%${codePoint(c).toString(16).padStart(2, "0")}`);
const percentTwice = (text: string) => percent(text).replaceAll("%", "%25");
const firstPercent = (text: string) => percent(text.slice(0, 1)) + text.slice(1);
const mixedCase = (text: string) => text.replace(/[a-z]/g, (c, index: number) => (index % 2 ? c : c.toUpperCase()));
const upperCase = (text: string) => text.toUpperCase();
const withDots = (dot: string) => (text: string) => text.replaceAll(".", dot);
const withinLabels = (character: string) => (text: string) => text.replace(/(\w)(\w)/, `$1${character}$2`);
const dots = ["\u3002", "\uff0e", "\uff61", "%2e", "%2E", "%E3%80%82"];
/** The URL parser drops these characters: soft hyphen, zero width space, word joiner and variation selector. */
const ignored = ["\u00ad", "\u200b", "\u2060", "\ufe0f"];

const spellings = [
  (text: string) => text,
  upperCase,
  mixedCase,
  fullwidth,
  percent,
  firstPercent,
  boldLetters,
  ...dots.map(withDots),
  ...ignored.map(withinLabels),
];
const each = <T>(values: T[], make: (value: T) => string | string[]): string[] => values.flatMap(make);
const cross = <A, B>(as: A[], bs: B[], make: (a: A, b: B) => string): string[] =>
  as.flatMap((a) => bs.map((b) => make(a, b)));
const at = (name: string) => `https://${name}/hook`;

// IPv4 addresses. An address may be written in one to four parts, and each part in any base. The last part contains all
// remaining bytes.
const ipv4 = [
  "127.0.0.1",
  "10.0.0.1",
  "172.16.0.1",
  "192.168.1.1",
  "169.254.169.254",
  "100.64.0.1",
  "0.0.0.0",
  "255.255.255.255",
  "224.0.0.1",
  "8.8.8.8",
];
const bases: ((part: number) => string)[] = [
  (part) => String(part),
  (part) => `0${part.toString(8)}`,
  (part) => `000${part.toString(8)}`,
  (part) => `0x${part.toString(16)}`,
  (part) => `0X00${part.toString(16).toUpperCase()}`,
];

function inParts(address: string, count: number): number[] {
  const bytes = address.split(".").map(Number);
  const last = bytes.slice(count - 1).reduce((sum, byte) => sum * 256 + byte, 0);
  return [...bytes.slice(0, count - 1), last];
}

function inMixedBases(address: string): string[] {
  const mixed = (shift: number) =>
    inParts(address, 4).map((part, index) => bases[(index + shift) % bases.length]?.(part));
  return bases.map((_, shift) => mixed(shift).join("."));
}

const ipv4Spellings = [
  ...each(ipv4, (address) =>
    [1, 2, 3, 4].flatMap((count) => bases.map((base) => inParts(address, count).map(base).join("."))),
  ),
  ...each(ipv4, inMixedBases),
  ...cross(ipv4, [fullwidth, boldDigits, circledDigits, percent, percentTwice, firstPercent], (address, spell) =>
    spell(address),
  ),
  ...cross(ipv4, dots.map(withDots), (address, spell) => spell(address)),
  ...each(ipv4, (address) => [`${address}.`, `${address}..`, `${address}.:443`, `${address}\u3002`, `${address}%2e`]),
  ...each(ipv4, (address) => [`${address}:443`, `${withinLabels("\u00ad")(address)}`]),
];
const ipv4Broken = [
  "256.0.0.1",
  "1.256.0.1",
  "1.2.3.256",
  "1.2.65536",
  "1.16777216",
  "4294967296",
  "99999999999999999999",
  "0x100000000",
  "040000000000",
  "08.0.0.1",
  "1.2.3.09",
  "1.2.3.0xg",
  "1.2.3.4.5",
  "0.0.0.0.0",
  "1..2",
  "1.2.3.",
  "0x",
  "0x.",
  "0x.0x.0x.0x",
  "1.0x",
  "00",
  "0",
  "0.",
  "-1",
  "127.0.0.-1",
  "+127.0.0.1",
  "127.0.0.1e0",
  "1.2.3.4x.5",
  `${host}.1`,
  `${host}.0x7f`,
  `${host}.0x`,
  `${host}.010`,
  `a.b.1.2.3.4`,
  `1.2.3.4.${"0".repeat(40)}`,
];

const ipv6 = [
  "::",
  "::1",
  "0:0:0:0:0:0:0:1",
  "0000:0000:0000:0000:0000:0000:0000:0001",
  "fe80::1",
  "fc00::1",
  "fd12:3456::1",
  "ff02::1",
  "2001:db8::1",
  "2606:4700:4700::1111",
  "::ffff:127.0.0.1",
  "::ffff:7f00:1",
  "0:0:0:0:0:ffff:7f00:0001",
  "::127.0.0.1",
  "::ffff:0:127.0.0.1",
  "64:ff9b::7f00:1",
  "64:ff9b::127.0.0.1",
  "64:ff9b:1::a00:1",
  "2002:7f00:1::",
  "2002:a9fe:a9fe::1",
  "2001:0:7f00:1::",
  "100::1",
  "::ffff:169.254.169.254",
  "1:2:3:4:5:6:7::",
];
const ipv6Broken = [
  "1::2::3",
  ":::1",
  "12345::1",
  "::g",
  "1:2:3:4:5:6:7:8:9",
  "::1.2.3",
  "::ffff:256.0.0.1",
  "::0x1",
  "",
];
const ipv6Spellings = [
  ...each(ipv6, (address) => [`[${address}]`, `[${address.toUpperCase()}]`, `[${address}]:443`, `[${address}].`]),
  ...each(ipv6, (address) => [`[${address}%25eth0]`, `[${address}%eth0]`, `[${address}%1]`]),
  ...each(ipv6, (address) => [address, fullwidth(`[${address}]`), percent(`[${address}]`), `[[${address}]]`]),
  ...each(ipv6Broken, (address) => [`[${address}]`, `[${address}`, `${address}]`]),
  "[v1.fe80::a]",
  "[127.0.0.1]",
  "[localhost]",
  `[${host}]`,
  "[::1].receiver.dev",
  "::1.receiver.dev",
];

const userInfos = [
  "user@",
  "user:secret@",
  ":secret@",
  ":@",
  "@",
  "@@",
  "user@name@",
  "user%40name@",
  "%75ser@",
  "user:@",
  "user:a:b@",
  "127.0.0.1@",
  "127.0.0.1:443@",
  "[::1]@",
  `${host}@`,
  `${host}:443@`,
  "ü@",
  "user;x@",
  "user&a=b@",
  "％@",
  "%00@",
];
const withUserInfo = [
  ...cross(userInfos, [host, `${host}:443`, host.toUpperCase()], (info, name) => at(info + name)),
  ...cross(
    ["user@", "user:secret@", ":secret@"],
    ["/", "//", "\\", "\\/"],
    (info, slashes) => `https://${slashes}${info}${host}/`,
  ),
];
/** URLs with empty user info (`@`) after one or two extra slashes or backslashes. */
export const emptyUserInfoBehindSlashes = ["/", "//", "\\", "\\\\"].map((slashes) => `https://${slashes}@${host}/`);

const ports = [
  "80",
  "8443",
  "444",
  "442",
  "0",
  "1",
  "65535",
  "65536",
  "99999999",
  "4430",
  "-443",
  "+443",
  "443a",
  "443.0",
  "0x1bb",
  "443:443",
  ":443",
  fullwidth("443"),
  percent("443"),
  "４43",
  "443@",
  "00080",
  "6553643",
];

const schemes = [
  "http",
  "HTTP",
  "hTTp",
  "ws",
  "wss",
  "WSS",
  "ftp",
  "ftps",
  "file",
  "data",
  "javascript",
  "JavaScript",
  "vbscript",
  "blob",
  "about",
  "mailto",
  "gopher",
  "ssh",
  "git",
  "git+https",
  "view-source",
  "chrome",
  "filesystem",
  "httpss",
  "https+x",
  "x-https",
  "1https",
  "-https",
  "",
  "ｈttps",
  "httpſ",
  "https%3A",
  "%68ttps",
];
const schemeForms = (scheme: string) => [
  `${scheme}://${host}/hook`,
  `${scheme}://${host}:443/hook`,
  `${scheme}:${host}/hook`,
  `${scheme}:///${host}/hook`,
];
const opaque = [
  "javascript:alert(1)",
  "javascript://hooks.receiver.dev/%0aalert(1)",
  "JAVASCRIPT:void 0",
  "data:text/html,<p>",
  "data:,",
  "data:;base64,aGk=",
  "data://hooks.receiver.dev/x",
  "file:///etc/passwd",
  "file://localhost/etc/passwd",
  "file:c:\\x",
  "file://hooks.receiver.dev/share",
  `blob:https://${host}/6e1f`,
  "blob:null/6e1f",
  `blob://${host}/`,
  "about:blank",
  "about:srcdoc",
  "mailto:a@b.dev",
  "tel:+491",
  "urn:uuid:6e1f",
  "ws://127.0.0.1/",
  `view-source:https://${host}/`,
];
const slashes = [
  "https:",
  "https:/",
  "https:\\",
  "https:\\\\",
  "https:/\\",
  "https:\\/",
  "https",
  "https//",
  "https/:/",
  "//",
  "\\\\",
  "/",
  "",
  "://",
  ":",
  "https;//",
  "https:.//",
  "https:%2f%2f",
  "https：//",
  "https:／／",
  "https:?//",
  "https:#//",
].map((start) => `${start}${host}/hook`);

const controls = [
  "\t",
  "\n",
  "\r",
  "\r\n",
  "\0",
  "\v",
  "\f",
  " ",
  "\u007f",
  "\u0085",
  "\u00a0",
  "\u2028",
  "\u3000",
  "\ufeff",
  "\u001b",
];
const withControls = each(controls, (control) => [
  `${control}https://${host}/hook`,
  `https://${host}/hook${control}`,
  `ht${control}tps://${host}/hook`,
  `https:${control}//${host}/hook`,
  `https:/${control}/${host}/hook`,
  `https://hooks${control}.receiver.dev/hook`,
  `https://${host}${control}:443/hook`,
  `https://${host}/ho${control}ok`,
  `https://${host}/hook?a=${control}b`,
]);

const singleLabels = [
  "localhost",
  "LOCALHOST",
  "ｌｏｃａｌｈｏｓｔ",
  "%6cocalhost",
  "local\u00adhost",
  "intranet",
  "router",
  "db",
  "metadata",
  "com",
  "dev",
  "a",
  "xn--p1ai",
  "bücher",
  "kubernetes",
  "host-1",
  "_",
  "-",
  "münchen",
  "local",
  "internal",
  "test",
  "onion",
];
const belowSpecial = special.flatMap((suffix) => [`a.${suffix}`, `printer.level-2.${suffix}`]);
const apex = [
  ...special,
  "metadata.google.internal",
  "1.0.0.127.in-addr.arpa",
  "0.8.e.f.ip6.arpa",
  "a.alt",
  "a.localdomain",
  "kubernetes.default.svc",
  "web.service.consul",
  "web.docker",
  "a.pod",
  "a.cluster",
];

const awkward = [..."!\"$&'()*+,;=<>^`{|}~ %"].filter((character) => character !== " ");
const forbiddenEscapes = [
  "%00",
  "%09",
  "%0a",
  "%0d",
  "%20",
  "%23",
  "%2f",
  "%3a",
  "%3c",
  "%3f",
  "%40",
  "%5b",
  "%5c",
  "%5d",
  "%7c",
  "%7f",
  "%25",
];
const badHosts = [
  ...each(awkward, (character) => [
    `hooks${character}.receiver.dev`,
    `${character}hooks.receiver.dev`,
    `${host}${character}`,
  ]),
  ...each(forbiddenEscapes, (escape) => [
    `hooks${escape}.receiver.dev`,
    `${escape}${host}`,
    `127.0.0.1${escape}.receiver.dev`,
  ]),
  "%",
  "%zz.receiver.dev",
  "hooks.receiver.%",
  "%ff.receiver.dev",
  "%c0%ae.receiver.dev",
  "%ed%a0%80.receiver.dev",
  "\ud800.receiver.dev",
  "hooks.receiver.dev\udfff",
  "",
  ".",
  "..",
  ".receiver.dev",
  "hooks..receiver.dev",
  "...dev",
  "hooks.receiver.dev:443:443",
  "hooks.receiver.dev]",
  "hooks.receiver.dev[",
  "℀.receiver.dev",
  "a℁b.receiver.dev",
  `${"a".repeat(64)}.dev`,
  `hooks.${"a".repeat(64)}`,
  `${"ü".repeat(60)}.dev`,
  "a.".repeat(126) + "dev",
  `${"a.".repeat(400)}dev`,
  `${"a".repeat(1_000)}.dev`,
  `${`${"a".repeat(63)}.`.repeat(4)}dev`,
];

const ownSpellings = [
  ...cross(["colophon.dev", "files.colophon.dev"], spellings, (name, spell) => spell(name)),
  ...cross(
    ["colophon.dev", "files.colophon.dev"],
    [":443", ":0443", ":", ".", "\u3002", ":443/api/v1?x#y"],
    (name, rest) => name + rest,
  ),
  "ﬁles.colophon.dev",
  "fileſ.colophon.dev",
  "ﬁleſ.ⓒⓞⓛⓞⓟⓗⓞⓝ.dev",
  "𝕔𝕠𝕝𝕠𝕡𝕙𝕠𝕟.dev",
  "colophon.ᵈᵉᵛ",
  "colophon.𝖉𝖊𝖛",
  "bücher.dev",
  "BÜCHER.dev",
  "bu\u0308cher.dev",
  "xn--bcher-kva.dev",
  "XN--BCHER-KVA.DEV",
  "b%C3%BCcher.dev",
  "bücher。dev",
];

const long = (chars: number) => `https://${host}/`.padEnd(chars, "x");

/** URLs that must be refused, grouped by the reason. */
export const refusedUrls: Record<string, string[]> = {
  "an IPv4 address": ipv4Spellings.map(at),
  "a malformed IPv4 address": ipv4Broken.map(at),
  "an IPv6 address": ipv6Spellings.map(at),
  "user info": withUserInfo,
  "a port other than 443": ports.map((port) => at(`${host}:${port}`)),
  "a scheme other than https": [...each(schemes, schemeForms), ...opaque],
  "a URL with missing or wrong slashes": slashes,
  "a URL with white space or control characters": withControls,
  "a trailing dot": [`${host}.`, `${host}..`, `${host}.:443`, `${host}\u3002`, `${host}\uff0e`, `${host}%2e`].map(at),
  "a single label": each(singleLabels, (name) => [at(name), at(`${name}.`), at(`${name}:443`)]),
  "a special-use name": [...cross(belowSpecial, spellings, (name, spell) => at(spell(name))), ...apex.map(at)],
  "a special-use name with a trailing dot": belowSpecial.map((name) => at(`${name}.`)),
  "a host that is not a valid name": badHosts.map(at),
  "a host of this service": ownSpellings.map(at),
  "an address followed by text that looks like a host": cross(
    ["127.0.0.1", "[::1]", "localhost", "colophon.dev", "a.internal"],
    [`#@${host}/`, `?@${host}/`, `/@${host}/`, `\\@${host}/`, `/.${host}/`, `?.${host}`, `#.${host}`, `\\.${host}`],
    (name, rest) => `https://${name}${rest}`,
  ),
  "a URL that is too long": [
    long(2_049),
    long(2_050),
    long(100_000),
    "x".repeat(1_000_000),
    `https://${"a.".repeat(2_000)}dev/`,
  ],
  "text that is not a URL": [
    "",
    "x",
    "null",
    "undefined",
    "[object Object]",
    "?",
    "#",
    "https://",
    "https:///",
    "https://?",
    "https://#",
    "https://:443/",
    "https://@/",
  ],
};

/** URLs that must be accepted, each with its normal form. */
export const acceptedUrls: [text: string, normalForm: string][] = [
  ["https://hooks.receiver.dev", "https://hooks.receiver.dev/"],
  ["https://hooks.receiver.dev/", "https://hooks.receiver.dev/"],
  ["https://hooks.receiver.dev/hook", "https://hooks.receiver.dev/hook"],
  ["https://hooks.receiver.dev:443/hook", "https://hooks.receiver.dev/hook"],
  ["https://hooks.receiver.dev:0443/hook", "https://hooks.receiver.dev/hook"],
  ["HTTPS://hooks.receiver.dev/hook", "https://hooks.receiver.dev/hook"],
  ["hTtPs://HOOKS.Receiver.DEV/Hook", "https://hooks.receiver.dev/Hook"],
  ["https://hooks.receiver.dev?a=b", "https://hooks.receiver.dev/?a=b"],
  ["https://hooks.receiver.dev/hook?a=b&a=c", "https://hooks.receiver.dev/hook?a=b&a=c"],
  ["https://hooks.receiver.dev/hook?url=https://127.0.0.1/", "https://hooks.receiver.dev/hook?url=https://127.0.0.1/"],
  ["https://hooks.receiver.dev/hook#part", "https://hooks.receiver.dev/hook"],
  ["https://hooks.receiver.dev/hook#", "https://hooks.receiver.dev/hook"],
  ["https://hooks.receiver.dev/hook#@127.0.0.1/", "https://hooks.receiver.dev/hook"],
  ["https://hooks.receiver.dev/hook?#", "https://hooks.receiver.dev/hook?"],
  ["https://hooks.receiver.dev/@user", "https://hooks.receiver.dev/@user"],
  ["https://hooks.receiver.dev/a:b@c", "https://hooks.receiver.dev/a:b@c"],
  ["https://hooks.receiver.dev?to=a@b", "https://hooks.receiver.dev/?to=a@b"],
  ["https://hooks.receiver.dev/a/../b/./c", "https://hooks.receiver.dev/b/c"],
  ["https://hooks.receiver.dev/%2e%2e/b", "https://hooks.receiver.dev/b"],
  ["https://hooks.receiver.dev//a//b", "https://hooks.receiver.dev//a//b"],
  ["https://hooks.receiver.dev/ü?ü", "https://hooks.receiver.dev/%C3%BC?%C3%BC"],
  ["https://hooks.receiver.dev/%C3%BC%00%0a", "https://hooks.receiver.dev/%C3%BC%00%0a"],
  ["https://hooks.receiver.dev/{id}", "https://hooks.receiver.dev/%7Bid%7D"],
  ["https://hooks.receiver.dev/\ud800", "https://hooks.receiver.dev/%EF%BF%BD"],
  ["https://receiver.dev/hook", "https://receiver.dev/hook"],
  ["https://a.b.c.d.e.f.receiver.co.uk/hook", "https://a.b.c.d.e.f.receiver.co.uk/hook"],
  ["https://1.receiver.dev/", "https://1.receiver.dev/"],
  ["https://127.0.0.1.receiver.dev/", "https://127.0.0.1.receiver.dev/"],
  ["https://0x7f.receiver.dev/", "https://0x7f.receiver.dev/"],
  ["https://1password.com/", "https://1password.com/"],
  ["https://my-hooks-2.receiver.dev/", "https://my-hooks-2.receiver.dev/"],
  ["https://bücher.de/hook", "https://xn--bcher-kva.de/hook"],
  ["https://BÜCHER.de/hook", "https://xn--bcher-kva.de/hook"],
  ["https://xn--bcher-kva.de/hook", "https://xn--bcher-kva.de/hook"],
  ["https://例え.テスト例.jp/", "https://xn--r8jz45g.xn--zckzah4162a.jp/"],
  ["https://пример.рф/", "https://xn--e1afmkfd.xn--p1ai/"],
  ["https://hooks.xn--p1ai/", "https://hooks.xn--p1ai/"],
  ["https://localhost.receiver.dev/", "https://localhost.receiver.dev/"],
  ["https://local.receiver.dev/", "https://local.receiver.dev/"],
  ["https://internal.receiver.dev/", "https://internal.receiver.dev/"],
  ["https://test.receiver.dev/", "https://test.receiver.dev/"],
  ["https://example.com/hook", "https://example.com/hook"],
  ["https://home.arpa.receiver.dev/", "https://home.arpa.receiver.dev/"],
  ["https://onion.ly/", "https://onion.ly/"],
  ["https://notcolophon.dev/", "https://notcolophon.dev/"],
  ["https://colophon.dev.receiver.dev/", "https://colophon.dev.receiver.dev/"],
  ["https://receiver.dev/colophon.dev", "https://receiver.dev/colophon.dev"],
  [`https://${"a".repeat(63)}.dev/`, `https://${"a".repeat(63)}.dev/`],
  [`https://${`${"a".repeat(61)}.`.repeat(4)}abcde/`, `https://${`${"a".repeat(61)}.`.repeat(4)}abcde/`],
  [long(2_048), long(2_048)],
];

/** URLs that may be refused or accepted. Every accepted URL must be harmless according to `offenceOf`. */
export const curiousUrls: string[] = [
  ...cross([host, "receiver.dev"], spellings, (name, spell) => at(spell(name))),
  ...[
    "xn--",
    "xn--a",
    "xn--0",
    "xn--99999999",
    "xn--bcher",
    "xn--ü",
    "xn--bcher-kva-",
    "xn---",
    "xn--a-ecp",
    "xn--1ch",
    "XN--A",
  ].flatMap((label) => [at(`${label}.dev`), at(`hooks.${label}`), at(`${label}.${label}`)]),
  ...[
    "faß",
    "βόλος",
    "نامه",
    "a\u200cb",
    "a\u200db",
    "☃",
    "😉",
    "İ",
    "ı",
    "K",
    "Å",
    "٣",
    "१२७",
    "xn--n3h",
    "аpple",
    "א1",
    "1א",
    "⁄",
  ].flatMap((label) => [at(`${label}.dev`), at(`hooks.${label}`)]),
  ...["-a", "a-", "--", "a--b", "ab--c", "_dmarc", "a_b", "_", "__", "-"].flatMap((label) => [
    at(`${label}.dev`),
    at(`hooks.${label}`),
  ]),
  ...["/", "//", "///", "\\", "\\\\", "/\\"].map((more) => `https://${more}${host}/hook`),
  ...emptyUserInfoBehindSlashes,
  `https://${host}\\@127.0.0.1/`,
  `https://${host}\\hook`,
  `https://${host}:/hook`,
  `https://${host}:`,
  `https://${host}:00000443/`,
  ...["ü".repeat(300), "ü".repeat(400), "\u{1f389}".repeat(500), "%".repeat(2_000)].map(
    (path) => `https://${host}/${path}`,
  ),
  long(2_048).replace(/\/x/, "?x"),
  `https://${host}?${"x".repeat(2_022)}`,
  `https://${host}/#${"x".repeat(2_000)}`,
  ...[
    "127.0.0.1.nip.io",
    "a.localtest.me",
    "c.corp",
    "h.home",
    "m.mail",
    "l.lan",
    "p.private",
    "i.intranet",
    "x.zip",
    "t.co",
  ].map(at),
  ...["constructor", "__proto__", "toString.hasOwnProperty", "a.__proto__", "a.constructor"].map(at),
];

export const allUrls: string[] = [
  ...Object.values(refusedUrls).flat(),
  ...acceptedUrls.map(([text]) => text),
  ...curiousUrls,
];
