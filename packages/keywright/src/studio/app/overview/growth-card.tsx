import { useState } from "preact/hooks"
import { bytesText, countText } from "../../../render/quantity.ts"
import { Card } from "../parts/card.tsx"
import { Chart, type ChartLine } from "../parts/chart.tsx"
import { Tabs } from "../parts/tabs.tsx"
import { growthOf, recent } from "../state/growth.ts"
import { overviews } from "../state/studio.ts"
import { alignPoints } from "./align-points.ts"

const HEIGHT = 210
const measures = { keys: "Keys", usedMemory: "Memory" } as const
type Measure = keyof typeof measures

/** What has been added since the studio began to look. */
export function GrowthCard({ names }: { readonly names: readonly string[] }) {
  const [measure, setMeasure] = useState<Measure>("keys")
  const points = names.map((name) => growthOf(overviews.value[name]?.history ?? [], recent.value[name] ?? []))
  const { times, rows } = alignPoints(
    points.map((of) => of.map((point) => [Date.parse(point.at), point[measure] - (of[0]?.[measure] ?? 0)])),
  )
  const lines: ChartLine[] = names.map((name, i) => ({ name, color: `--s${(i % 6) + 1}`, values: rows[i] ?? [] }))
  const first = points.flatMap(([point]) => point?.at ?? []).sort()[0]
  return (
    <Card title="Growth" aside={<Tabs label="What grows" tabs={measures} chosen={measure} onChoose={setMeasure} />}>
      <div class="body">
        <Chart
          label={`${measures[measure]} added since the studio was started, by system`}
          times={times}
          lines={lines}
          height={HEIGHT}
          whole={measure === "keys"}
          format={(value) => signed(value, measure === "keys" ? countText : bytesText)}
        />
        <p class="quiet small">
          {first === undefined
            ? "Waiting for the first numbers."
            : `Change since ${new Date(first).toLocaleTimeString("en-GB")}.`}
        </p>
      </div>
    </Card>
  )
}

const signed = (value: number, text: (value: number) => string): string =>
  value === 0 ? "0" : `${value > 0 ? "+" : "−"}${text(Math.abs(value))}`
