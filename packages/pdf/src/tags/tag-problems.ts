// Why a document cannot conform as it is.

/** `clause` is of ISO 14289-1. `page` is counted from 1; null if the problem is not on one page. */
export type TagProblem = { clause: string; message: string; page: number | null };
