// Gives lists the types inside that readers expect: items with a label and a body.
import { dictionaryOf, name } from "colophon-pdf/values";
import { isTag, newTag, tagsIn, type Tag, type TagKid } from "./structure-tree.ts";
import type { TagMarks } from "./take-marks.ts";

const inList = new Set(["L", "LI", "Caption"]);

export function correctLists(top: Tag, marks: TagMarks): void {
  for (const [tag, { kind }] of marks) if (kind === "terms") describeTerms(tag, marks);
  for (const tag of tagsIn(top)) {
    if (tag.type === "L") {
      const { kind, text } = marks.get(tag) ?? {};
      if (kind === "list" && text && text !== "Other")
        tag.entries.set("A", dictionaryOf({ O: name("List"), ListNumbering: name(text) }));
      tag.kids = tag.kids.map((kid) => (isTag(kid) && inList.has(kid.type) ? kid : newTag("LI", [kid])));
    }
    for (const item of tag.kids) if (isTag(item) && item.type === "LI") correctItem(item);
  }
}

function correctItem(item: Tag): void {
  const ofType = (type: string) => item.kids.filter((kid) => isTag(kid) && kid.type === type);
  const [labels, bodies] = [ofType("Lbl"), ofType("LBody")];
  const others = item.kids.filter((kid) => !labels.includes(kid) && !bodies.includes(kid));
  item.kids = [...labels, ...bodies, ...(others.length > 0 ? [newTag("LBody", others)] : [])];
}

/** Makes a list of terms and their definitions. Each item has the terms that precede its definitions. */
function describeTerms(list: Tag, marks: TagMarks): void {
  const items: Tag[] = [];
  const kindOf = (kid: TagKid) => (isTag(kid) ? marks.get(kid)?.kind : undefined);
  const isPart = (kid: TagKid) => /^(?:term|definition)$/.test(kindOf(kid) ?? "");
  const add = (kid: TagKid): void => {
    const kind = kindOf(kid);
    // A group of terms and definitions may be inside a division.
    if (isTag(kid) && !isPart(kid) && kid.kids.some(isPart)) return kid.kids.forEach(add);
    const last = items.at(-1);
    const isNew = !last || (kind === "term" && last.kids.some((part) => isTag(part) && part.type === "LBody"));
    const item = isNew ? newTag("LI") : last;
    if (isNew) items.push(item);
    const type = kind === "term" ? "Lbl" : "LBody";
    const part = item.kids.find((other): other is Tag => isTag(other) && other.type === type);
    if (isTag(kid) && kind) kid.type = "NonStruct";
    if (part) part.kids.push(kid);
    else item.kids.push(newTag(type, [kid]));
  };
  list.kids.forEach(add);
  list.type = "L";
  list.kids = items;
}
