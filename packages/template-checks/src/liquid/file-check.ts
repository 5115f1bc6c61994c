// What the checks of one Liquid file share.
import type { CheckBudget, Report } from "../finding.ts";
import type { MessageUses } from "../messages/message-uses.ts";
import type { Scope } from "./scope.ts";
import type { ValueType } from "./value-type.ts";

export type FileCheck = {
  file: string;
  scope: Scope;
  report: Report;
  /** Whether so much has been reported that messages need not be made any more. */
  isFull(): boolean;
  budget: CheckBudget;
  /** The names that the file sets, each with the first tag that does. */
  names: ReadonlyMap<string, SetName>;
  /** What a part is called, and whether its template has a field of a name; null for the other files. */
  part: { name: string; isField(name: string): boolean } | null;
  usePart(use: PartUse): void;
  /** The template's messages, and which of them are used so far. */
  messages: MessageUses;
};

export type SetName = { line: number; isLoop: boolean };

/** The types of what a tag passes to a part, or to the layout of the file. */
export type PartUse = { part: string; isLayout: boolean; values: ReadonlyMap<string, ValueType> };
