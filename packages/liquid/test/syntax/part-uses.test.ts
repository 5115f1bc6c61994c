import { expect, it } from "vitest";
import { filesUsedBy, partUses } from "../../src/syntax/parts.ts";
import { parsed } from "../engine.ts";

const path = (root: string, line: number) => ({ kind: "path", root, steps: [], line });

it("the list of used parts has their arguments and lines, also from inside other tags", () => {
  const page = parsed(
    "pages/1.liquid",
    "{% layout 'letter', a: 1 %}\n{% block body %}{% for x in y %}\n{% render 'row' for x as item, size: s %}{% endfor %}{% endblock %}",
  );

  expect(partUses(page)).toEqual([
    { tag: "layout", part: "letter", binding: null, named: [["a", { kind: "literal", value: 1 }]], line: 1 },
    {
      tag: "render",
      part: "row",
      binding: { kind: "for", value: path("x", 3), alias: "item" },
      named: [["size", path("s", 3)]],
      line: 3,
    },
  ]);
});

it("the list of used parts includes indirectly used parts once, even if they use each other", () => {
  const sources = { a: "{% render 'b' %}{% render 'missing' %}", b: "{% render 'a' %}", unused: "" };
  const parts = new Map(Object.entries(sources).map(([name, text]) => [name, parsed(name, text)]));

  const files = filesUsedBy(parsed("page", "{% render 'a' %}{% render 'a' %}"), parts);

  expect(files.map(({ file }) => file)).toEqual(["page", "a", "b"]);
});
