import { Card } from "studio/parts/card.tsx"
import { Bar } from "../parts/bar.tsx"
import { contribution, liked, preferences } from "./state.ts"

/** What Redis knows of the reader: days by category, challenges by reactions. */
export function ReaderCard() {
  const most = Math.max(1, ...contribution.value)
  return (
    <Card title="What is known of you" aside={`${liked.value.length} liked`}>
      <ul class="row-list">
        {contribution.value.map((days, category) => (
          <li key={category} class="with-bar">
            <span>Category {category}</span>
            <span class="quiet small">
              {days} {days === 1 ? "day" : "days"}
            </span>
            <Bar part={days / most} />
          </li>
        ))}
        {preferences.value.map(({ id, score }) => (
          <li key={`challenge ${id}`}>
            <span>Challenge {id}</span>
            <span class="quiet small">
              {score} {score === 1 ? "reaction" : "reactions"}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}
