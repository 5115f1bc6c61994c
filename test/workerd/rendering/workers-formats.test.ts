import { expect, it } from "vitest";
import { canonicalLocale, formattingLocale } from "colophon-liquid/locale";
import { hasWorkersFormats } from "../../../packages/liquid/src/locale/locale-tag.ts";
import { problemOf, textOf } from "../../../packages/liquid/test/engine.ts";

const letters = [..."abcdefghijklmnopqrstuvwxyz"];
const two = letters.flatMap((first) => letters.map((second) => first + second));
const three = two.flatMap((start) => letters.map((last) => start + last));
const scripts = ["Latn", "Cyrl", "Arab", "Deva", "Guru", "Hans", "Hant"];
const inScripts = [...two, "gom", "kok"].flatMap((language) => scripts.map((script) => `${language}-${script}`));

it("the runtime has formats for exactly the languages that a push expects", () => {
  const known = [...two, ...three, ...inScripts].map(canonicalLocale).filter((tag) => tag !== null);

  const wrong = known.filter((tag) => hasWorkersFormats(tag) !== (formattingLocale(tag) === tag));

  expect(known.length).toBeGreaterThan(20_000);
  expect(wrong).toEqual([]);
});

it.each(["kk", "sd", "az", "bs", "pa", "uz", "is", "ga"])(
  "%s has no number and date formats, so American formats are used",
  (tag) => {
    const month = new Intl.DateTimeFormat(formattingLocale(tag), { month: "long", timeZone: "UTC" }).format(0);

    expect(month).toBe("January");
  },
);

it.each(["chinese", "dangi"])("a date too far away for the calendar %s is a problem of the template", (calendar) => {
  const problem = problemOf("{{ 8640000000000 | date: 'full' }}", {}, { scope: { locale: `en-u-ca-${calendar}` } });

  expect(problem.reason).toBe(`the date is too far away for the calendar of en-u-ca-${calendar}`);
});

it("the runtime changes case by the rules of Turkish, Azerbaijani, Lithuanian and Greek", () => {
  const upper = ["tr", "az", "lt", "el"].map((language) => textOf("{{ 'iá' | upcase }}", {}, { scope: { language } }));
  const greek = textOf("{{ 'άδεια' | upcase }}", {}, { scope: { language: "el" } });

  expect(upper).toEqual(["İÁ", "İÁ", "IÁ", "IÁ"]);
  expect(greek).toBe("ΑΔΕΙΑ");
});

it.each([
  ["sv", "Adler Zorn Åse Öberg"],
  ["de", "Adler Åse Öberg Zorn"],
])("the runtime sorts names in the alphabet of %s", (locale, expected) => {
  const names = { n: ["Öberg", "Zorn", "Adler", "Åse"] };

  expect(textOf("{{ n | sort_natural | join }}", names, { scope: { locale } })).toBe(expected);
});
