// The page script as the Worker sees it: its own source is compiled against the DOM, which the Worker does not have.
import type { PrepareInput, PreparedPage } from "../core/prepared-page.ts";

export declare function preparePage(input: PrepareInput, parts: object): Promise<PreparedPage>;
export declare function describeDocument(): void;
export declare function fitImages(): void;
export declare function replaceContent(): void;
