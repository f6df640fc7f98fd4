import { Card } from "studio/parts/card.tsx"
import { ShownText } from "studio/parts/shown-text.tsx"
import { ActButton } from "../parts/act-button.tsx"
import { ColumnsChart } from "../parts/columns-chart.tsx"
import { Fact } from "../parts/fact.tsx"
import { days, look, maps, show, shown } from "./state.ts"

/** "20261018" → "18 Oct" */
const dateOf = (day: string): string =>
  new Date(`${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}T00:00:00Z`).toLocaleDateString("en-GB", {
    day: "numeric",
    month: "short",
    timeZone: "UTC",
  })

/** Map views: today, in 30 days, and of each visualization. */
export function Views() {
  const values = Object.entries(days.value)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([day, value]) => ({ label: dateOf(day), value }))
  const sum = values.reduce((total, { value }) => total + value, 0)
  return (
    <div class="stack">
      <Card title="Map views" aside={shown.value ?? "all maps"}>
        <div class="body stack">
          <dl class="numbers">
            <Fact name="today">{values.at(-1)?.value ?? 0}</Fact>
            <Fact name="in 30 days">{sum}</Fact>
          </dl>
          <ColumnsChart values={values} title={`Map views by day, ${sum} in 30 days`} />
        </div>
      </Card>
      <Card title="Maps" aside="choose one for its chart, or view it">
        <ul class="row-list">
          <li>
            <ActButton class="link" pressed={shown.value === undefined} onAct={() => show(undefined)}>
              All maps
            </ActButton>
          </li>
          {maps.value.map((id) => (
            <li key={id}>
              <ActButton class="link cut" pressed={shown.value === id} label={`Chart of ${id}`} onAct={() => show(id)}>
                <ShownText text={id} />
              </ActButton>
              <ActButton onAct={() => look(id)}>
                View
                <span class="for-readers"> the map {id}</span>
              </ActButton>
            </li>
          ))}
        </ul>
      </Card>
    </div>
  )
}
