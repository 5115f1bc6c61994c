/** A JavaScript expression. In a page, its value is the `pageScript` of `src/page-script.ts`. */
export const pageScript: string;
