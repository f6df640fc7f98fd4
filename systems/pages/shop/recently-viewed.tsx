import { Card } from "studio/parts/card.tsx"
import { ShownText } from "studio/parts/shown-text.tsx"
import { ago } from "../parts/ago.ts"
import { attempt } from "../state/notice.ts"
import { look, itemName, viewed } from "./state.ts"

export const RecentlyViewed = () => (
  <Card title="You looked at">
    {viewed.value.length === 0 ? <p class="body quiet small">Nothing yet: open an item.</p> : null}
    <ul class="row-list">
      {viewed.value.map(({ item, at }) => (
        <li key={item}>
          <button type="button" class="link cut" onClick={() => void attempt(() => look(item))}>
            <ShownText text={itemName(item)} />
          </button>
          <span class="quiet small">{ago(at)}</span>
        </li>
      ))}
    </ul>
  </Card>
)
