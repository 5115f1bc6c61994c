// Runs the tests of `kept-document.test.ts` for PNGs.
import { testKeptDocument } from "../fixtures/kept-document-tests.ts";

testKeptDocument("png");
