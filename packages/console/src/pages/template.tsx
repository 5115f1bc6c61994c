// A template: a preview with data, its versions and their differences, a push, and its usage.
import { useState } from "preact/hooks";
import { dayMs } from "colophon-base/calendar-day";
import type { TemplateRecord } from "colophon-client/manage";
import type { Data } from "colophon-ui/data-editor";
import { useConsole } from "../console.ts";
import { numberText } from "../format.ts";
import { useLoad } from "../load.ts";
import { DayChart } from "../parts/day-chart.tsx";
import { Loaded, PageLinks, Properties, Time } from "../parts/parts.tsx";
import { sumByDay } from "../parts/sum-by-day.ts";
import { Preview } from "../template/preview.tsx";
import { Push } from "../template/push.tsx";
import { Versions } from "../template/versions.tsx";

export function Template({ id, tab }: { id: string; tab: string }) {
  const { manage, link, canRender, session } = useConsole();
  const path = { template: id };
  const template = useLoad(id, (signal) => manage.call("GET /templates/{template}", { path, signal }));
  // The reader's data is kept while other parts are shown, and after a push.
  const [edited, setEdited] = useState<Data | null>(null);
  const offered = ["preview", "versions", "push", "usage"].filter(
    (name) => (name !== "preview" || canRender) && (name !== "push" || session.kind !== "test"),
  );
  const chosen = tab || (offered[0] ?? "");
  return (
    <Loaded of={template} heading="Template">
      {(found) => (
        <>
          <h1>{found.title}</h1>
          <p class="quiet">
            {found.folder}, version {found.version}, pushed <Time at={found.updatedAt} />
          </p>
          <PageLinks
            label="Parts of the template"
            names={offered}
            current={chosen}
            link={(name) => link(["templates", id, name])}
          />
          {chosen === "preview" && canRender && (
            <Preview key={found.version} template={found} editing={{ edited, setEdited }} />
          )}
          {chosen === "versions" && <Versions template={found} reload={template.reload} />}
          {chosen === "push" && <Push template={found} onPushed={template.reload} />}
          {chosen === "usage" && <Usage template={found} />}
        </>
      )}
    </Loaded>
  );
}

function Usage({ template: { id, ...template } }: { template: TemplateRecord }) {
  const { manage, link } = useConsole();
  const [until] = useState(Date.now);
  const from = Math.floor(until / dayMs) * dayMs - 30 * dayMs;
  const usage = useLoad(id, async (signal) => {
    const query = { from: new Date(from).toISOString() };
    const { days } = await manage.call("GET /usage/days", { query, signal });
    const usageOfTemplate = days.filter(({ templateId }) => templateId === id);
    return sumByDay(usageOfTemplate, from, until);
  });
  return (
    <>
      <Loaded of={usage}>
        {(days) => {
          const sum = (of: "completed" | "failed") => numberText(days.reduce((total, day) => total + day[of], 0));
          return (
            <>
              <p>
                In the last 31 days, {sum("completed")} of its documents were completed and {sum("failed")} failed.
                Deleted documents are not counted.{" "}
                <a href={link(["documents"], { templateId: id })}>Show its documents</a>
              </p>
              <DayChart days={days} />
            </>
          );
        }}
      </Loaded>
      <Properties of={{ Id: <code>{id}</code>, Description: template.description || null }} />
    </>
  );
}
