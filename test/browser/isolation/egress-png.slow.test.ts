// Tests, with PNGs, that neither a template nor its data can make the browser connect to the trap server.
import { testEgress } from "../fixtures/egress-tests.ts";

testEgress("png");
