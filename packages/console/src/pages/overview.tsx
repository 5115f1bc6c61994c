// The month at a glance: the allowance, renders by day, and problems that need attention.
import { useConsole } from "../console.ts";
import { dayText, monthText, numberText } from "../format.ts";
import { useLoad } from "../load.ts";
import { DayChart } from "../parts/day-chart.tsx";
import { Loaded } from "../parts/parts.tsx";
import { sumByDay } from "../parts/sum-by-day.ts";
import { List } from "../parts/table.tsx";
import { batchColumns } from "./batch.tsx";
import { documentColumns } from "./documents.tsx";
import { webhookColumns } from "./webhooks.tsx";

export function Overview() {
  const { api, manage, link } = useConsole();
  return (
    <>
      <h1>Overview</h1>
      <Allowance />
      <h2>Last failures</h2>
      <List
        read={(input) => api.call("GET /documents", input)}
        name="documents"
        query={{ status: "failed", limit: "5" }}
        columns={documentColumns(link)}
        empty="No document has failed. Failed renders are listed here, with their reasons."
      />
      <h2>Dead webhooks</h2>
      <List
        read={(input) => manage.call("GET /webhooks", input)}
        name="webhooks"
        query={{ status: "dead", limit: "5" }}
        columns={webhookColumns(link)}
        empty="Every webhook has been delivered or will be retried."
      />
      <h2>Last batches</h2>
      <List
        read={(input) => api.call("GET /batches", input)}
        name="batches"
        query={{ limit: "3" }}
        columns={batchColumns(link)}
        empty="There are no batches: POST /batches renders up to 10,000 documents of one template."
      />
    </>
  );
}

function Allowance() {
  const { api, manage } = useConsole();
  const usage = useLoad("usage", async (signal) => {
    const month = await api.call("GET /usage", { signal });
    const from = month.period.slice(0, 7);
    const { days } = await manage.call("GET /usage/days", { query: { from: `${from}-01` }, signal });
    return { month, days: sumByDay(days, Date.parse(from), Date.now()) };
  });
  return (
    <Loaded of={usage}>
      {({ month: { plan, period, used, reserved, limit, remaining, resetsAt }, days }) => (
        <>
          <p class="figure">
            <strong>{numberText(used)}</strong> of {numberText(limit)} renders used
            {period.length > 7 ? " today by test keys" : ` in ${monthText(period)}, plan ${plan}`}
          </p>
          <progress max={Math.max(1, limit)} value={used + reserved} aria-label="Renders used" />
          <p class="quiet">
            {reserved > 0 && `${numberText(reserved)} in progress, `}
            {numberText(remaining)} left until {dayText(resetsAt)} (UTC). The chart counts the documents that are still
            stored.
          </p>
          <DayChart days={days} />
        </>
      )}
    </Loaded>
  );
}
