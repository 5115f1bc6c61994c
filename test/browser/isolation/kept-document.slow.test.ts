// If the next document has the same head as the previous document, a page keeps the head and loads only the new content. These
// tests check that the page's output then has the same bytes as the output of a fresh page.
// `kept-document-png.slow.test.ts` runs the same tests for PNGs.
import { testKeptDocument } from "../fixtures/kept-document-tests.ts";

testKeptDocument("pdf");
