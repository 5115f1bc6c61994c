// URLs that careless or hostile callers may send: hosts and the ways to disguise them, grouped by the expected outcome.

/** A host to which webhooks may be sent. */
const host = "hooks.receiver.dev";

/** The service's own hosts in these tests. They would be accepted as public names if they were not on this list. */
export const ownHosts = new Set(["colophon.dev", "files.colophon.dev", "xn--bcher-kva.dev"]);

const words = (text: string) => text.split(" ");

const special = [
  ...words("local localhost internal home.arpa in-addr.arpa onion alt test example invalid localdomain localnet"),
  ...words("private intranet intra lan home corp mail workgroup router gateway dhcp"),
  ...words("cluster svc pod node kubernetes docker consul"),
];

const at = (name: string) => `https://${name}/hook`;

// Functions that write the same host name in other ways.
type Spelling = (text: string) => string;
function shifted(pattern: RegExp, from: string, to: number): Spelling {
  const shift = to - from.charCodeAt(0);
  return (text) => text.replace(pattern, (character) => String.fromCodePoint(shift + character.charCodeAt(0)));
}
const fullwidth = shifted(/[!-~]/g, "!", 0xff01);
const percent: Spelling = (text) =>
  Array.from(new TextEncoder().encode(text), (byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
const spellings: Spelling[] = [
  (text) => text,
  (text) => text.toUpperCase(),
  fullwidth,
  shifted(/[a-z]/g, "a", 0x1d41a), // bold letters
  shifted(/\d/g, "0", 0x1d7ce), // bold digits
  shifted(/[1-9]/g, "1", 0x2460), // circled digits
  percent,
  (text) => percent(text[0] ?? "") + text.slice(1),
  ...words("\u3002 \uff0e \uff61 %2e %E3%80%82").map((dot) => (text: string) => text.replaceAll(".", dot)),
  // Characters that the URL parser drops: soft hyphen, zero width space, word joiner and variation selector.
  ...words("\u00ad \u200b \u2060 \ufe0f").map((dropped) => (text: string) => text.replace(/\w/, `$&${dropped}`)),
];

/** Endings after a refused host that do not make it public. Most look as if a second host followed. */
const endings = [".", "..", ":443", ":0443", ".:443", "\u3002", "%2e", ":", ":443/api?x#y"].concat(
  ["#@", "?@", "/@", "\\@", "/.", "?.", "#.", "\\."].map((separator) => `${separator}${host}/`),
);

/** All disguises of each of these hosts. */
const disguised = (hosts: string[]) =>
  hosts.flatMap((name) => [
    ...spellings.map((spell) => at(spell(name))),
    ...endings.map((ending) => `https://${name}${ending}`),
  ]);

const ipv4 = words("127.0.0.1 169.254.169.254 0.0.0.0 255.255.255.255 8.8.8.8");

/** An IPv4 address may be written in one to four parts, each in any base. The last part contains all remaining bytes. */
const ipv4Notations = [
  ...words(
    "127.1 127.0.1 127.65535 2130706433 0177.1 0177.0.1 0177.0.0.1 017700000001 0000177.0000.0000.0001 010.8.8.8",
  ),
  ...words("0x7f.1 0x7f.0.1 0x7f.0x0.0x0.0x1 0x7f000001 0X7F000001 0X007F.0.0.1 127.0x0.01 0177.0x000001 0 00.0x0"),
  ...words("169.16689662 169.254.43518 2852039166 0251.0376.0251.0376 025177524776 0xa9.0xfe.0xa9.0xfe 0xa9fea9fe"),
  ...words("0xA9.254.0251.254 255.16777215 4294967295 0377.0xff.65535 0xffffffff 037777777777 8.8.2056 134744072"),
];

const ipv4Broken = [
  ...words("256.0.0.1 1.256.0.1 1.2.3.256 1.2.65536 1.16777216 4294967296 99999999999999999999 0x100000000"),
  ...words("040000000000 08.0.0.1 1.2.3.09 1.2.3.0xg 1.2.3.4.5 1..2 1.2.3. 0x 0x. 0x.0x.0x.0x 1.0x 00 0 0. -1"),
  ...words(`127.0.0.-1 +127.0.0.1 127.0.0.1e0 ${host}.1 ${host}.0x7f ${host}.0x ${host}.010 1.2.3.4.${"0".repeat(40)}`),
];

const ipv6 = [
  ...words(":: ::1 0:0:0:0:0:0:0:1 fe80::1 fd12:3456::1 2606:4700:4700::1111 ::ffff:127.0.0.1 ::ffff:7f00:1"),
  ...words("::127.0.0.1 64:ff9b::127.0.0.1 2002:7f00:1:: 2001:0:7f00:1::"),
];
const ipv6Broken = ["", ...words("1::2::3 :::1 12345::1 ::g 1:2:3:4:5:6:7:8:9 ::1.2.3 ::ffff:256.0.0.1 ::0x1")];
const ipv6Spellings = [
  ...ipv6.flatMap((address) => [`[${address.toUpperCase()}]`, address, `[[${address}]]`]),
  ...ipv6.flatMap((address) => [`[${address}%25eth0]`, `[${address}%eth0]`]),
  ...ipv6Broken.flatMap((address) => [`[${address}]`, `[${address}`, `${address}]`]),
  ...words(`[v1.fe80::a] [127.0.0.1] [localhost] [${host}] [::1].receiver.dev ::1.receiver.dev`),
];

const userInfos = [
  ...words("user@ user:secret@ :secret@ :@ @ @@ user@name@ user%40name@ %75ser@ user:@ user:a:b@ user;x@ ü@ ％@"),
  ...words(`127.0.0.1@ 127.0.0.1:443@ [::1]@ ${host}@ ${host}:443@ %00@`),
];
const slashes = words("/ // \\ \\\\ \\/ /\\");

const ports = [
  ...words("80 8443 444 0 1 65535 65536 99999999 4430 -443 +443 443a 443.0 0x1bb 443:443 :443 443@ 00080 6553643"),
  ...[fullwidth("443"), fullwidth("4") + "43", percent("443")],
];

const schemes = [
  ...words("http HTTP ws wss ftp file data javascript JavaScript blob about mailto ssh git+https view-source"),
  ...words("filesystem httpss https+x x-https 1https -https ｈttps httpſ https%3A %68ttps"),
].concat("");
const otherSchemes = [
  ...words("javascript:alert(1) data:text/html,<p> data:, file:///etc/passwd file://localhost/etc/passwd file:c:\\x"),
  ...words(
    `blob:https://${host}/6e1f blob:null/6e1f about:blank mailto:a@b.dev urn:uuid:6e1f view-source:https://${host}/`,
  ),
];
const wrongStarts = [
  ...words("https: https:/ https:\\ https:\\\\ https:/\\ https:\\/ https https// https:/:/ // \\\\ / :// : https;//"),
  ...words("https:.// https:%2f%2f https：// https:／／ https:?// https:#//"),
];

const url = at(host);
const withControls = [..."\t\n\r\0\v\f \u001b\u007f\u0085\u00a0\u2028\u3000\ufeff"].flatMap((control) =>
  // At both ends, and inside the scheme, the slashes, the host and the path.
  [0, 2, 7, 13, 28, url.length].map((index) => url.slice(0, index) + control + url.slice(index)),
);

const badHosts = [
  ...[..."!\"$&'()*+,;=<>^`{|}~%"].flatMap((character) => [`hooks${character}.receiver.dev`, `${host}${character}`]),
  ...words("%00 %09 %0a %20 %23 %2f %3a %3c %3f %40 %5b %5c %7c %7f %25").flatMap((escape) => [
    `${escape}${host}`,
    `127.0.0.1${escape}.receiver.dev`,
  ]),
  ...words("% %zz.receiver.dev hooks.receiver.% %ff.receiver.dev %c0%ae.receiver.dev %ed%a0%80.receiver.dev"),
  ...words("\ud800.receiver.dev hooks.receiver.dev\udfff . .. .receiver.dev hooks..receiver.dev ...dev"),
  ...words("hooks.receiver.dev] hooks.receiver.dev[ ℀.receiver.dev a℁b.receiver.dev"),
  ...[`${"a".repeat(64)}.dev`, `hooks.${"a".repeat(64)}`, `${"ü".repeat(60)}.dev`, `${"a.".repeat(126)}dev`],
].concat("");

const long = (chars: number) => `https://${host}/`.padEnd(chars, "x");

/** URLs that must be refused, grouped by the reason. */
export const refusedUrls: Record<string, string[]> = {
  "an IPv4 address": [...disguised(ipv4), ...ipv4Notations.map(at), ...ipv4.map(percent).map(percent).map(at)],
  "a malformed IPv4 address": ipv4Broken.map(at),
  "an IPv6 address": [...disguised(ipv6.map((address) => `[${address}]`)), ...ipv6Spellings.map(at)],
  "user info": [
    ...userInfos.flatMap((info) => [at(info + host), at(`${info}${host}:443`)]),
    ...slashes.flatMap((more) => ["@", "user@", ":secret@"].map((info) => `https://${more}${info}${host}/`)),
  ],
  "a port other than 443": ports.map((port) => at(`${host}:${port}`)),
  "a scheme other than https": [
    ...schemes.flatMap((scheme) => [`${scheme}://${host}/hook`, `${scheme}://${host}:443/`, `${scheme}:${host}/hook`]),
    ...otherSchemes,
  ],
  "a URL with missing or wrong slashes": wrongStarts.map((start) => `${start}${host}/hook`).concat(`${host}/hook`),
  "a URL with white space or control characters": withControls,
  "a trailing dot": [".", "..", ".:443", "\u3002", "\uff0e", "%2e"].map((dot) => at(host + dot)),
  "a single label": disguised(words("localhost intranet com xn--p1ai bücher host-1 _ -")),
  "a special-use name": [
    ...disguised(["printer.level-2.local", "metadata.google.internal", "a.home.arpa"]),
    ...special.flatMap((suffix) => [suffix, `a.${suffix}`, `A.${suffix.toUpperCase()}`, `a.b.${suffix}.`]).map(at),
  ],
  "a host that is not a valid name": badHosts.map(at),
  "a host of this service": [
    ...disguised([...ownHosts, "bücher.dev"]),
    ...words("ﬁles.colophon.dev fileſ.colophon.dev 𝕔𝕠𝕝𝕠𝕡𝕙𝕠𝕟.dev colophon.ᵈᵉᵛ bu\u0308cher.dev").map(at),
  ],
  "a URL that is too long": [
    ...[2_049, 100_000, 1_000_000].map(long),
    // These are short enough only until they are normalised.
    ...["ü".repeat(400), "\u{1f389}".repeat(500)].map((path) => `https://${host}/${path}`),
    `https://${"a.".repeat(2_000)}dev/`,
    // This one is too long only until it is normalised.
    `https://${host}/${"a/../".repeat(500)}`,
  ],
  "text that is not a URL": [
    "",
    ...words("x null ? # https:// https:/// https://? https://# https://:443/ https://@/"),
  ],
};

/** URLs that must be accepted, each with its normal form. */
export const acceptedUrls: [text: string, normalForm: string][] = [
  ["https://hooks.receiver.dev", "https://hooks.receiver.dev/"],
  ["https://hooks.receiver.dev:443/hook", "https://hooks.receiver.dev/hook"],
  ["hTtPs://HOOKS.Receiver.DEV/Hook", "https://hooks.receiver.dev/Hook"],
  ["https://hooks.receiver.dev/hook#part", "https://hooks.receiver.dev/hook"],
  ["https://hooks.receiver.dev/hook#@127.0.0.1/", "https://hooks.receiver.dev/hook"],
  ["https://hooks.receiver.dev/hook?#", "https://hooks.receiver.dev/hook?"],
  ["https://hooks.receiver.dev?to=a@b", "https://hooks.receiver.dev/?to=a@b"],
  ["https://hooks.receiver.dev/a/../b/./c", "https://hooks.receiver.dev/b/c"],
  ["https://hooks.receiver.dev/ü?ü", "https://hooks.receiver.dev/%C3%BC?%C3%BC"],
  ["https://hooks.receiver.dev/{id}", "https://hooks.receiver.dev/%7Bid%7D"],
  ["https://hooks.receiver.dev/\ud800", "https://hooks.receiver.dev/%EF%BF%BD"],
  ["https://BÜCHER.de/hook", "https://xn--bcher-kva.de/hook"],
  ["https://例え.テスト例.jp/", "https://xn--r8jz45g.xn--zckzah4162a.jp/"],
  ["https://пример.рф/", "https://xn--e1afmkfd.xn--p1ai/"],
  ...[
    ...words("https://hooks.receiver.dev/hook?a=b&a=c https://hooks.receiver.dev/hook?url=https://127.0.0.1/"),
    ...words("https://hooks.receiver.dev/a:b@c https://hooks.receiver.dev//a https://hooks.receiver.dev/%C3%BC%00%0a"),
    // These hosts resemble hosts that are refused.
    ...words(
      "https://1.receiver.dev/ https://127.0.0.1.receiver.dev/ https://0x7f.receiver.dev/ https://1password.com/",
    ),
    ...words("https://localhost.receiver.dev/ https://home.arpa.receiver.dev/ https://example.com/ https://onion.ly/"),
    ...words("https://notcolophon.dev/ https://colophon.dev.receiver.dev/ https://receiver.dev/colophon.dev"),
    ...words("https://my-hooks-2.receiver.dev/ https://a.b.c.d.e.f.receiver.co.uk/ https://hooks.xn--p1ai/"),
    ...[`https://${"a".repeat(63)}.dev/`, `https://${`${"a".repeat(61)}.`.repeat(4)}abcde/`, long(2_048)],
  ].map((normal): [string, string] => [normal, normal]),
];

/** URLs that may be refused or accepted. Every accepted URL must be harmless. */
export const curiousUrls: string[] = [
  ...spellings.map((spell) => at(spell(host))),
  ...[
    ...words("xn-- xn--a xn--0 xn--99999999 xn--bcher xn--ü xn--bcher-kva- xn--- xn--a-ecp xn--1ch XN--A xn--n3h"),
    ...words("faß βόλος نامه a\u200cb a\u200db ☃ 😉 İ ı K Å ٣ १२७ аpple א1 1א ⁄"),
    ...words("-a a- -- a--b ab--c _dmarc a_b _ __ - constructor __proto__"),
  ].flatMap((label) => [at(`${label}.dev`), at(`hooks.${label}`)]),
  ...slashes.map((more) => `https://${more}${host}/hook`),
  ...["\\@127.0.0.1/", "\\hook", ":/hook", ":", ":00000443/"].map((rest) => `https://${host}${rest}`),
  ...["ü".repeat(300), "%".repeat(2_000), `?${"x".repeat(2_000)}`, `#${"x".repeat(2_000)}`].map(
    (path) => `https://${host}/${path}`,
  ),
  ...words("127.0.0.1.nip.io a.localtest.me x.zip t.co").map(at),
];

export const allUrls: string[] = [
  ...Object.values(refusedUrls).flat(),
  ...acceptedUrls.map(([text]) => text),
  ...curiousUrls,
];
