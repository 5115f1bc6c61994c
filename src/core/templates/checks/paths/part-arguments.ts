// What the parts of a template can read: the arguments that the files which use them pass, and the variables of files whose
// layout they are.
import { allNodes } from "../../../liquid/syntax/node-contents.ts";
import { partUses, type Parts } from "../../../liquid/syntax/parts/part-uses.ts";
import type { ParsedLiquid } from "../../../liquid/liquid.ts";
import { joined, unknown, type Properties, type Property, type ValueType } from "./value-type.ts";

/**
 * A file that a part is used by. `isMargin` is true if it is rendered in a header or footer. `given` is what the file can read
 * without setting it.
 */
export type PartUser = { file: ParsedLiquid; isMargin: boolean; given: Properties };

/** How a part is used: as a part or as a layout, with arguments of these types. */
export type UseOfPart = { tag: "render" | "layout"; part: string; line: number; values: ReadonlyMap<string, ValueType> };

export class PartArguments {
  readonly #uses = new Map<string, { user: PartUser; use: UseOfPart }[]>();

  record(user: PartUser, use: UseOfPart): void {
    const uses = this.#uses.get(use.part) ?? [];
    uses.push({ user, use });
    this.#uses.set(use.part, uses);
  }

  isMargin(part: string): boolean {
    return this.usesOf(part).some(({ user }) => user.isMargin);
  }

  /** Returns what a part can read besides `document` and `page`. A layout can read what the file that uses it can read. */
  given(part: string): Properties {
    const given = new Map<string, Property>();
    for (const { user, use } of this.usesOf(part)) {
      if (use.tag === "layout") {
        for (const [name, property] of user.given) given.set(name, joinedProperty(given.get(name), property));
        for (const name of namesIn(user.file)) given.set(name, { type: unknown, fields: given.get(name)?.fields ?? [] });
      }
    }
    for (const { use } of this.usesOf(part)) {
      for (const [name, type] of use.values) {
        const other = given.get(name);
        given.set(name, { type: other ? joined(other.type, type) : type, fields: other?.fields ?? [] });
      }
    }
    return given;
  }

  /** Returns the uses of the part that have been recorded. */
  usesOf(part: string): readonly { user: PartUser; use: UseOfPart }[] {
    return this.#uses.get(part) ?? [];
  }
}

/** Returns the names of all variables that a file sets, those of its loops too. */
export function namesIn({ nodes }: ParsedLiquid): Set<string> {
  const names = new Set<string>();
  for (const node of allNodes(nodes)) {
    if ("variable" in node) names.add(node.variable);
    if ("options" in node) names.add(node.options.variable);
  }
  return names;
}

/** Returns the files in an order in which every part comes after all files that use it. No part uses itself. */
export function usersFirst(roots: readonly ParsedLiquid[], parts: Parts): ParsedLiquid[] {
  const done = new Set<ParsedLiquid>();
  const visit = (file: ParsedLiquid): void => {
    if (done.has(file)) return;
    for (const { part } of partUses(file)) {
      const used = parts.get(part);
      if (used) visit(used);
    }
    done.add(file);
  };
  for (const root of roots.toReversed()) visit(root);
  return [...done].toReversed();
}

/** Returns the layouts of a file, the nearest first. */
export function layoutsOf(file: ParsedLiquid, parts: Parts): ParsedLiquid[] {
  const layouts: ParsedLiquid[] = [];
  for (let used = file.layout && parts.get(file.layout.part); used; used = used.layout && parts.get(used.layout.part)) {
    layouts.push(used);
  }
  return layouts;
}

function joinedProperty(known: Property | undefined, other: Property): Property {
  if (!known || known === other) return other;
  return { type: joined(known.type, other.type), fields: [...new Set([...known.fields, ...other.fields])] };
}
