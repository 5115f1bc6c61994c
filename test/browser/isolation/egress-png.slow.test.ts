// Tests, with PNGs, that nothing in a template or in data makes the browser connect to a listener.
import { testEgress } from "../fixtures/egress-tests.ts";

testEgress("png");
