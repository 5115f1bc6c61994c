// If the next document has the same head as the previous one, a page keeps the head and loads only the new content. The tests
// check that the file has the same bytes as a file from a page that loads the whole document.
// `kept-document-png.slow.test.ts` runs them for PNGs, which take longer.
import { testKeptDocument } from "../fixtures/kept-document-tests.ts";

testKeptDocument("pdf");
