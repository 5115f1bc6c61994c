// What to write instead of what other languages have and Liquid does not. Authors often begin with such a mistake.

/** Returns what to write instead of a character that Liquid does not know, as the end of a message. */
export function characterRemedy(character: string): string {
  return ending(characterRemedies.get(character));
}

/** Returns what to write instead of a word or an operator that does not belong where it is, as the end of a message. */
export function wordRemedy(word: string): string {
  return ending(wordRemedies.get(word));
}

function ending(remedy: string | undefined): string {
  return remedy === undefined ? "" : `; ${remedy}`;
}

const straight = "write straight quotes";
const ends = "an output ends with `}}`, and a tag with `%}`";

const characterRemedies = new Map([
  ["+", "use the filter `plus`"],
  ["-", "use the filter `minus`"],
  ["*", "use the filter `times`"],
  ["/", "use the filter `divided_by`"],
  ["%", "use the filter `modulo`"],
  ["&", "write `and`"],
  ["!", "use `unless` or `!=`"],
  ["?", "write `{% if %}`, `{% else %}` and `{% endif %}`"],
  ["“", straight],
  ["”", straight],
  ["„", straight],
  ["‘", straight],
  ["’", straight],
  ["«", straight],
  ["»", straight],
  ["`", straight],
  ["}", ends],
  ["{", "an output begins with `{{`, and a tag with `{%`"],
  ["#", "a tag is written as `{% if %}`"],
  ["$", "names are written without it"],
  ["@", "names are written without it"],
]);

const wordRemedies = new Map([
  ["is", "write `==`"],
  ["equals", "write `==`"],
  ["eq", "write `==`"],
  ["in", 'write the list first, as in `tags contains "new"`'],
  ["&&", "write `and`"],
  ["..", "write a range in parentheses, as in `(1..3)`"],
  ["|", "use `assign` first"],
  ["limit", "write `limit: 3`"],
  ["offset", "write `offset: 3`"],
  ["cols", "write `cols: 3`"],
  ["reverse", "write `reversed`"],
  ["(", "use a filter instead of a function"],
]);

/** The tags of other template languages, with those of this one. */
export const otherTags: ReadonlyMap<string, string> = new Map([
  ["elseif", "elsif"],
  ["elif", "elsif"],
  ["set", "assign"],
  ["let", "assign"],
  ["foreach", "for"],
  ["each", "for"],
  ["switch", "case"],
  ["default", "else"],
  ["print", "echo"],
]);
