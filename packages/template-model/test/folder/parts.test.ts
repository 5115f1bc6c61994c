import { expect, it } from "vitest";
import { gif, manifest, svg, validFiles, type Files } from "colophon-test-kit/template-files";
import { foldersLike } from "./folders.ts";

/** A template without fields, because most pages of these tests read none. */
const { contentOf, problemsOf } = foldersLike({
  ...validFiles,
  "template.json": manifest({ fields: [] }),
  "sample.json": "{}",
  "pages/1.liquid": "Hello",
});

const render = (...names: string[]) => names.map((name) => `{% render '${name}' %}`).join("");

it("the parts of a template are stored if a page, a header, a footer or another part uses them", () => {
  const content = contentOf({
    "pages/1.liquid": `${render("a")}{% render 'a' %}`,
    "header.liquid": render("c"),
    "footer.liquid": "{% layout 'd' %}",
    "parts/a.liquid": render("b"),
    "parts/b.liquid": "B",
    "parts/c.liquid": "C",
    "parts/d.liquid": "D",
    "parts/unused.liquid": "U",
  });

  expect(content.parts).toEqual([
    { file: "parts/a.liquid", source: render("b") },
    { file: "parts/b.liquid", source: "B" },
    { file: "parts/c.liquid", source: "C" },
    { file: "parts/d.liquid", source: "D" },
  ]);
});

it("the content of a template without parts does not mention parts", () => {
  expect(contentOf()).not.toHaveProperty("parts");
});

it.each([
  ["\n{{ x | nope }}", /^parts\/a\.liquid:2: there is no filter `nope`$/],
  ["\n{{ 1 | divided_by: 0 }}", /^parts\/a\.liquid:2: /],
  ["\n{{ 'x.png' | asset }}", /^parts\/a\.liquid:2: there is no file assets\/x\.png$/],
  [new Uint8Array([0x0a, 0xff]), /^parts\/a\.liquid:2: the line is not valid UTF-8/],
  [`\n\n${render("b")}`, /^parts\/a\.liquid:3: there is no part `b`; did you mean `a`\?$/],
])("a problem in a part is reported with the part's file and line (%j)", (source, problem) => {
  expect(problemsOf({ "pages/1.liquid": render("a"), "parts/a.liquid": source })).toEqual([
    expect.stringMatching(problem),
  ]);
});

it("a missing part is reported with a similar name, or with the file to create", () => {
  expect(problemsOf({ "pages/1.liquid": render("address") })).toEqual([
    "pages/1.liquid:1: there is no part `address`; add parts/address.liquid",
  ]);
  expect(problemsOf({ "pages/1.liquid": render("adress"), "parts/address.liquid": "" })).toEqual([
    "pages/1.liquid:1: there is no part `adress`; did you mean `address`?",
  ]);
});

it.each(["row.html", "zeile ü.liquid", "a b.liquid", ".liquid.liquid"])("a part cannot be called %j", (name) => {
  expect(problemsOf({ [`parts/${name}`]: "" })).toEqual([
    `parts/${name}:1: the name of a part must consist of letters without accents, digits, \`_\` and \`-\`, and end in .liquid`,
  ]);
});

it("the parts of a template must not form a cycle", () => {
  const parts = {
    "parts/a.liquid": `\n${render("b")}`,
    "parts/b.liquid": "{% layout 'c' %}",
    "parts/c.liquid": render("a"),
  };

  expect(problemsOf({ "pages/1.liquid": render("a"), ...parts })).toEqual([
    "parts/c.liquid:1: parts and layouts must not be circular: parts/a.liquid → parts/b.liquid → parts/c.liquid → parts/a.liquid",
  ]);
  expect(problemsOf({ "pages/1.liquid": render("a"), "parts/a.liquid": render("a") })).toEqual([
    "parts/a.liquid:1: parts and layouts must not be circular: parts/a.liquid → parts/a.liquid",
  ]);
});

it("the parts of a template can be nested up to twenty levels deep", () => {
  const parts = (count: number): Files =>
    Object.fromEntries(
      Array.from({ length: count }, (_, i) => [`parts/p${i}.liquid`, i + 1 < count ? render(`p${i + 1}`) : "x"]),
    );

  expect(problemsOf({ "pages/1.liquid": render("p0"), ...parts(19) })).toEqual([]);
  expect(problemsOf({ "pages/1.liquid": `\n${render("p5", "p0")}`, ...parts(20) })).toEqual([
    "pages/1.liquid:2: parts and layouts are nested more than 20 levels deep",
  ]);
});

it("a cycle of 2,000 parts is refused", () => {
  const parts = Object.fromEntries(
    Array.from({ length: 2_000 }, (_, i) => [`parts/p${i}.liquid`, render(`p${(i + 1) % 2_000}`)]),
  );

  expect(problemsOf({ "pages/1.liquid": render("p0"), ...parts })).toEqual([
    "pages/1.liquid:1: parts and layouts are nested more than 20 levels deep",
  ]);
});

it("only the first hundred missing parts get suggestions", () => {
  const missing = Array.from({ length: 150 }, (_, i) => `prat${i}`);

  const problems = problemsOf({ "pages/1.liquid": render("part0", ...missing), "parts/part0.liquid": "x" });

  expect(problems).toHaveLength(100);
  expect(problems[0]).toBe("pages/1.liquid:1: there is no part `prat0`; did you mean `part0`?");
});

it("the parts of a template count towards the limits on texts, outputs and tags", () => {
  const half = "{{ a }} ".repeat(5_001);

  expect(problemsOf({ "pages/1.liquid": render("a", "b"), "parts/a.liquid": half, "parts/b.liquid": half })).toEqual([
    expect.stringMatching(/20,000 texts, outputs and tags/),
  ]);
});

it("the parts of a template have the same content whatever the order of the files", () => {
  const changes = { "pages/1.liquid": render("b", "a"), "parts/a.liquid": "A", "parts/b.liquid": "B" };

  const first = contentOf(changes);
  const second = contentOf(Object.fromEntries(Object.entries(changes).toReversed()));

  expect(JSON.stringify(second)).toBe(JSON.stringify(first));
});

const letter = { "parts/letter.liquid": "{% block title %}{% endblock %}{% block body %}{% endblock %}" };

it.each([
  ["\n{% block titel %}{% endblock %}", "2: the layout `letter` has no block `titel`; did you mean `title`?"],
  ["\n{% block address %}{% endblock %}", "2: the layout `letter` has no block `address`; it has `title`, `body`"],
  ["\n\n<p>Hello</p>", /^pages\/1\.liquid:3: the layout `letter` has no unnamed block, so this would not be printed/],
  ["\n{% assign a = 1 %}\n{{ a }}", /3: the layout `letter` has no unnamed block/],
])("text and blocks of a page are refused if its layout does not print them (%j)", (page, problem) => {
  const [first] = problemsOf({ ...letter, "pages/1.liquid": `{% layout 'letter' %}${page}` });

  expect(first).toMatch(problem);
});

it("a page may have code that prints nothing outside the blocks of its layout", () => {
  const page = "{% layout 'letter' %}\n{% assign a = 1 %}{% block body %}{{ a }}{% endblock %}";

  expect(problemsOf({ ...letter, "pages/1.liquid": page })).toEqual([]);
});

it("a page may fill blocks of any of its nested layouts, but text outside the blocks must be printed by the nearest layout", () => {
  const layouts = {
    "parts/inner.liquid": "{% layout 'outer' %}{% block main %}{% block body %}{% endblock %}{% endblock %}",
    "parts/outer.liquid": "{% block main %}{% endblock %}{% block foot %}{% endblock %}{% block %}{% endblock %}",
  };
  const filled = "{% layout 'inner' %}{% block body %}b{% endblock %}{% block foot %}f{% endblock %}";

  expect(problemsOf({ "pages/1.liquid": filled, ...layouts })).toEqual([]);
  expect(problemsOf({ "pages/1.liquid": `${filled}\nx`, ...layouts })).toEqual([
    "pages/1.liquid:2: the layout `inner` has no unnamed block, so this would not be printed; put it into a block",
  ]);
});

it("the blocks of a part must exist in the part's layout", () => {
  const parts = {
    "parts/box.liquid": "{% layout 'frame' %}\n{% block bdy %}x{% endblock %}",
    "parts/frame.liquid": "{% block body %}{% endblock %}",
  };

  expect(problemsOf({ "pages/1.liquid": render("box"), ...parts })).toEqual([
    "parts/box.liquid:2: the layout `frame` has no block `bdy`; did you mean `body`?",
  ]);
});

it("`block.super` is refused outside a block", () => {
  expect(problemsOf({ "pages/1.liquid": "\n{% if a %}{{ block.super }}{% endif %}" })).toEqual([
    "pages/1.liquid:2: `block.super` must be inside a block",
  ]);
});

const styles = (...names: string[]) => ({ "template.json": manifest({ styles: names, fields: [] }) });

it("the shared folder provides parts; a template stores only the parts that it uses", () => {
  const content = contentOf({
    "pages/1.liquid": render("a"),
    "shared/parts/a.liquid": render("b"),
    "shared/parts/b.liquid": "B",
    "shared/parts/broken.liquid": "{% nope",
  });

  expect(content.parts).toEqual([
    { file: "shared/parts/a.liquid", source: render("b") },
    { file: "shared/parts/b.liquid", source: "B" },
  ]);
});

it("the template's own parts and assets take precedence over files in the shared folder", () => {
  const content = contentOf({
    "pages/1.liquid": `${render("a")}{{ 'logo.svg' | asset }}{{ "mark.svg" | asset }}`,
    "shared/parts/a.liquid": render("b"),
    "shared/parts/b.liquid": "shared",
    "parts/b.liquid": "own",
    "shared/assets/logo.svg": svg,
    "shared/assets/mark.svg": svg,
    "shared/assets/other.svg": svg,
    "assets/logo.svg": svg.replace("1", "2"),
    "assets/a.gif": gif,
  });

  expect(content.parts?.map(({ file }) => file)).toEqual(["parts/b.liquid", "shared/parts/a.liquid"]);
  expect(Object.keys(content.assets)).toEqual(["a.gif", "logo.svg", "mark.svg"]);
  expect(atob(content.assets["logo.svg"]?.base64 ?? "")).toBe(svg.replace("1", "2"));
});

it("the shared folder provides style sheets for templates that name them, before their own styles", () => {
  const content = contentOf({
    ...styles("base.css", "table.css"),
    "style.css": "p { background: url(own.svg) }",
    "shared/styles/base.css": "a { background: url(mark.svg) }",
    "shared/styles/table.css": "td { color: red }",
    "shared/styles/unused.css": "b { color: ",
    "shared/assets/mark.svg": svg,
    "assets/own.svg": svg,
  });

  expect(content.css).toBe("a { background: url(mark.svg) }\ntd { color: red }\np { background: url(own.svg) }");
  expect(content.styleAssets.map(({ start, end, name }) => [content.css.slice(start, end), name])).toEqual([
    ["url(mark.svg)", "mark.svg"],
    ["url(own.svg)", "own.svg"],
  ]);
  expect(Object.keys(content.assets)).toEqual(["mark.svg", "own.svg"]);
});

it("the shared folder does not change the content of a template that does not use it", () => {
  const shared = { "shared/parts/a.liquid": "{% nope", "shared/assets/a.svg": "?", "shared/styles/a.css": "{" };
  const unread = [{ file: "shared/parts/link.liquid", line: 1, reason: "this is a symbolic link" }];

  expect(JSON.stringify(contentOf(shared, unread))).toBe(JSON.stringify(contentOf()));
});

it("problems in the shared folder are reported with the names of its files", () => {
  const use = { "pages/1.liquid": `${render("a")}{{ 'a.svg' | asset }}`, ...styles("a.css") };
  const shared = { "shared/parts/a.liquid": "A", "shared/assets/a.svg": svg, "shared/styles/a.css": "a{}" };

  expect(problemsOf({ ...use, ...shared })).toEqual([]);
  const firstOf = (change: Files) => problemsOf({ ...use, ...shared, ...change })[0];
  expect(firstOf({ "shared/parts/a.liquid": "\n{{ a | nope }}" })).toMatch(/^shared\/parts\/a\.liquid:2: there is no/);
  expect(firstOf({ "shared/assets/a.svg": "" })).toBe("shared/assets/a.svg:1: the file is empty");
  expect(firstOf({ "shared/styles/a.css": "a{}\n@import 'x'" })).toMatch(/^shared\/styles\/a\.css:2: `@import`/);
  expect(firstOf({ "shared/styles/a.css": null, "shared/styles/b.css": "" })).toBe(
    'template.json:6: styles.0: there is no file shared/styles/a.css; did you mean "b.css"?',
  );
  expect(firstOf(styles("../a.css"))).toMatch(/^template\.json:\d+: styles\.0: must be the name of a file in shared/);
});

it("a shared folder that cannot be read is reported only for a template that needs one of its files", () => {
  const unread = [{ file: "shared", line: 1, reason: "this is a symbolic link" }];

  expect(problemsOf({ "pages/1.liquid": render("a") }, unread)).toEqual([
    "pages/1.liquid:1: there is no part `a`; add parts/a.liquid",
    "shared:1: this is a symbolic link",
  ]);
  expect(problemsOf({ "pages/1.liquid": render("a"), "parts/a.liquid": "" }, unread)).toEqual([]);
  expect(problemsOf({ "pages/1.liquid": "{% nope %}" }, unread)).toEqual(["pages/1.liquid:1: there is no tag `nope`"]);
  expect(
    problemsOf({ "pages/1.liquid": render("a"), "shared/parts/a.liquid": "", "shared/parts/A.liquid": "" }),
  ).toEqual([expect.stringMatching(/^shared\/parts\/A\.liquid:1: some systems do not distinguish/)]);
});
