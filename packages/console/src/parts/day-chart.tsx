// Renders by day, as bars and as a table with the same numbers.
import { dayText, numberText } from "../format.ts";
import type { Day } from "./sum-by-day.ts";
import { Table } from "./table.tsx";

const [barWidth, gap, height] = [10, 3, 100];

export function DayChart({ days }: { days: Day[] }) {
  const highest = Math.max(1, ...days.map(({ completed, failed }) => completed + failed));
  const width = days.length * (barWidth + gap) - gap;
  const [first, last] = [days[0], days.at(-1)];
  const withRenders = days.filter(({ completed, failed }) => completed + failed > 0).toReversed();
  return (
    <figure class="chart">
      <figcaption class="legend">
        <span>{withRenders.length > 0 ? `maximum per day: ${numberText(highest)}` : "no renders"}</span>
        <span class="key completed">completed</span>
        <span class="key failed">failed</span>
      </figcaption>
      <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true">
        {days.map(({ day, completed, failed }, index) => {
          const [high, low] = [(completed / highest) * height, (failed / highest) * height];
          const x = index * (barWidth + gap);
          return (
            <g key={day}>
              <title>{`${dayText(day)}: ${completed} completed, ${failed} failed`}</title>
              <rect class="day" x={x} y={0} width={barWidth} height={height} />
              <rect class="completed" x={x} y={height - high} width={barWidth} height={high} />
              <rect class="failed" x={x} y={height - high - low} width={barWidth} height={low} />
            </g>
          );
        })}
      </svg>
      <div class="axis">
        <span>{first && dayText(first.day)}</span>
        <span>{last && dayText(last.day)}</span>
      </div>
      <details>
        <summary>Show the numbers as a table</summary>
        {withRenders.length === 0 ? (
          <p class="quiet">There were no renders in this period.</p>
        ) : (
          <Table
            caption="Renders by day"
            items={withRenders}
            keyOf={({ day }) => day}
            columns={[
              { label: "Day (UTC)", cell: ({ day }) => dayText(day) },
              { label: "Completed", isNumber: true, cell: ({ completed }) => numberText(completed) },
              { label: "Failed", isNumber: true, cell: ({ failed }) => numberText(failed) },
            ]}
          />
        )}
      </details>
    </figure>
  );
}
