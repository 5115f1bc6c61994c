// A page of a list.

export type Page = { limit: number; offset: number };
