// The styles of dates: `short` to `full`, and CLDR skeletons such as `MMMM yyyy`. A skeleton defines which parts of a date
// are shown and in which length. The language decides their order and punctuation.

type Options = Intl.DateTimeFormatOptions;

export type DateStyle = "short" | "medium" | "long" | "full";

/** Returns whether the filters `date` and `time` accept the style. */
export function isDateStyle(text: string): text is DateStyle {
  return ["short", "medium", "long", "full"].includes(text);
}

/** What a run of each letter means, by the run's length. */
const letters: Record<string, readonly (Options | undefined)[]> = {
  G: [{ era: "short" }, { era: "short" }, { era: "short" }, { era: "long" }, { era: "narrow" }],
  y: [{ year: "numeric" }, { year: "2-digit" }, { year: "numeric" }, { year: "numeric" }],
  M: [{ month: "numeric" }, { month: "2-digit" }, { month: "short" }, { month: "long" }, { month: "narrow" }],
  d: [{ day: "numeric" }, { day: "2-digit" }],
  E: [{ weekday: "short" }, { weekday: "short" }, { weekday: "short" }, { weekday: "long" }, { weekday: "narrow" }],
  j: [{ hour: "numeric" }, { hour: "2-digit" }],
  h: [
    { hour: "numeric", hourCycle: "h12" },
    { hour: "2-digit", hourCycle: "h12" },
  ],
  H: [
    { hour: "numeric", hourCycle: "h23" },
    { hour: "2-digit", hourCycle: "h23" },
  ],
  m: [{ minute: "numeric" }, { minute: "2-digit" }],
  s: [{ second: "numeric" }, { second: "2-digit" }],
  z: [{ timeZoneName: "short" }, { timeZoneName: "short" }, { timeZoneName: "short" }, { timeZoneName: "long" }],
  O: [{ timeZoneName: "shortOffset" }, undefined, undefined, { timeZoneName: "longOffset" }],
};

/**
 * Returns the options for the skeleton; null if the string is not a skeleton. Characters other than letters are ignored.
 */
export function skeletonOptions(skeleton: string): Options | null {
  // The language adds AM or PM to 12-hour times by itself, and has only one form of a stand-alone month.
  const runs =
    skeleton
      .replaceAll("L", "M")
      .replace(/(?<=h.*)a|a(?=.*h)/, "")
      .match(/([A-Za-z])\1*/g) ?? [];
  const options: Options = {};
  for (const run of runs) {
    const part = Object.hasOwn(letters, run.charAt(0)) ? letters[run.charAt(0)]?.[run.length - 1] : undefined;
    if (!part || Object.keys(part).some((name) => name in options)) return null;
    Object.assign(options, part);
  }
  return runs.length > 0 ? options : null;
}
