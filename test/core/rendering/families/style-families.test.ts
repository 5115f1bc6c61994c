import { describe, expect, it } from "vitest";
import { styleFamilies, withEdits } from "../../../../src/core/rendering/families/style-families.ts";
import { familyList } from "../../../../src/core/rendering/families/service-families.ts";
import { measured } from "../../../fixtures/cpu-time.ts";

const [sans, serif, mono, scripts] = [
  familyList("sans"),
  familyList("serif"),
  familyList("mono"),
  familyList("scripts"),
];
const own = (name: string) => `"colophon:${name}"`;

function mapped(css: string, kind: "rules" | "style" = "rules", withVariables = true): string {
  return withEdits(css, styleFamilies({ kind, css, withVariables }).edits).replaceAll(scale, "");
}

/** What is added to every `font-family`. */
const scale = /;--colophon-scale:[^;}!]+(?:!important)?/g;

/** Returns the mapped value of a property of a `style` attribute. */
function valueOf(property: string, value: string): string {
  const text = mapped(`${property}:${value}`, "style");
  return text.slice(property.length + 1);
}

describe("the value of `font-family`", () => {
  it.each([
    ["serif", serif],
    ["SERIF", serif],
    ["sans-serif", sans],
    ["monospace", mono],
    ["ui-monospace", mono],
    ["system-ui", sans],
    ["cursive", sans],
    ["math", sans],
    ["emoji", scripts],
    ["Arial", `${own("Arial")},${sans}`],
    ["'Times New Roman'", `${own("Times New Roman")},${serif}`],
    ["Times   New/**/Roman", `${own("Times New Roman")},${serif}`],
    ["\\41rial", `${own("Arial")},${sans}`],
    ["consolas, monospace", `${own("consolas")},${mono}`],
    ["'serif'", `${own("serif")},${serif}`],
    ["Noto Sans Arabic", `${own("Noto Sans Arabic")},${sans}`],
    ["Brand", `${own("Brand")},${sans}`],
    ["Brand, Georgia, serif", `${own("Brand")},${own("Georgia")},${serif}`],
    ["'a\"b\\\\c'", `"colophon:a\\22 b\\5c c",${sans}`],
    ["Brand !important", `${own("Brand")},${sans} !important`],
    ["initial", sans],
    ["inherit", "inherit"],
    ["revert", "revert-layer"],
    ["var(--f)", `var(--colophon-font-f),${sans}`],
    ["var( --f , Georgia ), serif", `var(--colophon-font-f,${own("Georgia")},"Colophon Serif"),${serif}`],
    ["attr(data-font)", "colophon-invalid()"],
    ["if(style(--a): Arial; else: Georgia)", "colophon-invalid()"],
    ["inherit, Arial", "colophon-invalid()"],
    ["Arial,", "colophon-invalid()"],
    ["12px Arial", "colophon-invalid()"],
  ])("%j becomes %j", (value, expected) => {
    expect(valueOf("font-family", value)).toBe(expected);
  });
});

describe("the value of `font`", () => {
  it.each([
    ["12px Arial", `12px ${own("Arial")},${sans}`],
    ["italic bold 12px / 1.5 Brand, serif", `italic bold 12px / 1.5 ${own("Brand")},${serif}`],
    ["oblique 10deg large Georgia", `oblique 10deg large ${own("Georgia")},${serif}`],
    ["700 calc(1px + 1em)/var(--l) Brand", `700 calc(1px + 1em)/var(--colophon-font-l) ${own("Brand")},${sans}`],
    ["var(--size) Times New Roman", `var(--colophon-font-size) ${own("Times New Roman")},${serif}`],
    ["12px var(--f)", `12px var(--colophon-font-f),${sans}`],
    ["var(--all)", `var(--colophon-font-all),${sans}`],
    ["bold var(--all), serif", `bold var(--colophon-font-all),${serif}`],
    ["inherit", "inherit"],
    ["initial", `medium ${sans}`],
    ["caption", `medium ${sans}`],
  ])("%j becomes %j", (value, expected) => {
    expect(valueOf("font", value).replaceAll("  ", " ")).toBe(expected);
  });
});

describe("a declaration is mapped", () => {
  it.each([
    ["in a rule", "a{color:red;FONT-family:serif}"],
    ["after a comment", "a{/* x */font-family/* : */:serif;}"],
    ["with an escaped name", "a{f\\6fnt-family:serif}"],
    ["in a nested rule", "a{b:hover{font-family:serif}}"],
    ["after a nested rule", "a{b{}font-family:serif}"],
    ["in conditions, layers and scopes", "@media print{@supports (a:b){@layer x{@scope (a){b{font-family:serif}}}}}"],
    ["of a page margin or a key frame", "@keyframes x{from{font-family:serif}}"],
    ["after a mistake", "a{b;c d;:::;font-family:serif}"],
    ["after a selector that looks like a declaration", "font:hover{font-family:serif}"],
    ["after brackets", "a{b:(;);c:[};];font-family:serif}"],
    ["in a block that is never closed", "a{font-family:serif"],
    ["after a custom property with a block", "a{--x:{font-family:Arial};font-family:serif}"],
    ["after a selector that looks like a custom property", "--x:hover{font-family:serif}"],
  ])("%s", (_, css) => {
    expect(mapped(css, "rules", false)).toContain(`:${serif}`);
  });

  it("everywhere except in strings and comments", () => {
    const css = "a{content:'font-family:serif';/* font-family:serif */}";

    expect(mapped(css)).toBe(css);
  });

  it("and says whether the value makes code smaller, which only `monospace` does", () => {
    const scales = ["monospace", "Consolas,monospace", "revert", "inherit"].map((value) => {
      return /scale:([^;}]+)/.exec(
        withEdits(
          `font-family:${value}`,
          styleFamilies({ kind: "style", css: `font-family:${value}`, withVariables: false }).edits,
        ),
      )?.[1];
    });

    expect(scales).toEqual(["initial", "1", "revert-layer", "1"]);
  });
});

describe("the browser's own fonts", () => {
  it("are not reached by `all`", () => {
    expect(mapped("a{all:initial}b{all:revert!important}c{all:unset}d{all:var(--x,initial)!important}")).toBe(
      `a{all:initial;font-family:${sans}}b{all:revert-layer!important}c{all:unset}d{all:var(--x,initial)!important;font-family:inherit!important}`,
    );
  });

  it("are not reached by `local()`", () => {
    expect(mapped("@font-face{src:local(Arial Bold),LOCAL('x') format('y'),url(a.woff)}")).toBe(
      `@font-face{src:local("colophon:none"),local("colophon:none") format('y'),url(a.woff)}`,
    );
  });
});

describe("the fonts of a template", () => {
  it("are declared by names that no machine has", () => {
    expect(mapped("@font-face{font-family:Arial}@font-face{font-family:'My Font'}@font-face{font-family:serif}")).toBe(
      '@font-face{font-family:"colophon:Arial"}@font-face{font-family:"colophon:My Font"}@font-face{font-family:serif}',
    );
  });

  it("keep their palettes and features", () => {
    expect(mapped("@font-palette-values --a{font-family:A,'B'}@font-feature-values A B,'C'{@styleset{x:1}}")).toBe(
      '@font-palette-values --a{font-family:"colophon:A","colophon:B"}@font-feature-values "colophon:A B","colophon:C"{@styleset{x:1}}',
    );
  });
});

describe("a custom property", () => {
  it.each([
    ["Georgia, serif", `${own("Georgia")},"Colophon Serif","Colophon Serif"`],
    ["16px/1.5 Brand", `16px/1.5  ${own("Brand")}`],
    ["var(--b)", "var(--colophon-font-b)"],
    ["12px", "12px"],
    ["bold", "bold"],
    ["large", "large"],
    ["", ""],
    ["inherit", "inherit"],
    ["url(a.png)", "colophon-invalid()"],
    ["{a:b}", "colophon-invalid()"],
    ["Georgia !important", `${own("Georgia")},"Colophon Serif"!important`],
  ])("whose value is %j gets a mapped value beside it", (value, expected) => {
    expect(mapped(`--a:${value}`, "style")).toBe(`--a:${value};--colophon-font-a:${expected}`);
  });

  it("is left alone where no font refers to a custom property", () => {
    expect(mapped("--a:Georgia", "style", false)).toBe("--a:Georgia");
  });

  it("may be registered", () => {
    expect(mapped("@property --f{syntax:'*';inherits:false;initial-value:Georgia}")).toBe(
      `@property --f{syntax:'*';inherits:false;initial-value:Georgia}@property --colophon-font-f{syntax:"*";inherits:false;initial-value:${own("Georgia")},"Colophon Serif"}`,
    );
  });

  it("has a name that needs escapes", () => {
    expect(mapped("--a\\:b:1px", "style")).toBe("--a\\:b:1px;--colophon-font-a\\3a b:1px");
  });
});

it.each([
  ["font families", `a{font-family:${"a,".repeat(40_000)}b}`],
  ["nested brackets", `a{font-family:${"var(--a,".repeat(20_000)}`],
  ["unclosed `local()`", `@font-face{src:${"local(".repeat(20_000)}`],
  ["comments", `a{font:${"/**/".repeat(40_000)}1px b}`],
  ["custom properties", `a{${"--a:b c;".repeat(20_000)}}`],
  ["blocks", `${"a{font:".repeat(20_000)}`],
])("takes time in proportion to the length of %s", (_, css) => {
  const { cpuMs } = measured(() => styleFamilies({ kind: "rules", css, withVariables: true }));

  expect(cpuMs).toBeLessThan(1_500);
});
