import { Card } from "studio/parts/card.tsx"
import { IconButton } from "studio/parts/icon-button.tsx"
import { ShownText } from "studio/parts/shown-text.tsx"
import { attempt } from "../state/notice.ts"
import { CheckoutForm } from "./checkout-form.tsx"
import { cart, setQuantity } from "./state.ts"
import { price } from "./wire.ts"

/** What is to be ordered, and for whom. */
export function CartCard() {
  const { items, total } = cart.value
  return (
    <Card title="Your cart" aside={items.length === 0 ? undefined : price(total)} class="cart">
      {items.length === 0 ? <p class="body quiet small">Choose something from the menu.</p> : null}
      <ul class="row-list">
        {items.map(({ id, name, quantity, total: sum }) => {
          const shown = name ?? "not on the menu any more"
          const set = (count: number) => void attempt(() => setQuantity(id, shown, count))
          return (
            <li key={id}>
              <span class="dish-name">
                <ShownText text={shown} />
                <span class="quiet small">{price(sum)}</span>
              </span>
              <span class="steps">
                <IconButton tiny icon="minus" label={`One ${shown} less`} onClick={() => set(quantity - 1)} />
                <b>{quantity}</b>
                <IconButton tiny icon="plus" label={`One ${shown} more`} onClick={() => set(quantity + 1)} />
              </span>
            </li>
          )
        })}
      </ul>
      {items.length === 0 ? null : <CheckoutForm />}
    </Card>
  )
}
