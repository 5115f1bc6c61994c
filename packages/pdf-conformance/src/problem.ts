// The problems of a file, and their collection.

/**
 * Why a file violates a standard. `clause` is the clause of ISO 19005-2, of ISO 19005-3 or of ISO 14289-1, with the number of the test that
 * veraPDF makes for it; `page` counts from 1. `element` is the start tag of the element at fault, and `file` and `line` are its place in the
 * template.
 */
export type ConformanceProblem = {
  clause: string;
  message: string;
  page?: number;
  element?: string;
  file?: string;
  line?: number;
};

export type Report = (clause: string, message: string) => void;

export const maxProblems = 20;

/** Keeps each problem once, with the first page that has it. `nameOf` returns the name of a clause; undefined if it does not matter. */
export function problemList(nameOf: (clause: string) => string | undefined) {
  const problems = new Map<string, ConformanceProblem>();
  let page: number | null = null;
  return {
    /** The page of the problems that are reported from now on; null for none. */
    setPage: (number: number | null) => void (page = number),
    report: ((violated, message) => {
      const clause = nameOf(violated);
      if (clause === undefined) return;
      const key = `${clause} ${message}`;
      if (problems.size < maxProblems && !problems.has(key))
        problems.set(key, { clause, message, ...(page !== null && { page }) });
    }) satisfies Report,
    problems: () => [...problems.values()],
  };
}
