import { countText } from "../../../render/quantity.ts"
import { alignPoints } from "../overview/align-points.ts"
import { Card } from "../parts/card.tsx"
import { Chart, type ChartLine } from "../parts/chart.tsx"
import { href } from "../state/route.ts"
import { type Frames, ratesOf } from "./frames.ts"

const LINES = 5
const HEIGHT = 230

/** The busiest patterns as lines, the others as one. */
export function RatesChart({ frames, several }: { readonly frames: Frames; readonly several: boolean }) {
  const rates = ratesOf(frames)
  const shown = rates.slice(0, LINES)
  const { times, rows } = alignPoints(rates.map(({ points }) => points))
  const lines: ChartLine[] = shown.map(({ system, label, name }, i) => ({
    name: several ? `${system} ${label}` : label,
    color: `--s${i + 1}`,
    values: rows[i] ?? [],
    ...(name !== undefined && { href: href("browse", [system, name]) }),
  }))
  const rest = rows.slice(LINES)
  if (rest.length > 0) {
    const values = times.map((_, at) => rest.reduce((sum, row) => sum + (row[at] ?? 0), 0))
    lines.push({ name: `${rest.length} others`, color: "--faint", values })
  }
  const latest = Object.values(frames).flatMap((own) => own.at(-1) ?? [])
  const all = latest.reduce((sum, { perSecond }) => sum + (perSecond ?? 0), 0)
  const error = latest.find((frame) => frame.error !== undefined)?.error
  const lost = latest.reduce((sum, { sample }) => sum + sample.lost, 0)
  return (
    <Card
      title="Commands per second"
      aside={
        <span>
          <b>{countText(all)}</b> now{lost > 0 ? `, ${countText(lost)} not seen by the sample` : ""}
        </span>
      }
    >
      <div class="body live-chart">
        <Chart
          label="Commands per second by pattern, over the last minute and a half"
          times={times}
          lines={lines}
          height={HEIGHT}
          format={rateText}
          stacked
          seconds={90}
        />
        {error === undefined ? null : (
          <p class="note warn">
            <b>{error.code}</b> {error.message}
          </p>
        )}
        {times.length === 0 ? <p class="quiet small">Listening… the first numbers come within two seconds.</p> : null}
      </div>
    </Card>
  )
}

export const rateText = (rate: number): string => (rate < 10 ? String(Math.round(rate * 10) / 10) : countText(rate))
