// Finds what a browser moves out of a table, because it is not in a cell, and parts of tables outside a table, which it drops.
import { quoted } from "../../styles/support/style-message.ts";
import { tableParts } from "./html-names.ts";
import type { MarkupPiece, MarkupTag } from "./markup-tags.ts";
import { isDynamic, type LiquidBody } from "./markup-text.ts";

/** A tag with the innermost body of Liquid around it. */
export type Placed = { tag: MarkupTag; body: LiquidBody | null };

/** `open` are the elements around the piece, the innermost last, and `body` is the innermost body of Liquid around it. */
type Place = { open: readonly Placed[]; body: LiquidBody | null; text: string };

/** Returns what is wrong with the place of a start tag or a text, or null. */
export function tableProblem(piece: MarkupPiece, { open, body, text }: Place): { at: number; message: string } | null {
  const isPart = piece.kind === "start" && tableParts.has(piece.name);
  const isInTable = open.some(({ tag }) => tag.name === "table" || tag.name === "template");
  const around = open.at(-1);
  const { at, shown } = shownPiece(piece, text);
  if (isPart) return isInTable || isElsewhere(body, null) ? null : { at, message: `${shown} is dropped, because it is not inside a table` };
  const isOutsideCells = isInTable && around !== undefined && outsideCells.has(around.tag.name);
  if (!isOutsideCells || mayBeAnywhere(piece, shown) || isElsewhere(body, around.body)) return null;
  return { at, message: `${shown} is moved out of its table, because it is not in a cell` };
}

const outsideCells = new Set(["table", "thead", "tbody", "tfoot", "tr"]);

function shownPiece(piece: MarkupPiece, text: string): { at: number; shown: string } {
  if (piece.kind !== "text") return { at: piece.start, shown: quoted(`<${piece.name}>`) };
  const written = text.slice(piece.start, piece.end);
  return { at: piece.end - written.trimStart().length, shown: `the text ${quoted(written.trim())}` };
}

function mayBeAnywhere(piece: MarkupPiece, shown: string): boolean {
  if (piece.kind === "text") return shown === "the text ``" || isDynamic(shown);
  return ["style", "script", "template", "input"].includes(piece.name);
}

/** Whether Liquid prints a place elsewhere, or into a cell of its own, with respect to a body around it. */
function isElsewhere(inner: LiquidBody | null, outer: LiquidBody | null): boolean {
  for (let body = inner; body && body !== outer; body = body.parent) {
    if (body.tag === "capture" || body.tag === "tablerow") return true;
  }
  return false;
}
