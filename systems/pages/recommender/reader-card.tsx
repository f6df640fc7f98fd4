import { Card } from "studio/parts/card.tsx"
import { Bar } from "../parts/bar.tsx"
import { counted } from "../parts/counted.ts"
import { contribution, liked, preferences } from "./state.ts"

/** What Redis knows about the reader: days by category, challenges by reactions. */
export function ReaderCard() {
  const most = Math.max(1, ...contribution.value)
  return (
    <Card title="What Redis knows of you" aside={`${liked.value.length} liked`}>
      <ul class="row-list">
        {contribution.value.map((days, category) =>
          days === 0 ? null : (
            <li key={category} class="with-bar">
              <span>Category {category}</span>
              <span class="quiet small">{counted(days, "day")}</span>
              <Bar part={days / most} />
            </li>
          ),
        )}
        {preferences.value.map(({ id, score }) => (
          <li key={`challenge ${id}`}>
            <span>Challenge {id}</span>
            <span class="quiet small">{counted(score, "reaction")}</span>
          </li>
        ))}
      </ul>
    </Card>
  )
}
