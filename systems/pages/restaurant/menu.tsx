import { Card } from "studio/parts/card.tsx"
import { ShownText } from "studio/parts/shown-text.tsx"
import { ActButton } from "../parts/act-button.tsx"
import { addDish, cart, categories, dishes } from "./state.ts"
import { type Dish, price } from "./wire.ts"

/** What there is to eat, by category. */
export const Menu = () => (
  <section class="dishes" aria-label="Menu">
    {categories.value.map(({ id, name }) => (
      <Card key={id} title={<ShownText text={name} />}>
        <ul class="row-list">
          {dishes.value
            .filter(({ categoryId }) => categoryId === id)
            .map((dish) => (
              <DishRow key={dish.id} dish={dish} />
            ))}
        </ul>
      </Card>
    ))}
  </section>
)

function DishRow({ dish: { id, name, price: dong, stock, available } }: { readonly dish: Dish }) {
  const wanted = cart.value.items.find(({ dishId }) => dishId === id)?.quantity ?? 0
  const isOut = available === false || stock === 0
  return (
    <li>
      <span class="named">
        <b>
          <ShownText text={name} />
        </b>
        <span class="quiet small">
          {isOut ? "sold out" : stock === null || stock === undefined ? "" : `${stock} left`}
        </span>
      </span>
      <span class="number">{price(dong)}</span>
      <ActButton disabled={isOut} onAct={() => addDish(id)}>
        {wanted === 0 ? "Add" : `Add (${wanted})`}
        <span class="for-readers"> {name} to the cart</span>
      </ActButton>
    </li>
  )
}
