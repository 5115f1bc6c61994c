// Templates that `init --html` makes from finished pages. No page may reach files outside its folder.
import { execFileSync } from "node:child_process";
import { readFileSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { gif, png } from "colophon-test-kit/images";
import type { Files } from "colophon-test-kit/template-files";
import { init } from "../../src/commands/init.ts";
import { readTemplateFolder } from "../../src/folder/template-folder.ts";
import { inFolder, newFolder } from "../folders.ts";
import { runTemplate } from "../run-template.ts";

const [red, blue] = [png(8, 8), png(16, 16)];
const woff2 = readFileSync("templates/report/assets/geist-400.woff2");
const browserDefaults = /^\/\* The defaults of browsers.*\n@layer browser \{\n.*\n.*\n\}/;
type Warning = { file: string; line: number; message: string };

/** Imports `page.html` of a folder with these files. `prepare` gets the folder. `leftOut` are the warnings as lines. */
async function imported(files: Files, prepare: (folder: string) => void = () => {}) {
  const parent = await newFolder(inFolder("site", files));
  prepare(join(parent, "site"));
  const DIR = join(parent, "template");
  const { warnings } = (await init.runOnFiles({ DIR, html: join(parent, "site/page.html") })) as {
    warnings: Warning[];
  };
  const text = (file: string) => readFileSync(join(DIR, file), "utf8").trim();
  const contents = readdirSync(DIR, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1"));
  return {
    DIR,
    manifest: JSON.parse(text("template.json")) as Record<string, unknown>,
    page: text("pages/1.liquid"),
    css: text("style.css").replace(browserDefaults, "").trim(),
    assets: readdirSync(DIR).includes("assets") ? readdirSync(join(DIR, "assets")).sort() : [],
    leftOut: warnings.map(({ file, line, message }) => `${file}:${line}: ${message}`),
    contents: contents.join("\n"),
    read: await readTemplateFolder(DIR),
  };
}

const head = (rest: string) =>
  `<!doctype html>\n<html lang="en-GB">\n<head>\n<meta charset="utf-8">\n${rest}\n</head>\n`;

it("init --html makes a valid template of a report with fonts, images and styles in files", async () => {
  const { manifest, page, css, assets, leftOut, read } = await imported({
    "page.html": `${head(`<title>Report &amp; figures</title>
<meta name="author" content="Ada">
<link rel="stylesheet" href="css/report.css">
<style media="print">h1 { color: red }</style>`)}<body class="wide" dir="ltr">
<h1 style="background: url('img/logo.png')">Report</h1>
<img src="img/logo.png" alt="Logo">
<table background="img/paper.gif"><tr><td>1</td></tr></table>
</body>
</html>`,
    "css/report.css": `@charset "utf-8";
@page { size: A5 landscape; margin: 2cm 10mm; }
@page :first { margin: 0 }
@font-face { font-family: Geist; src: url(../fonts/g.eot?#iefix) format("eot"), url("../fonts/g.woff2?v=3") format("woff2"), url(../fonts/g.woff) }
h1 { font-family: Geist; border-image: url("../img/logo.png") 1 }`,
    "img/logo.png": red,
    "img/paper.gif": gif(4, 4),
    "fonts/g.woff2": woff2,
  });

  expect(manifest).toEqual({ title: "Report & figures", pageSize: "A4", locale: "en-GB", fields: [] });
  expect(page).toBe(
    `<meta name="author" content="Ada">
<body class="wide" dir="ltr">
<h1 style="background: url({{ 'logo.png' | asset }})">Report</h1>
<img src="{{ 'logo.png' | asset }}" alt="Logo">
<table background="{{ 'paper.gif' | asset }}"><tr><td>1</td></tr></table>
</body>`,
  );
  expect(css.split("\n").filter((line) => line !== "")).toEqual([
    "@page { size: A5 landscape; margin: 2cm 10mm; }",
    "@page :first { margin: 0 }",
    '@font-face { font-family: Geist; src: url("g.woff2")}',
    'h1 { font-family: Geist; border-image: url("logo.png") 1 }',
    "h1 { color: red }",
  ]);
  expect(assets).toEqual(["g.woff2", "logo.png", "paper.gif"]);
  expect(leftOut).toEqual([]);
  expect(read).toMatchObject({ status: "ok", warnings: [] });
});

it("init --html inlines imported styles in their order and for their media, and names the imports that it leaves out", async () => {
  const { css, leftOut, read } = await imported({
    "page.html":
      '<link rel="stylesheet" href="a.css"><link rel="stylesheet" href="screen.css" media="only screen and (color)"><p>1</p>',
    "a.css":
      '@import "css/b.css";\n@import url(screen.css) screen;\n@import "c.css" (min-width: 1px);\na { color: red }\n@import "d.css";',
    "css/b.css": '@import url("sub/e.css");\n@import "../a.css";\n@import "b.css";\nb { color: red }',
    "css/sub/e.css": "e { background: url(../../img/x.png) }",
    "c.css": "c { color: red }",
    "screen.css": "screen { color: red }",
    "d.css": "d { color: red }",
    "img/x.png": red,
  });

  expect(css.replace(/\s+/g, " ")).toBe(
    'e { background: url("x.png") } b { color: red } @media (min-width: 1px) { c { color: red } } a { color: red }',
  );
  expect(leftOut).toEqual([
    "css/b.css:2: the style sheet `../a.css` was left out: it imports itself",
    "css/b.css:3: the style sheet `b.css` was left out: it imports itself",
    "a.css:2: the style sheet `screen.css` was left out: it is only for `screen`",
    'a.css:5: `@import "d.css";` cannot be followed, and was left out',
    "page.html:1: the style sheet `screen.css` was left out: it is only for `only screen and (color)`",
  ]);
  expect(read.status).toBe("ok");
});

it("init --html makes one asset of images with the same content, and separate assets of images whose names some systems confuse", async () => {
  const { page, assets, read } = await imported({
    "page.html": '<img src="a.png"><img src="b/a.png"><img src="b/A.PNG"><img src="B%20%C3%BC!.png"><img src="c.php">',
    "a.png": red,
    "b/a.png": red,
    "b/A.PNG": blue,
    "B ü!.png": png(3, 3),
    "c.php": gif(2, 2),
  });

  expect(assets).toEqual(["A-2.png", "B-ü.png", "a.png", "c.gif"]);
  expect(page.match(/'[^']+'/g)).toEqual(["'a.png'", "'a.png'", "'A-2.png'", "'B-ü.png'", "'c.gif'"]);
  expect(read.status).toBe("ok");
});

it("init --html shows one image of a srcset or a picture", async () => {
  const { page, leftOut, read } = await imported({
    "page.html": `<img src="s.png" srcset="s.png 1x, l.png 2x" sizes="1px" alt="a">
<img srcset="l.png 800w,s.png 400w" alt="b">
<picture><source srcset="none.webp"><img src="s.png" alt="c"></picture>`,
    "s.png": red,
    "l.png": blue,
  });

  expect(page).toBe(`<img src="{{ 's.png' | asset }}" alt="a">
<img src="{{ 'l.png' | asset }}" alt="b">
<picture><img src="{{ 's.png' | asset }}" alt="c"></picture>`);
  expect(leftOut).toEqual([]);
  expect(read.status).toBe("ok");
});

const sentinel = "SENTINEL-7f3a";
const hostile = [
  "../secret.png",
  "..\\secret.png",
  "a/../../secret.png",
  "./.././secret.png",
  "%2e%2e/secret.png",
  "%2e%2e%2fsecret.png",
  "..%5csecret.png",
  ".\t./secret.png",
  " ../secret.png ",
  "../secret.png?x#y",
  "/etc/passwd",
  "\\etc\\passwd",
  "//host/secret.png",
  "\\\\host\\secret.png",
  "file:///etc/passwd",
  "FILE:../secret.png",
  "file:secret.png",
  "C:\\secret.png",
  "http://127.0.0.1:9/secret.png",
  "javascript:alert(1)",
  "link.png",
  "linked/secret.png",
  "pipe.png",
  "folder.png",
  "folder.png/",
  "secret%00.png",
  "secret.png%00.jpg",
  ".",
  "..",
  "?x",
  "inside.png/../../secret.png",
  "~/secret.png",
  "x".repeat(5000),
];

/** Some of the paths are the same without white space. */
const named = hostile.length - 2;
/** The number says how many warnings there are at least. A push names frames once. */
const forms: [string, (path: string) => string, number?][] = [
  ["an image", (path) => `<img src="${path}">`],
  ["a srcset", (path) => `<img srcset="${path.trim().replaceAll(/\s/g, "%20")} 2x">`],
  ["a background", (path) => `<table background="${path}"></table>`],
  ["an SVG image", (path) => `<svg><image href="${path}"/><use xlink:href="${path}#x"/></svg>`],
  ["a style sheet", (path) => `<link rel="stylesheet" href="${path}">`],
  ["an import", (path) => `<style>@import "${path.replaceAll("\\", "\\\\")}";</style>`],
  ["a style", (path) => `<style>p { background: url("${path.replaceAll("\\", "\\\\")}") }</style>`],
  ["a font", (path) => `<style>@font-face { font-family: F; src: url("${path.replaceAll("\\", "\\\\")}") }</style>`],
  ["a style attribute", (path) => `<p style="background: url('${path.replaceAll("\\", "\\\\")}')"></p>`],
  ["a frame", (path) => `<iframe src="${path}"></iframe><object data="${path}"></object><embed src="${path}">`, 3],
];

it.each(forms)(
  "init --html reads no file outside the folder of the page for %s, and names each",
  async (_what, form, least = named) => {
    const secret = `\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01${sentinel}`;
    const { contents, assets, leftOut, read } = await imported(
      { "page.html": hostile.map(form).join("\n"), "inside.png": red, "folder.png/x": sentinel },
      (folder) => {
        writeFileSync(join(folder, "../secret.png"), secret, "latin1");
        symlinkSync("../secret.png", join(folder, "link.png"));
        symlinkSync("..", join(folder, "linked"));
        execFileSync("mkfifo", [join(folder, "pipe.png")]);
      },
    );

    expect(contents).not.toContain(sentinel);
    expect(contents).not.toContain("root:");
    expect(assets).toEqual([]);
    expect(leftOut.length).toBeGreaterThanOrEqual(least);
    expect(read.status).toBe("ok");
  },
);

it("init --html follows a symbolic link that stays inside the folder of the page", async () => {
  const { assets } = await imported({ "page.html": '<img src="link.png">', "a/logo.png": red }, (folder) =>
    symlinkSync("a/logo.png", join(folder, "link.png")),
  );

  expect(assets).toEqual(["link.png"]);
});

it("init --html leaves out scripts and remote files, and names them, forms and frames with their lines", async () => {
  const { page, css, leftOut, read } = await imported({
    "page.html": `<link rel="icon" href="favicon.ico">
<link href="https://fonts.example/css?family=Roboto" rel="stylesheet">
<style media="screen">b { color: red }</style>
<style type="text/less">b { color: red }</style>
<style>@font-face { font-family: Far; src: url(https://fonts.example/far.woff2) }
p { background: #eee url(//cdn.example/a.png) no-repeat; cursor: url("x.cur"), auto }</style>
<script src="https://cdn.example/jquery.js"></script>
<base href="https://cdn.example/">
<p>One</p><script>document.write("<p>Two</p>");</script>
<form action="/send"><input name="a"></form>
<iframe src="https://example.com"></iframe>`,
  });

  expect(page).toBe(
    '<p>One</p>\n<form action="/send"><input name="a"></form>\n<iframe src="https://example.com"></iframe>',
  );
  expect(css).toBe("p { background: #eee none no-repeat; cursor: none, auto }");
  const lines = leftOut.map((line) => /^[\w./]+:\d+: `[^ `>]+/.exec(line)?.[0]);
  expect(lines).toEqual(
    expect.arrayContaining([
      "page.html:1: `<link",
      "page.html:3: `<style",
      "page.html:4: `<style",
      "page.html:7: `<script",
    ]),
  );
  expect(leftOut.join("\n")).toMatch(/page\.html:2: .*fonts\.example\/css/);
  expect(leftOut.join("\n")).toMatch(
    /page\.html:5: .*far\.woff2[^]*page\.html:6: .*cdn\.example\/a\.png[^]*page\.html:6: .*x\.cur/,
  );
  expect(leftOut.join("\n")).toMatch(/page\.html:8: `<base[^]*page\.html:9: `<script>`/);
  expect(leftOut.join("\n")).toMatch(/pages\/1\.liquid:2: `<form>`[^]*pages\/1\.liquid:3: `<iframe>`/);
  expect(read.status).toBe("ok");
});

const latin = (text: string) => Buffer.from(text, "latin1");
it.each<[string, string | Uint8Array]>([
  ["UTF-8", "<p>Größe – 5 €</p>"],
  ["UTF-8 with a byte order mark", "\ufeff<p>Größe – 5 €</p>"],
  ["UTF-16", Buffer.from("\ufeff<p>Größe – 5 €</p>", "utf16le")],
  ["windows-1252", latin('<meta charset="windows-1252"><p>Gr\xf6\xdfe \x96 5 \x80</p>')],
  [
    "ISO 8859-1 by http-equiv",
    latin("<meta http-equiv=Content-Type content='text/html; charset=ISO-8859-1'><p>Gr\xf6\xdfe \x96 5 \x80</p>"),
  ],
  ["no declared encoding", latin("<p>Gr\xf6\xdfe \x96 5 \x80</p>")],
  ["control characters", "<p>Größe\0 – 5\x1b €</p>"],
])("init --html decodes a page in %s", async (_what, page) => {
  expect((await imported({ "page.html": page })).page).toBe("<p>Größe – 5 €</p>");
});

it.each([
  [
    "a page that is not in its encoding",
    latin('<meta charset="utf-8"><p>\xf6</p>'),
    "does not match its declared encoding",
  ],
  ["a page in an unknown encoding", '<meta charset="klingon"><p>', "does not match its declared encoding"],
  ["a page of 2.1 MB of markup", "<p>0123456789</p>".repeat(130_000), "2,000,000 are allowed"],
])("init --html refuses %s and creates nothing", async (_what, page, message) => {
  const folder = await newFolder({ "page.html": page });

  const { code, err } = await runTemplate("init", join(folder, "new"), "--html", join(folder, "page.html"));

  expect(err).toContain(message);
  expect(code).toBe(1);
  expect(readdirSync(folder)).toEqual(["page.html"]);
});

it("init --html turns long data: URIs into assets, so a page of 5 MB becomes small", async () => {
  const photo = Buffer.concat([red, Buffer.alloc(1_800_000)]).toString("base64");
  const font = woff2.toString("base64");
  const { page, css, assets, leftOut, read } = await imported({
    "page.html": `<style>@font-face { font-family: F; src: url(data:font/woff2;base64,${font}) } p { font-family: F }</style>
<img alt="a" src="data:image/png;base64,${photo}"><p style="background: url(data:image/png;base64,${photo})">1</p>
<img alt="b" src="data:image/gif;base64,${Buffer.from(gif(1, 1)).toString("base64")}">`,
  });

  expect(assets).toEqual(["font.woff2", "image.png"]);
  expect(css).toContain('src: url("font.woff2")');
  expect(page).toContain(
    `<img alt="a" src="{{ 'image.png' | asset }}"><p style="background: url({{ 'image.png' | asset }})">`,
  );
  expect(page).toContain('<img alt="b" src="data:image/gif;base64,');
  expect(leftOut).toEqual([]);
  expect(read.status).toBe("ok");
});

it("init --html leaves out assets that would make the template too large", async () => {
  const images = Object.fromEntries(
    [1, 2, 3].map((n) => [`${n}.png`, Buffer.concat([png(n, n), Buffer.alloc(6_000_000)])]),
  );
  const { assets, leftOut, read } = await imported({
    ...images,
    "small.png": red,
    "page.html": '<img src="1.png"><img src="2.png"><img src="3.png"><img src="1.png"><img src="small.png">',
  });

  expect(assets).toEqual(["1.png", "2.png", "small.png"]);
  expect(leftOut).toEqual([
    "page.html:1: `3.png` cannot be used (the assets are more than a template can contain), and was left out",
  ]);
  expect(read.status).toBe("ok");
});

it("init --html begins the styles with the defaults of browsers, in a layer that every style of the page overrides", async () => {
  const { DIR } = await imported({ "page.html": "<style>* { margin: 0 }</style><p>1</p>" });

  expect(readFileSync(join(DIR, "style.css"), "utf8")).toMatch(
    /^\/\*.*\*\/\n@layer browser \{\n {2}:root \{ font: 16px serif \}\n {2}body \{ margin: 8px \}\n\}\n\n\* \{ margin: 0 \}\n$/,
  );
});

it("init --html keeps Liquid in attributes and styles of the page, and the page without a head or a title", async () => {
  const { manifest, page, css } = await imported({
    "page.html": '<style>p { color: {{ color }} }</style><img src="{{ logo }}" alt="x"><title>{{ number }}</title>',
  });

  expect(page).toBe('<style>p { color: {{ color }} }</style><img src="{{ logo }}" alt="x"><title>{{ number }}</title>');
  expect(manifest).toEqual({ title: "Template", pageSize: "A4", fields: [] });
  expect(css).toBe("");
});

it.each([
  ["Twig or Jinja", '{% extends "base" %}{% set a = 1 %}<p>{{ name|upper }}</p>'],
  ["Handlebars", "{{#each items}}<p>{{{this}}}</p>{{/each}}{{#if a}}{{/if}}"],
  ["Blade", "@foreach($items as $item) <p>{!! $item !!}</p> @endforeach @extends('base')"],
  ["PHP", "<p><?= $name ?></p>"],
])("init --html says that a page is written for %s", async (engine, page) => {
  const { leftOut } = await imported({ "page.html": page });

  expect(leftOut[0]).toMatch(new RegExp(`^page.html:1: the page is written for ${engine}.*docs/coming-from.md`));
  expect(leftOut.length).toBeGreaterThan(1);
});

it.each([
  "<p>50 % of {a} and [1], ada@example.com, @home, $5, #12</p>",
  "{% for a in b %}<p>{{ a | upcase }}</p>{% endfor %}",
])("init --html takes %j for a page of no other engine", async (page) => {
  expect((await imported({ "page.html": page })).leftOut.join()).not.toContain("is written for");
});

it("init --html names a file that cannot be used once", async () => {
  const { leftOut } = await imported({ "page.html": '<img src="a.png">\n<img src="b.png">\n<img src="a.png">' });

  expect(leftOut.map((line) => line.slice(0, 20))).toEqual(["page.html:1: `a.png`", "page.html:2: `b.png`"]);
});

it("init --html decodes style sheets, and leaves out those that are not in their encoding", async () => {
  const { css, leftOut } = await imported({
    "page.html": '<link rel="stylesheet" href="a.css"><link rel="stylesheet" href="b.css"><p>1</p>',
    "a.css": latin('@charset "iso-8859-1";\np::before { content: "\xfc" }'),
    "b.css": latin('@charset "utf-8";\np { content: "\xfc" }'),
  });

  expect(css).toBe('p::before { content: "ü" }');
  expect(leftOut).toEqual([expect.stringContaining("`b.css` was left out: it does not match its declared encoding")]);
});

it("init --html takes an old XHTML page with its styles in a comment", async () => {
  const { manifest, page, css, leftOut, read } = await imported({
    "page.html": `<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd">
<html xmlns="http://www.w3.org/1999/xhtml" xml:lang="de" lang="de">
<head><title>Brief</title><style type="text/css"><!--
@page { size: A4; margin: 2cm }
p { color: red }
--></style></head>
<body><p>Hallo<br /></p></body>
</html>`,
  });

  expect(manifest).toMatchObject({ title: "Brief", locale: "de", pageSize: "A4" });
  expect({ page, css, leftOut }).toEqual({
    page: "<p>Hallo<br /></p>",
    css: "@page { size: A4; margin: 2cm }\np { color: red }",
    leftOut: [],
  });
  expect(read).toMatchObject({ status: "ok", warnings: [] });
});

it("init --html survives styles and markup that are broken or nested deeply", async () => {
  const css = [
    "a { b: c",
    "}}}",
    '@import "x',
    "@font-face { src: ",
    "{".repeat(5000),
    "@media print {".repeat(150),
    "\\",
  ];
  const { leftOut } = await imported({
    "page.html": `${css.map((text) => `<style>${text}</style>`).join("\n")}${"<div>".repeat(3000)}<img src=a.png src=b.png <p></a><style>p { }`,
  });

  expect(leftOut.length).toBeGreaterThan(0);
});

it("init --html prints the omitted parts and the next command, and writes only into an empty folder", async () => {
  const folder = await newFolder({ "page.html": '<p>1</p><img src="../x.png">' });
  const run = () => runTemplate("init", join(folder, "new"), "--html", join(folder, "page.html"));

  const first = await run();
  const second = await run();

  expect(first.code).toBe(0);
  expect(first.err).toBe(
    "warning: page.html:1: `../x.png` cannot be used (it is outside the page's folder), and was left out",
  );
  expect(first.out).toContain(`next=render ${join(folder, "new")} -o new.pdf`);
  expect(second).toMatchObject({ code: 1, err: expect.stringContaining("already exists") });
});

it.each(["nothing.html", "folder", "pipe", "link.html"])(
  "init --html refuses %s, which is not a file",
  async (name) => {
    const folder = await newFolder({ "folder/x": "" });
    execFileSync("mkfifo", [join(folder, "pipe")]);
    symlinkSync("page.html", join(folder, "link.html"));

    const { code, err } = await runTemplate("init", join(folder, "new"), "--html", join(folder, name));

    expect(code).toBe(1);
    expect(err).not.toContain("template folder");
    expect(readdirSync(folder)).not.toContain("new");
  },
);

it("init --html takes its fields and its sample from --data", async () => {
  const folder = await newFolder({
    "page.html": "<title>Bill</title><p>{{ number }}</p>",
    "data.json": '{ "number": "A1", "customer.name": "Ada", "a b": 1 }',
  });
  const files = { html: join(folder, "page.html"), data: join(folder, "data.json") };

  const { warnings } = (await init.runOnFiles({ DIR: join(folder, "new"), ...files })) as { warnings: Warning[] };

  const field = { key: "number", label: "Number", type: "string", example: "A1" };
  const json = (file: string) => JSON.parse(readFileSync(join(folder, "new", file), "utf8")) as unknown;
  expect(json("template.json")).toEqual({ title: "Bill", pageSize: "A4", fields: [field] });
  expect(json("sample.json")).toEqual({ number: "A1" });
  expect(readFileSync(join(folder, "new/pages/1.liquid"), "utf8")).toBe("<p>{{ number }}</p>\n");
  expect(warnings.map(({ message }) => message)).toEqual([
    "`customer.name` is not a valid key of a field, and was left out; write `customer_name` in the data and the page",
    "`a b` is not a valid key of a field, and was left out",
  ]);
  expect(await readTemplateFolder(join(folder, "new"))).toMatchObject({ status: "ok", warnings: [] });
  await expect(init.runOnFiles({ DIR: join(folder, "b"), from: "invoice", ...files })).rejects.toThrow(
    "--from without",
  );
});

it("init --html names style sheets beside a page without styles, but not those that the page names", async () => {
  const styled = { "b.css": "b { color: red }", "A.CSS": "a { color: red }", "x.scss": "", "folder/c.css": "" };

  const { leftOut } = await imported({ "page.html": "<p>1</p>", ...styled });
  const linked = await imported({ "page.html": '<link rel="stylesheet" href="b.css"><p>1</p>', ...styled });
  const named = await imported({ "page.html": '<link rel="alternate stylesheet" href="b.css">', "b.css": "b {}" });

  expect(leftOut).toEqual([
    "page.html:1: `A.CSS` lies beside the page, but the page does not link it",
    "page.html:1: `b.css` lies beside the page, but the page does not link it",
  ]);
  expect(linked.leftOut).toEqual([]);
  expect(named.leftOut.join()).not.toContain("lies beside");
});

it("init --html names an image that it left out once, and check names it again", async () => {
  const { leftOut, read } = await imported({ "page.html": '<img src="https://cdn.example/x.png" alt="Logo">' });

  expect(leftOut).toHaveLength(1);
  expect(read).toMatchObject({ warnings: [{ message: expect.stringContaining('`<img alt="Logo">` shows nothing') }] });
});

it("init --html keeps images whose file code of a different engine names, so that check says what to write", async () => {
  const page = '<img src="{#asset logo.png @encoding=dataURI}">\n<img src="$company.logo">\n<img src="<?= $logo ?>">';

  const { leftOut, ...made } = await imported({ "page.html": page });

  expect(made.page).toBe(page);
  expect(leftOut.join()).not.toContain("left out");
  expect(leftOut.join()).toContain("write `{{ company.logo }}` for an image in the data");
});

it("init --html names the style sheet of an XML page, which it does not read", async () => {
  const page = '<?xml version="1.0"?>\n<?xml-stylesheet href="b.css"?>\n<div>1</div>';

  const { leftOut } = await imported({ "page.html": page, "b.css": "b { color: red }" });

  expect(leftOut.join()).toContain("`b.css` lies beside the page");
});
