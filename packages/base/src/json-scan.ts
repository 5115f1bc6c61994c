// Scans JSON for three problems that `JSON.parse` accepts without an error: a key that occurs twice in an object, a string with a
// lone surrogate, and a number that changes, because an integer loses digits or becomes infinite. Rounded decimals are not
// reported. The scan reads the input once and does not recurse. It also ends if the input is not valid JSON, but its findings are
// then meaningless.

export type JsonFinding = {
  kind: "duplicate_key" | "lone_surrogate" | "changed_integer" | "too_large";
  /** The path of the value or the repeated key; for a lone surrogate in a key, the path of the object. */
  path: (string | number)[];
  /** The position of the value or the repeated key in the input. */
  at: number;
  /** The number as it was written; empty for other findings. */
  number: string;
};

export type JsonScan = {
  /** The scan stops after `maxProblems` problems. */
  problems: JsonFinding[];
  /** The index of the first value that is nested more than `maxDepth` levels deep, or -1. The scan stops there. */
  tooDeepAt: number;
};

/** Numbers of at most this many characters do not change, unless they have an exponent. */
const maxSafeNumberChars = 15;

const quote = 0x22;
const plus = 0x2b;
const comma = 0x2c;
const minus = 0x2d;
const point = 0x2e;
const zero = 0x30;
const nine = 0x39;
const upperE = 0x45;
const openArray = 0x5b;
const backslash = 0x5c;
const closeArray = 0x5d;
const lowerE = 0x65;
const openObject = 0x7b;
const closeObject = 0x7d;

export function scanJson(text: string, { maxDepth, maxProblems }: { maxDepth: number; maxProblems: number }): JsonScan {
  const state = initialState(text);
  for (let at = 0; at < text.length && state.problems.length < maxProblems; at++) {
    const character = text.charCodeAt(at);
    if (character === quote) at = scanString(state, at);
    else if (character === comma) moveToNext(state);
    else if (character === openObject || character === openArray) {
      open(state, character === openObject);
      if (state.depth > maxDepth) return { ...state, tooDeepAt: at };
    } else if (character === closeObject || character === closeArray) close(state);
    else if (character === minus || isDigit(character)) at = scanNumber(state, at);
  }
  return state;
}

/** The state of the scan. The arrays are indexed by depth; the outermost object or array has depth 1. */
type State = ReturnType<typeof initialState>;

function initialState(text: string) {
  return {
    problems: [] as JsonFinding[],
    tooDeepAt: -1,
    text,
    /** False if no string in the input can contain a lone surrogate. */
    mayHaveLoneSurrogates: !text.isWellFormed() || /\\u[dD][89a-fA-F]/.test(text),
    depth: 0,
    /** The number of the open object at each depth; 0 for an array. */
    objects: [0],
    objectCount: 0,
    /** The current key or index at each depth. */
    path: [""] as (string | number)[],
    /** For each key at each depth, the number of the last object that contained it. Objects at the same depth never overlap. */
    lastObjectWith: [new Map<string, number>()],
    isKeyNext: false,
  };
}

function open(state: State, isObject: boolean): void {
  state.depth++;
  state.objects[state.depth] = isObject ? ++state.objectCount : 0;
  state.path[state.depth] = isObject ? "" : 0;
  state.lastObjectWith[state.depth] ??= new Map();
  state.isKeyNext = isObject;
}

function close(state: State): void {
  state.depth--;
  // An empty object ends where a key is expected.
  state.isKeyNext = false;
}

function moveToNext(state: State): void {
  const segment = state.path[state.depth];
  if (typeof segment === "number") state.path[state.depth] = segment + 1;
  else state.isKeyNext = true;
}

/**
 * Scans the string that starts at `start`; returns the position of its closing quote, or the end of the input if there is
 * none.
 */
function scanString(state: State, start: number): number {
  const end = closingQuote(state.text, start);
  if (state.isKeyNext) scanKey(state, start, stringAt(state.text, start, end));
  else if (state.mayHaveLoneSurrogates && !stringAt(state.text, start, end).isWellFormed()) {
    state.problems.push(finding(state, "lone_surrogate", { at: start }));
  }
  return end;
}

function scanKey(state: State, at: number, key: string): void {
  const { depth, objects } = state;
  const object = objects[depth] ?? 0;
  const known = state.lastObjectWith[depth];
  state.isKeyNext = false;
  state.path[depth] = key;
  if (state.mayHaveLoneSurrogates && !key.isWellFormed()) {
    state.problems.push(finding(state, "lone_surrogate", { at, depth: depth - 1 }));
  } else if (known?.get(key) === object) state.problems.push(finding(state, "duplicate_key", { at }));
  known?.set(key, object);
}

function closingQuote(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end < 0 ? text.length : end;
}

/** Returns true if an odd number of backslashes precedes the character. */
function isEscaped(text: string, at: number): boolean {
  let before = at - 1;
  while (text.charCodeAt(before) === backslash) before--;
  return (at - before) % 2 === 0;
}

function stringAt(text: string, start: number, end: number): string {
  const content = text.slice(start + 1, end);
  if (!content.includes("\\")) return content;
  try {
    return String(JSON.parse(`"${content}"`));
  } catch {
    return content;
  }
}

/** Scans the number that starts at `start`; returns the position of its last character. */
function scanNumber(state: State, start: number): number {
  const { text } = state;
  let end = start + 1;
  let hasExponent = false;
  for (let character = text.charCodeAt(end); !Number.isNaN(character); character = text.charCodeAt(++end)) {
    if (character === upperE || character === lowerE) hasExponent = true;
    else if (!isDigit(character) && character !== point && character !== plus && character !== minus) break;
  }
  if (hasExponent || end - start > maxSafeNumberChars) checkNumber(state, start, text.slice(start, end));
  return end - 1;
}

function checkNumber(state: State, at: number, number: string): void {
  const value = Number(number);
  if (!Number.isFinite(value)) state.problems.push(finding(state, "too_large", { at, number }));
  else if (/^-?\d+$/.test(number) && String(value) !== number) {
    state.problems.push(finding(state, "changed_integer", { at, number }));
  }
}

function isDigit(character: number): boolean {
  return character >= zero && character <= nine;
}

function finding(
  state: State,
  kind: JsonFinding["kind"],
  { at, depth = state.depth, number = "" }: { at: number; depth?: number; number?: string },
): JsonFinding {
  return { kind, path: state.path.slice(1, depth + 1), at, number };
}
