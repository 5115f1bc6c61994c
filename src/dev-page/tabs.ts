// The tabs of the panel beside the document.
import { byId } from "./dom.ts";

const names = ["problems", "json"];

export function startTabs(): void {
  const tabs = names.map((name) => byId(`tab-${name}`, HTMLElement));
  const select = (chosen: HTMLElement) => {
    for (const tab of tabs) {
      const isChosen = tab === chosen;
      tab.ariaSelected = String(isChosen);
      tab.tabIndex = isChosen ? 0 : -1;
      byId(tab.id.replace("tab-", "panel-"), HTMLElement).hidden = !isChosen;
    }
  };
  for (const [index, tab] of tabs.entries()) {
    tab.addEventListener("click", () => select(tab));
    tab.addEventListener("keydown", ({ key }) => {
      const step = key === "ArrowRight" ? 1 : key === "ArrowLeft" ? -1 : 0;
      const next = step === 0 ? undefined : tabs.at((index + step) % tabs.length);
      if (!next) return;
      select(next);
      next.focus();
    });
  }
  const [first] = tabs;
  if (first) select(first);
}
