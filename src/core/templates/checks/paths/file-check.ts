// What the checks of one Liquid file share.
import type { Field } from "../../template.ts";
import type { Report } from "../finding.ts";
import type { MessageUses } from "../messages/message-uses.ts";
import type { UseOfPart } from "./part-arguments.ts";
import { Scope } from "./scope.ts";
import type { Properties, ValueType } from "./value-type.ts";

/** The names that a file sets, each with the first line at which it does. */
export type NamesSet = { variables: ReadonlyMap<string, number>; loops: ReadonlyMap<string, number> };

export type FileCheck = {
  file: string;
  scope: Scope;
  report: Report;
  /** Whether so much has been reported that messages need not be made any more. */
  isFull(): boolean;
  names: NamesSet;
  /** Returns another file that sets a variable of this name; null if there is none. */
  otherFileSetting(name: string): string | null;
  /** What a part is called, and whether its template has a field of a name; null for the other files. */
  part: { name: string; isField(name: string): boolean } | null;
  /** Records that this file uses a part. */
  usePart(use: UseOfPart): void;
  /** The names of the template's assets. */
  assets: ReadonlySet<string>;
  /** The template's messages, and which of them are used so far. */
  messages: MessageUses;
  /** The fields that are read so far. */
  used: Set<Field>;
  /** Marks all fields inside a value as used, because something reads the value as a whole. */
  useWhole(type: ValueType): void;
};

export function fileCheck(
  given: Properties,
  parts: Omit<FileCheck, "scope" | "useWhole">,
): FileCheck {
  const seen = new Set<ValueType>();
  const useWhole = (type: ValueType): void => {
    if (seen.has(type)) return;
    seen.add(type);
    if (type.kind === "list") useWhole(type.item);
    if (type.kind !== "object") return;
    for (const property of type.properties.values()) {
      for (const field of property.fields) parts.used.add(field);
      useWhole(property.type);
    }
  };
  return { ...parts, scope: new Scope(given, useWhole), useWhole };
}
