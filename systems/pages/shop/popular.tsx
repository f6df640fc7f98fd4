import { Card } from "studio/parts/card.tsx"
import { ShownText } from "studio/parts/shown-text.tsx"
import { Bar } from "../parts/bar.tsx"
import { itemName, popular } from "./state.ts"

const SHOWN = 6

export function Popular() {
  const shown = popular.value.slice(0, SHOWN)
  const most = shown[0]?.views ?? 1
  return (
    <Card title="Popular now" aside="by views">
      <ol class="row-list">
        {shown.map(({ item, views }) => (
          <li key={item} class="with-bar">
            <span class="cut">
              <ShownText text={itemName(item)} />
            </span>
            <span class="quiet small">{Math.round(views)}</span>
            <Bar part={views / most} />
          </li>
        ))}
      </ol>
    </Card>
  )
}
