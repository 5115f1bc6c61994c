// Matches regular expressions of untrusted authors in time that is proportional to the length of the text times the size of the pattern:
// all positions of the pattern that fit are followed at the same time, so there is no backtracking. They are written as in JavaScript
// with the flag `u`, without lookarounds, references and named groups, and mean the same as `pattern` in JSON Schema.

/** Counts the work of patterns, in steps of about 50 ns. */
export type PatternWork = { stepsLeft: number };

/** The maximum work of a request, or of a push: about 100 ms. */
export function patternWork(): PatternWork {
  return { stepsLeft: 2_000_000 };
}

export type Pattern = { states: readonly State[]; start: number };

/** A place in the pattern. `test` reads a character, and `holds` looks at the characters around a position. */
type State = {
  test?: (character: string) => boolean;
  holds?: (before: string | undefined, after: string | undefined) => boolean;
  next: number[];
};

const maxStates = 1_000;
/** The state in which the whole pattern has been found. */
const found = 0;
/** The work of a regular expression for one character, and the work of allocating the states of a text. */
const stepsPerTest = 100;
const stepsPerText = 5;
const statesPerStep = 50;

/** Returns the reason for a pattern that cannot be used. */
export function parsePattern(source: string, work: PatternWork): Pattern | string {
  if (!isExpression(source)) return notAnExpression;
  const tokens = source.match(tokenPattern) ?? [];
  const isUnsafe = (token: string, index: number) =>
    /^\\[1-9k]/.test(token) || (token === "(" && tokens[index + 1] === "?");
  if (tokens.some(isUnsafe)) return "must not contain lookarounds, references or named groups";
  const states: State[] = [{ next: [] }];
  const start = alternatives({ tokens, at: 0, states, tests: new Map() })(found);
  work.stepsLeft -= states.length + new Set(tokens).size * stepsPerTest;
  return states.length > maxStates ? tooManyStates : { states, start };
}

// The escape is allowed without the flag, so it is the most frequent mistake.
const notAnExpression =
  "must be a regular expression of JavaScript with the flag `u`, in which `\\-` is allowed only in brackets";
const tooManyStates = `must have at most ${maxStates} characters and signs with its repetitions written out`;

function isExpression(source: string): boolean {
  try {
    return new RegExp(source, "u").unicode;
  } catch {
    return false;
  }
}

/** In this order: escapes, surrogate pairs and classes, groups, repetitions, and every other character. */
const tokenPattern =
  /\\[pP]\{[^}]*\}|\\u\{[^}]*\}|\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|\\u[\da-fA-F]{4}|\\x[\da-fA-F]{2}|\\c[A-Za-z]|\\.|\[(?:\\.|[^\\\]])*\]|\(\?:|[*+?]\??|\{\d+(?:,\d*)?\}\??|./gsu;

/** The tokens are a valid regular expression. */
type Parser = { tokens: string[]; at: number; states: State[]; tests: Map<string, (character: string) => boolean> };

/** Adds the states of a part of the pattern that is followed by the state `next`, and returns the first of them. */
type Part = (next: number) => number;

function alternatives(parser: Parser): Part {
  const { states, tokens } = parser;
  const options: Part[] = [];
  do {
    const parts = sequence(parser);
    options.push((next) => parts.reduceRight((following, part) => part(following), next));
  } while (tokens[parser.at++] === "|");
  return (next) => add(states, { next: options.map((option) => option(next)) });
}

function sequence(parser: Parser): Part[] {
  const parts: Part[] = [];
  for (
    let token = parser.tokens[parser.at];
    token !== undefined && !/^[|)]$/.test(token);
    token = parser.tokens[parser.at]
  ) {
    parser.at++;
    parts.push(repeated(parser, token.startsWith("(") ? alternatives(parser) : single(parser, token)));
  }
  return parts;
}

function single({ states, tests }: Parser, token: string): Part {
  const holds = assertions[token];
  if (holds) return (next) => add(states, { holds, next: [next] });
  const isLiteral = token.length === 1 && token !== ".";
  const expression = isLiteral ? null : new RegExp(`^${token}$`, "u");
  const test = tests.get(token) ?? ((character) => expression?.test(character) ?? character === token);
  tests.set(token, test);
  return (next) => add(states, { test, next: [next] });
}

const isWord = (character: string | undefined) => character !== undefined && /\w/.test(character);
const assertions: Record<string, State["holds"]> = {
  "^": (before) => before === undefined,
  $: (_before, after) => after === undefined,
  "\\b": (before, after) => isWord(before) !== isWord(after),
  "\\B": (before, after) => isWord(before) === isWord(after),
};

/** Returns the part with the repetition that follows it, if there is one. Whether it is greedy makes no difference. */
function repeated(parser: Parser, part: Part): Part {
  const { states, tokens } = parser;
  const [, sign = "", from = "", range, to = ""] =
    /^(?:([*+?])|\{(\d+)(,(\d*))?\})\??$/.exec(tokens[parser.at] ?? "") ?? [];
  if (sign + from === "") return part;
  parser.at++;
  const least = sign === "" ? Number(from) : sign === "+" ? 1 : 0;
  const most =
    sign === "" ? (range === undefined ? least : to === "" ? Infinity : Number(to)) : sign === "?" ? 1 : Infinity;
  return (next) => {
    let first = most === Infinity ? loop(states, part, next) : next;
    const optional = most === Infinity ? 0 : most - least;
    for (let count = 0; count < optional && isRoom(states); count++) {
      first = add(states, { next: [part(first), next] });
    }
    for (let count = 0; count < least && isRoom(states); count++) first = part(first);
    return first;
  };
}

function loop(states: State[], part: Part, next: number): number {
  const state: State = { next: [next] };
  const first = add(states, state);
  state.next.push(part(first));
  return first;
}

/** Beyond the limit, states are not added, because the pattern is refused. */
function add(states: State[], state: State): number {
  return isRoom(states) ? states.push(state) - 1 : found;
}

function isRoom(states: State[]): boolean {
  return states.length <= maxStates;
}

/** Whether the pattern occurs in the text; null if that takes more work than is left. */
export function isFound({ states, start }: Pattern, text: string, work: PatternWork): boolean | null {
  work.stepsLeft -= stepsPerText + states.length / statesPerStep;
  // The position at which each state was last reached, counted from 1.
  const reachedAt = new Uint32Array(states.length);
  let read: number[] = [];
  let before: string | undefined;
  for (let at = 0; at <= text.length; at += before?.length ?? 1) {
    const code = text.codePointAt(at);
    const after = code === undefined ? undefined : String.fromCodePoint(code);
    const reached = [...read, start];
    read = [];
    for (let state = reached.pop(); state !== undefined; state = reached.pop()) {
      if (reachedAt[state] === at + 1) continue;
      reachedAt[state] = at + 1;
      if (state === found) return true;
      if (work.stepsLeft-- <= 0) return null;
      const { test, holds, next } = states[state] ?? { next: [] };
      if (test === undefined) reached.push(...(holds === undefined || holds(before, after) ? next : []));
      else if (after !== undefined && test(after)) read.push(...next);
    }
    before = after;
  }
  return false;
}
