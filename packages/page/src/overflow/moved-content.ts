// Finds the elements whose styles may move content beyond the side where its lines begin, or above its first line. The text of other
// elements need not be measured at these sides.
import { bodyElement, findAll, findNamed, parentOf } from "../dom.ts";
import type { StyledElements } from "../style-rules.ts";

/** Elements and attributes that move content without a style sheet. */
const tags = ["bdi", "bdo", "center", "dialog", "marquee", "math", "ruby", "svg"];
const inline =
  /margin|indent|spacing|justify|align|place|flex|font|line|left|right|top|bottom|inset|trans|rotate|scale|zoom|offset|float|dir|bidi|mode|position-|text-box|initial/i;

/** Returns elements around all moved content. A negative margin also moves the siblings after it. */
export function movedElements(styled: StyledElements): Element[] {
  const around = styled(mayMove, inline).map((element) => parentOf(element) ?? element);
  return [...new Set([...around, ...findAll(bodyElement(), "[dir],[align]"), ...findNamed(...tags)])];
}

/** Properties, and the values with which they may move content. A value that depends on variables is empty. */
const moving: [names: RegExp, values: RegExp][] = [
  [/^(margin|text-indent)/, /^$|[-(]/],
  [/^(letter|word)-spacing$/, /^$|-(?!0?\.[0-2])|\(/],
  [/^(justify|align|place)-/, /^$|center|end|right|around|evenly|last|self|unsafe|\(/],
  [/^flex-(direction|wrap)$/, /^$|reverse|\(/],
  [/^text-align$/, /^$|-|\(/],
  // In a line that is lower than a third of the letters' height, more than a third of the letters is above the line.
  [/^line-height$/, /^(?!normal|[1-9]|in|un|rev)|^(?:\d|1[01])(?:\.\d+)?p|^[1-7]?\d(?:\.\d+)?%/],
  [
    /^font-size$/,
    /^$|(?<![\d.])(?:(?:[3-9]\d|\d{3})(?:\.\d+)?p|(?:2\.[4-9]|[3-9]|\d\d)[\d.]*r?em|(?:2[4-9]|[3-9]\d)\d%)|\d(?:v[a-z]|[cm]m|in)/,
  ],
  [
    /^(left|right|top|bottom|inset|transform$|translate|rotate|scale|zoom|offset|float|direction|unicode-bidi|writing-mode|position-|text-box|initial-letter|-webkit-box-[adp])/,
    /^(?!auto|none|normal|horizontal-tb|start|stretch|in|un|rev)/,
  ],
];

function mayMove(style: CSSStyleDeclaration): boolean {
  return Array.from(style).some((name) =>
    moving.some(([names, values]) => names.test(name) && values.test(style.getPropertyValue(name))),
  );
}
