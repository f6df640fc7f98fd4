import { Card } from "studio/parts/card.tsx"
import { ShownText } from "studio/parts/shown-text.tsx"
import { ago } from "../parts/ago.ts"
import { ActButton } from "../parts/act-button.tsx"
import { look, itemName, viewed } from "./state.ts"

export const RecentlyViewed = () => (
  <Card title="You looked at">
    {viewed.value.length === 0 ? <p class="body quiet small">Nothing yet: open an item.</p> : null}
    <ul class="row-list">
      {viewed.value.map(({ item, at }) => (
        <li key={item}>
          <ActButton class="link cut" onAct={() => look(item)}>
            <ShownText text={itemName(item)} />
          </ActButton>
          <span class="quiet small">{ago(at)}</span>
        </li>
      ))}
    </ul>
  </Card>
)
