// Finds elements and attributes that have no effect in a document, because it is static and loads nothing.
import { quoted } from "../../styles/support/style-message.ts";
import { similarName } from "../../../similar-name.ts";
import type { Report } from "../finding.ts";
import { htmlElements } from "./html-names.ts";
import type { Attribute, MarkupTag } from "./markup-tags.ts";
import { isDynamic } from "./markup-text.ts";

/** `isDivided` tells whether a tag contains Liquid that may print an attribute or not. */
type ElementInput = { report: Report; lineOf: (index: number) => number; isDivided: (tag: MarkupTag) => boolean };

export function checkElement(tag: MarkupTag, { report, lineOf }: Omit<ElementInput, "isDivided">): void {
  if (tag.kind === "end" || isDynamic(tag.name)) return;
  const warn = (index: number, message: string) => report(lineOf(index), message, "warning");
  const useless = uselessElement(tag);
  if (useless !== null) warn(tag.start, useless);
  const unknown = unknownElement(tag);
  if (unknown !== null) warn(tag.start, unknown);
  for (const attribute of tag.attributes) {
    const problem = attributeProblem(tag, attribute);
    if (problem !== null) warn(attribute.start, problem);
  }
}

function uselessElement({ name, attributes, isForeign }: MarkupTag): string | null {
  const reason = Object.hasOwn(isForeign ? uselessInSvg : uselessInHtml, name) ? (isForeign ? uselessInSvg : uselessInHtml)[name] : undefined;
  if (reason !== undefined) return `${quoted(`<${name}>`)} ${reason}`;
  const value = (attribute: string) => attributes.find((each) => each.name === attribute)?.value.trim().toLowerCase();
  if (name === "link" && !isForeign) {
    const isStyles = value("rel")?.split(/\s+/).includes("stylesheet") === true;
    const instead = isStyles ? "; put the styles into style.css, and fonts into assets/" : "";
    return `${quoted("<link>")} has no effect, because documents load nothing${instead}`;
  }
  if (name === "meta" && value("http-equiv") === "refresh") return `${quoted('<meta http-equiv="refresh">')} is removed, because documents are static`;
  if (name === "input" && value("type") === "image") return `${quoted('<input type="image">')} shows nothing; use ${quoted("<img>")}`;
  return null;
}

const loadsNothing = "shows nothing, because documents load nothing";
const animation = "is removed, because documents are static";

const uselessInHtml: Record<string, string> = {
  script: "never runs, because scripts do not run in documents",
  iframe: "stays empty, because documents cannot contain frames",
  frame: "stays empty, because documents cannot contain frames",
  frameset: "stays empty, because documents cannot contain frames",
  form: "has no effect, because a document cannot be filled in or sent",
  base: "has no effect, because documents load nothing",
  object: loadsNothing,
  embed: loadsNothing,
  applet: loadsNothing,
  video: loadsNothing,
  audio: loadsNothing,
  canvas: "stays empty, because scripts do not run in documents; draw with SVG",
  marquee: "does not move, because documents are static",
};

const uselessInSvg: Record<string, string> = {
  script: "never runs, because scripts do not run in documents",
  animate: animation,
  animatemotion: animation,
  animatetransform: animation,
  set: animation,
  discard: animation,
};

/** Custom elements have a hyphen in their names. They are shown like a `span`. */
function unknownElement({ name, isForeign }: MarkupTag): string | null {
  if (isForeign || name.includes("-") || htmlElements.has(name)) return null;
  const similar = similarName(name, htmlElements);
  return `there is no element ${quoted(`<${name}>`)}${similar ? `; did you mean ${quoted(`<${similar}>`)}?` : " in HTML"}`;
}

function attributeProblem(tag: MarkupTag, { name, value }: Attribute): string | null {
  if (/^on[a-z]+$/.test(name)) return `${quoted(name)} never runs, because scripts do not run in documents`;
  if ((tag.name === "a" || tag.name === "area") && (name === "href" || name === "xlink:href")) return linkProblem(value.trim());
  return null;
}

/** Links keep `http`, `https`, `mailto`, `tel` and places in the document. */
function linkProblem(target: string): string | null {
  if (target === "" || target.startsWith("#") || isDynamic(target.slice(0, 1))) return null;
  if (/^(https?:|mailto:|tel:)/i.test(target)) return null;
  const start = target.split(/[\u{fafe}\u{faff}]/u)[0] ?? "";
  const isHost = /^(www\.|[\w-]+(\.[\w-]+)*\.(com|org|net|eu|de|io)\b)/i.test(start);
  const instead = isHost ? `; write ${quoted(`https://${start}`)}` : "; a link needs `https:`, `mailto:`, `tel:` or `#`";
  return `the link to ${quoted(start)} is removed, because it leads nowhere from a file${instead}`;
}

