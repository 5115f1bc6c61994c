// workerd and Node parse URLs with different libraries, so the tests of public URLs run in both.
import "../../../packages/base/test/public-url.test.ts";
