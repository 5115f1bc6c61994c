// The message about a name that is neither a field nor a variable.
import { quoted } from "../../styles/support/style-message.ts";
import { similarName } from "../../../similar-name.ts";
import type { FileCheck } from "./file-check.ts";

export function unknownName(check: FileCheck, name: string): string {
  const elsewhere = existsElsewhere(check, name);
  if (elsewhere !== null) return `${quoted(name)} ${elsewhere}`;
  if (check.part?.isField(name)) return passField(name, check.part.name);
  const other = otherLanguage(check, name);
  if (other !== null) return `${quoted(name)}${other}`;
  const meant = ownerOf(check, name) ?? similarName(name, check.scope.names());
  if (meant !== null) return `${quoted(name)}: did you mean ${quoted(meant)}?`;
  if (check.part) return `${quoted(name)} is neither passed to the part ${quoted(check.part.name)} nor a variable of it`;
  const hasFields = [...check.scope.given.values()].some(({ fields }) => fields.length > 0);
  const problem = `${quoted(name)} is neither a field in template.json nor a variable`;
  return hasFields ? problem : `${problem}; template.json declares no fields`;
}

/** Says what to write instead of a name that other template languages have. */
function otherLanguage({ scope }: FileCheck, name: string): string | null {
  const literal = literals.get(name);
  if (literal !== undefined) return `: did you mean ${quoted(literal)}?`;
  if (name === "loop" && scope.loopVariables().length > 0) return ": did you mean `forloop`?";
  if (name === "data") return " is not a variable; write the names of the fields without it";
  const minuend = /^(\w+)-/.exec(name)?.[1];
  if (minuend === undefined || scope.typeOf(minuend) === null) return null;
  return " is one name, because it contains a hyphen; to subtract, use the filter `minus`";
}

const literals = new Map([
  ["True", "true"],
  ["TRUE", "true"],
  ["False", "false"],
  ["FALSE", "false"],
  ["None", "nil"],
  ["undefined", "nil"],
]);

function passField(name: string, part: string): string {
  const example = quoted(`{% render "${part}", ${name}: ${name} %}`);
  return `${quoted(name)} is a field, but a part reads only what is passed to it, as in ${example}`;
}

/** Says where the name exists, if it exists somewhere else; otherwise returns null. */
function existsElsewhere({ names, otherFileSetting }: FileCheck, name: string): string | null {
  if (name === "forloop") return "exists only inside `for`";
  if (name === "tablerowloop") return "exists only inside `tablerow`";
  const loop = names.loops.get(name);
  if (loop !== undefined) return `exists only inside the loop in line ${loop}`;
  const line = names.variables.get(name);
  if (line !== undefined) return `is assigned only later, in line ${line}`;
  const file = otherFileSetting(name);
  if (file !== null) return `is assigned in ${file}, but each file has its own variables`;
  return name === "page" ? "exists only in headers and footers" : null;
}

/** Returns the path of the property that has this name in an item of a loop around this place, or in a field. */
function ownerOf({ scope }: FileCheck, name: string): string | null {
  const loop = scope.loopVariables().find(({ item }) => item.kind === "object" && item.properties.has(name));
  if (loop) return `${loop.variable}.${name}`;
  const owners = [...scope.given].filter(([, { type, fields }]) => {
    return fields.length > 0 && type.kind === "object" && type.properties.has(name);
  });
  const [owner] = owners;
  return owner && owners.length === 1 ? `${owner[0]}.${name}` : null;
}
