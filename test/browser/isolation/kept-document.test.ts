// If a page still has the head of the previous document loaded and the next document has the same head, the page gets only
// the new content. The tests check that the file is the same, byte for byte, as from a page that loads the whole document.
// `kept-document-png.slow.test.ts` runs them for PNGs, which take longer.
import { testKeptDocument } from "../fixtures/kept-document-tests.ts";

testKeptDocument("pdf");
