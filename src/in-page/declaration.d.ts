// The page scripts as the Worker sees them: their own sources are compiled against the DOM, which the Worker does not have.
import type { PrepareInput, PreparedPage } from "../core/rendering/prepared-page.ts";

export declare function preparePage(input: PrepareInput, parts: object): Promise<PreparedPage>;
export declare function describeDocument(): void;
export declare function fitImages(): void;
export declare function findMissingGlyphs(): void;
export declare function replaceContent(): void;
