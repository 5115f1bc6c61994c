// Shows the report of the tests in a panel. The server runs them for each request, until the folder changes.
import { byId } from "./dom.ts";

const panel = byId("tests", HTMLDetailsElement);
const report = byId("report", HTMLIFrameElement);
const state = byId("tests-state", HTMLElement);

panel.addEventListener("toggle", runTests);
report.addEventListener("load", () => {
  const title = report.contentDocument?.title ?? "";
  state.textContent = title === "" ? "Tests" : `Tests (${title})`;
  state.classList.toggle("has-problems", title.endsWith("failed"));
});

/** Runs the tests if the panel is open. */
export function runTests(): void {
  if (!panel.open) return;
  state.textContent = "Tests (running…)";
  report.contentWindow?.location.replace("/tests");
}
