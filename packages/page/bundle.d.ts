/** A JavaScript expression. Inside a page, its value is `pageScript` of `src/page-script.ts`. */
export const pageScript: string;
