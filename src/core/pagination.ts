// The part of a list that a request asks for.

export type Page = { limit: number; offset: number };
