// Adds up the renders of each day over all templates.
import { dayMs } from "colophon-base/calendar-day";
import type { UsageDay } from "colophon-client/manage";

export type Day = { day: string; completed: number; failed: number };

/** Returns every UTC day between the two times with its total number of renders. */
export function sumByDay(usage: UsageDay[], from: number, until: number): Day[] {
  const days: Day[] = [];
  for (let time = from; time <= until; time += dayMs) {
    const day = new Date(time).toISOString().slice(0, 10);
    const usageOfDay = usage.filter((entry) => entry.day === day);
    const sum = (of: "completed" | "failed") => usageOfDay.reduce((total, entry) => total + entry[of], 0);
    days.push({ day, completed: sum("completed"), failed: sum("failed") });
  }
  return days;
}
