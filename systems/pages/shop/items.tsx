import { ShownText } from "studio/parts/shown-text.tsx"
import { ActButton } from "../parts/act-button.tsx"
import { Tile } from "../parts/tile.tsx"
import { cart, look, itemName, popular, rows, setQuantity } from "./state.ts"

/** What there is, the most popular first. */
export const Items = () => (
  <section aria-label="Items">
    <ul class="items">
      {popular.value.map(({ item, views }) => (
        <Item key={item} item={item} views={views} />
      ))}
    </ul>
  </section>
)

function Item({ item, views }: { readonly item: string; readonly views: number }) {
  const { qty } = rows.value.get(item) ?? {}
  const wanted = cart.value.get(item) ?? 0
  const name = itemName(item)
  return (
    <li class="card item">
      <ActButton class="item-look" onAct={() => look(item)}>
        <Tile text={name} seed={item} />
        <b class="cut">
          <ShownText text={name} />
        </b>
        <span class="quiet small">
          {qty === undefined ? "stock unknown" : qty === 0 ? "sold out" : `${qty} in stock`} · {Math.round(views)} views
        </span>
      </ActButton>
      <ActButton disabled={qty === 0} onAct={() => setQuantity(item, wanted + 1)}>
        {wanted === 0 ? "Add to cart" : `Add another (${wanted})`}
        <span class="for-readers"> {name}</span>
      </ActButton>
    </li>
  )
}
