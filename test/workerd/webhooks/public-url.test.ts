// workerd parses URLs with another library than Node, so the tests of public URLs run in both.
import "../../../packages/base/test/public-url.test.ts";
