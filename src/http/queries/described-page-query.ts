// What the description of the API says about the query parameters of every list, which `pageQuery` validates.

export const describedPageQuery = {
  limit: { description: "The number of items to return." },
  offset: {
    description: "The number of items to leave out at the beginning of the list. The default is 0. Not with `cursor`.",
  },
  cursor: {
    description:
      "The `nextCursor` of the page before. A walk with cursors stays complete and without doubles while items are created and deleted. Not with `offset`.",
    type: "string",
  },
};
