import { Card } from "../parts/card.tsx"
import { Empty } from "../parts/empty.tsx"
import { Pattern } from "../parts/pattern.tsx"
import { Table } from "../parts/table.tsx"
import { href } from "../state/route.ts"
import { type Frames, ratesOf } from "./frames.ts"
import { rateText } from "./rates-chart.tsx"

/** Every pattern that is used now, and by which commands. */
export function RatesTable({ frames, several }: { readonly frames: Frames; readonly several: boolean }) {
  const rates = ratesOf(frames).sort((a, b) => b.now - a.now)
  return (
    <Card title="By pattern" class="live-list">
      {rates.length === 0 ? (
        <Empty title="Nothing yet" text="As soon as an application sends commands, their patterns appear here." />
      ) : (
        <Table room="live-scroll" region="Rates by pattern" columns={["Pattern", "Commands", { number: "A second" }]}>
          {rates.map(({ system, label, name, now, commands }) => (
            <tr key={`${system} ${label}`} class="go">
              <td>
                {name === undefined ? (
                  <span class="quiet">{label}</span>
                ) : (
                  <a href={href("browse", [system, name])}>
                    <Pattern of={label} />
                  </a>
                )}
                {several ? <span class="quiet small"> {system}</span> : null}
              </td>
              <td class="quiet small">
                <span class="commands">{commands.map(({ command }) => command).join(" ")}</span>
              </td>
              <td class="number">{rateText(now)}</td>
            </tr>
          ))}
        </Table>
      )}
    </Card>
  )
}
